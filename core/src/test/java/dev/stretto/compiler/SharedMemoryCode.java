package dev.stretto.compiler;

import static dev.stretto.compiler.KernelTree.RANK;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.stretto.compiler.KernelTree.*;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** The instructions for what threads do by way of shared memory. */
abstract class SharedMemoryCode extends ExpressionCode {
  static final ClassDesc ATOMICS = ClassDesc.of("dev.stretto.kernel.Atomics");

  SharedMemoryCode(Kernel kernel) {
    super(kernel);
  }

  static ClassDesc shared(Kind kind) {
    String name = kind.java();
    return ClassDesc.of(
        "dev.stretto.kernel",
        "Shared" + Character.toUpperCase(name.charAt(0)) + name.substring(1) + "s");
  }

  void share(Share it) {
    Kind kind = it.variable().kind();
    ClassDesc type = shared(kind);
    int count = kernel.blockThreads();
    Object array = new Object();
    code.aload(locals.get("block"));
    switch (view(it)) {
      case WHOLE -> allocate(type, it.pattern() == Pattern.TALLY ? 1 : count);
      case SLICE -> {
        allocate(type, count + it.by());
        code.loadConstant(it.by()).loadConstant(count);
        code.invokevirtual(type, "slice", MethodTypeDesc.of(type, CD_int, CD_int));
      }
      case BYTES -> {
        ClassDesc bytes = shared(Kind.BYTE);
        allocate(bytes, count * bytes(kind));
        String as = "as" + type.displayName().substring("Shared".length());
        code.invokevirtual(bytes, as, MethodTypeDesc.of(type));
      }
    }
    local(array, TypeKind.REFERENCE);
    code.astore(locals.get(array));
    switch (it.pattern()) {
      case TALLY -> tally(it, array, type);
      case TREE -> tree(it, array, type);
      default -> exchange(it, array, type);
    }
    store(it.variable());
    sync();
  }

  void allocate(ClassDesc type, int length) {
    code.loadConstant(length);
    String method = "s" + type.displayName().substring(1);
    code.invokevirtual(BLOCK, method, MethodTypeDesc.of(type, CD_int));
  }

  /** How shared memory is come by. */
  enum View {
    WHOLE,
    SLICE,
    BYTES
  }

  static View view(Share it) {
    boolean plain = it.pattern() == Pattern.TALLY || it.variable().kind() == Kind.BYTE;
    return plain ? View.WHOLE : View.values()[it.by() % 3];
  }

  static int bytes(Kind kind) {
    return switch (kind) {
      case BYTE -> 1;
      case SHORT -> 2;
      case INT, FLOAT -> 4;
      default -> 8;
    };
  }

  void sync() {
    code.aload(locals.get("block")).invokevirtual(BLOCK, "sync", NOTHING);
  }

  void get(ClassDesc type, Kind kind) {
    code.invokevirtual(type, "get", MethodTypeDesc.of(kind.desc(), CD_int));
  }

  void set(ClassDesc type, Kind kind) {
    code.invokevirtual(type, "set", MethodTypeDesc.of(CD_void, CD_int, kind.desc()));
  }

  void exchange(Share it, Object array, ClassDesc type) {
    Kind kind = it.variable().kind();
    code.aload(locals.get(array));
    load(RANK);
    value(it.value());
    narrow(kind);
    set(type, kind);
    sync();
    code.aload(locals.get(array));
    load(RANK);
    code.loadConstant(it.by());
    if (it.pattern() == Pattern.ROTATE) {
      code.iadd().loadConstant(kernel.blockThreads()).irem();
    } else {
      code.ixor();
    }
    get(type, kind);
  }

  /** Combines two numbers in every round, until one is left. */
  void tree(Share it, Object array, ClassDesc type) {
    Kind kind = it.variable().kind();
    code.aload(locals.get(array));
    load(RANK);
    value(it.value());
    narrow(kind);
    set(type, kind);
    sync();
    Variable half = new Variable(Kind.INT, "half of " + it.variable().name());
    code.loadConstant(kernel.blockThreads() / 2);
    store(half);
    Label top = code.newBoundLabel();
    Label end = code.newLabel();
    Label skip = code.newLabel();
    load(half);
    code.ifle(end);
    load(RANK);
    load(half);
    code.if_icmpge(skip);
    code.aload(locals.get(array));
    load(RANK);
    code.aload(locals.get(array));
    load(RANK);
    get(type, kind);
    code.aload(locals.get(array));
    load(RANK);
    load(half);
    code.iadd();
    get(type, kind);
    arithmetic(kind, CodeBuilder::iadd, CodeBuilder::lxor, CodeBuilder::fadd, CodeBuilder::dmul);
    set(type, kind);
    code.labelBinding(skip);
    sync();
    load(half);
    code.iconst_1().ishr();
    store(half);
    code.goto_(top).labelBinding(end);
    code.aload(locals.get(array)).iconst_0();
    get(type, kind);
  }

  void tally(Share it, Object array, ClassDesc type) {
    Kind kind = it.variable().kind();
    Label others = code.newLabel();
    load(RANK);
    code.ifne(others);
    code.aload(locals.get(array)).iconst_0();
    literal(kind, it.by());
    set(type, kind);
    code.labelBinding(others);
    sync();
    code.aload(locals.get(array)).iconst_0();
    value(it.value());
    code.invokestatic(ATOMICS, "add", MethodTypeDesc.of(kind.desc(), type, CD_int, kind.desc()));
    if (kind == Kind.LONG) {
      code.pop2();
    } else {
      code.pop();
    }
    sync();
    code.aload(locals.get(array)).iconst_0();
    get(type, kind);
  }
}
