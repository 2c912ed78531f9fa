package dev.stretto.compiler;

import static dev.stretto.compiler.KernelTree.ELEMENTS;
import static dev.stretto.compiler.KernelTree.PLACE;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import dev.stretto.compiler.KernelTree.*;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The instructions that javac would choose for expressions. */
abstract class ExpressionCode {
  static final ClassDesc BLOCK = ClassDesc.of("dev.stretto.kernel.ThreadBlock");
  static final MethodTypeDesc TO_INT = MethodTypeDesc.of(CD_int);
  static final MethodTypeDesc NOTHING = MethodTypeDesc.of(CD_void);
  final Kernel kernel;
  final ClassDesc self;
  CodeBuilder code;
  final Map<Object, Integer> locals = new HashMap<>();
  int nextLocal;

  ExpressionCode(Kernel kernel) {
    this.kernel = kernel;
    this.self = ClassDesc.of(kernel.name());
  }

  static List<ClassDesc> fields(ObjectType type) {
    List<ClassDesc> fields = new ArrayList<>();
    type.fields().forEach(field -> fields.add(field.desc()));
    if (type.inner() != null) {
      fields.add(ClassDesc.of(type.inner().name()));
    }
    return fields;
  }

  static String field(int number) {
    return String.valueOf((char) ('a' + number));
  }

  static MethodTypeDesc desc(Helper helper) {
    List<ClassDesc> types = new ArrayList<>();
    helper.parameters().forEach(parameter -> types.add(parameter.kind().desc()));
    helper.arrays().forEach(array -> types.add(array.element().desc().arrayType()));
    helper.objects().forEach(object -> types.add(ClassDesc.of(object.type().name())));
    ClassDesc result =
        helper.result() instanceof Expression value
            ? value.kind().desc()
            : ClassDesc.of(((ObjectExpression) helper.result()).type().name());
    return MethodTypeDesc.of(result, types);
  }

  void local(Object what, TypeKind kind) {
    locals.put(what, nextLocal);
    nextLocal += kind.slotSize();
  }

  void load(Variable variable) {
    code.loadLocal(variable.kind().stored(), locals.get(variable));
  }

  /** Stores what is on the stack, as an int where the variable is narrower. */
  void store(Variable variable) {
    narrow(variable.kind());
    if (!locals.containsKey(variable)) {
      local(variable, variable.kind().stored());
    }
    code.storeLocal(variable.kind().stored(), locals.get(variable));
  }

  void narrow(Kind kind) {
    switch (kind) {
      case BYTE -> code.i2b();
      case SHORT -> code.i2s();
      case CHAR -> code.i2c();
      default -> {}
    }
  }

  void arithmetic(Kind kind, CodeOf ints, CodeOf longs, CodeOf floats, CodeOf doubles) {
    switch (kind) {
      case INT -> ints.add(code);
      case LONG -> longs.add(code);
      case FLOAT -> floats.add(code);
      default -> doubles.add(code);
    }
  }

  interface CodeOf {
    CodeBuilder add(CodeBuilder code);
  }

  /** The array, and the number of the element in it. */
  void element(Space space, Slot slot) {
    code.aload(locals.get(space));
    if (slot.style() == Slot.RAW) {
      value(slot.computed());
      code.i2l();
      return;
    }
    if (!kernel.strided() && slot.style() == Slot.SLICED) {
      load(PLACE);
      code.loadConstant((long) ELEMENTS).lmul().loadConstant((long) ELEMENTS);
      code.invokevirtual(space.desc(), "slice", MethodTypeDesc.of(space.desc(), CD_long, CD_long));
      slot(slot);
      code.i2l();
      return;
    }
    int factor = kernel.strided() ? 1 : ELEMENTS;
    switch (slot.style()) {
      case 0 -> {
        load(PLACE);
        code.loadConstant((long) factor).lmul();
        slot(slot);
        total();
        code.i2l().ladd();
      }
      case 1 -> {
        slot(slot);
        total();
        load(PLACE);
        code.l2i().loadConstant(factor).imul().iadd().i2l();
      }
      case Slot.WRAPPED -> {
        slot(slot);
        total();
        code.loadConstant(Integer.MAX_VALUE).iadd();
        load(PLACE);
        code.l2i().loadConstant(factor).imul().loadConstant(Integer.MAX_VALUE).isub();
        code.iadd().i2l();
      }
      default -> {
        slot(slot);
        code.i2l();
        if (kernel.strided()) {
          code.loadConstant((long) kernel.threads()).lmul();
        }
        load(PLACE);
        code.loadConstant((long) factor).lmul().ladd();
      }
    }
  }

  void total() {
    if (kernel.strided()) {
      code.loadConstant(kernel.threads()).imul();
    }
  }

  void slot(Slot slot) {
    if (slot.index() != null) {
      index(slot.index());
    } else {
      value(slot.computed());
      code.loadConstant(KernelTree.OWN - 1).iand();
    }
  }

  void index(Index index) {
    if (index.counter() == null) {
      code.loadConstant(index.plus());
      return;
    }
    load(index.counter());
    if (index.factor() != 1) {
      code.loadConstant(index.factor()).imul();
    }
    if (index.plus() != 0) {
      code.loadConstant(index.plus()).iadd();
    }
  }

  void object(ObjectExpression expression) {
    switch (expression) {
      case New it -> {
        ClassDesc type = ClassDesc.of(it.type().name());
        code.new_(type).dup();
        for (int i = 0; i < it.arguments().size(); i++) {
          value(it.arguments().get(i));
          narrow(it.type().fields().get(i));
        }
        if (it.inner() != null) {
          object(it.inner());
        }
        code.invokespecial(type, INIT_NAME, MethodTypeDesc.of(CD_void, fields(it.type())));
      }
      case Inner it -> {
        code.aload(locals.get(it.of()));
        inner(it.of().type(), true);
      }
      case Make it -> call(it.helper(), it.arguments(), it.references());
      case Alias it -> code.aload(locals.get(it.of()));
      case ChooseObject it -> {
        Label otherwise = code.newLabel();
        Label end = code.newLabel();
        jump(it.condition(), otherwise, false);
        object(it.yes());
        code.goto_(end).labelBinding(otherwise);
        object(it.no());
        code.labelBinding(end);
      }
    }
  }

  void literal(Kind kind, Object value) {
    switch (kind) {
      case BOOL -> code.loadConstant((Boolean) value ? 1 : 0);
      case LONG -> code.loadConstant(((Number) value).longValue());
      case FLOAT -> code.loadConstant(((Number) value).floatValue());
      case DOUBLE -> code.loadConstant(((Number) value).doubleValue());
      default -> code.loadConstant(((Number) value).intValue());
    }
  }

  void value(Expression expression) {
    switch (expression) {
      case Literal it -> literal(it.kind(), it.value());
      case Read it -> load(it.variable());
      case Apply it -> {
        it.arguments().forEach(this::value);
        it.operation().code().accept(code);
      }
      case Compare it -> truth(it);
      case Logic it -> truth(it);
      case Not it -> truth(it);
      case Choose it -> {
        Label otherwise = code.newLabel();
        Label end = code.newLabel();
        jump(it.condition(), otherwise, false);
        value(it.yes());
        code.goto_(end).labelBinding(otherwise);
        value(it.no());
        code.labelBinding(end);
      }
      case Element it -> {
        code.aload(locals.get(it.array()));
        index(it.index());
        code.arrayLoad(it.array().element().stored());
      }
      case Component it -> {
        ObjectType type = it.type();
        ClassDesc owner = ClassDesc.of(type.name());
        ClassDesc field = type.fields().get(it.field()).desc();
        code.aload(locals.get(it.object()));
        if (it.inner()) {
          inner(it.object().type(), true);
        }
        if (type.isRecord()) {
          code.invokevirtual(owner, field(it.field()), MethodTypeDesc.of(field));
        } else {
          code.getfield(owner, field(it.field()), field);
        }
      }
      case Call it -> call(it.helper(), it.arguments(), it.references());
      case Load it -> {
        element(it.space(), it.slot());
        code.invokevirtual(
            it.space().desc(), "get", MethodTypeDesc.of(it.space().kind().desc(), CD_long));
      }
    }
  }

  void call(String name, List<Expression> arguments, References references) {
    Helper helper = helper(kernel, name);
    for (int i = 0; i < arguments.size(); i++) {
      value(arguments.get(i));
      narrow(helper.parameters().get(i).kind());
    }
    references.arrays().forEach(array -> code.aload(locals.get(array)));
    references.objects().forEach(object -> code.aload(locals.get(object)));
    code.invokestatic(self, name, desc(helper));
  }

  /** The object in the object on the stack. */
  void inner(ObjectType type, boolean get) {
    ClassDesc owner = ClassDesc.of(type.name());
    ClassDesc inner = ClassDesc.of(type.inner().name());
    String field = field(type.fields().size());
    if (!get) {
      code.putfield(owner, field, inner);
    } else if (type.isRecord()) {
      code.invokevirtual(owner, field, MethodTypeDesc.of(inner));
    } else {
      code.getfield(owner, field, inner);
    }
  }

  static Helper helper(Kernel kernel, String name) {
    return kernel.helpers().stream()
        .filter(helper -> helper.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  void truth(Expression condition) {
    Label no = code.newLabel();
    Label end = code.newLabel();
    jump(condition, no, false);
    code.iconst_1().goto_(end).labelBinding(no).iconst_0().labelBinding(end);
  }

  /** Jumps if a condition is as said; goes on otherwise. */
  void jump(Expression condition, Label where, boolean when) {
    switch (condition) {
      case Not it -> jump(it.a(), where, !when);
      case Logic it -> {
        if (it.both() != when) {
          jump(it.a(), where, when);
          jump(it.b(), where, when);
        } else {
          Label skip = code.newLabel();
          jump(it.a(), skip, !when);
          jump(it.b(), where, when);
          code.labelBinding(skip);
        }
      }
      case Compare it -> compare(it, where, when);
      default -> {
        value(condition);
        if (when) {
          code.ifne(where);
        } else {
          code.ifeq(where);
        }
      }
    }
  }

  void compare(Compare it, Label where, boolean when) {
    Comparison how = when ? it.how() : negated(it.how());
    Kind kind = it.a().kind();
    value(it.a());
    if (kind == Kind.INT || kind == Kind.BOOL) {
      if (it.b() instanceof Literal zero && zero.value().equals(0)) {
        ifZero(how, where);
        return;
      }
      value(it.b());
      ifInts(how, where);
      return;
    }
    value(it.b());
    // A comparison with NaN is false, so the one that is written decides, not the negated one.
    boolean less = it.how() == Comparison.LESS || it.how() == Comparison.NOT_MORE;
    switch (kind) {
      case LONG -> code.lcmp();
      case FLOAT -> {
        if (less) {
          code.fcmpg();
        } else {
          code.fcmpl();
        }
      }
      default -> {
        if (less) {
          code.dcmpg();
        } else {
          code.dcmpl();
        }
      }
    }
    ifZero(how, where);
  }

  static Comparison negated(Comparison how) {
    return switch (how) {
      case LESS -> Comparison.NOT_LESS;
      case NOT_MORE -> Comparison.MORE;
      case MORE -> Comparison.NOT_MORE;
      case NOT_LESS -> Comparison.LESS;
      case SAME -> Comparison.DIFFERENT;
      case DIFFERENT -> Comparison.SAME;
    };
  }

  void ifZero(Comparison how, Label where) {
    switch (how) {
      case LESS -> code.iflt(where);
      case NOT_MORE -> code.ifle(where);
      case MORE -> code.ifgt(where);
      case NOT_LESS -> code.ifge(where);
      case SAME -> code.ifeq(where);
      case DIFFERENT -> code.ifne(where);
    }
  }

  void ifInts(Comparison how, Label where) {
    switch (how) {
      case LESS -> code.if_icmplt(where);
      case NOT_MORE -> code.if_icmple(where);
      case MORE -> code.if_icmpgt(where);
      case NOT_LESS -> code.if_icmpge(where);
      case SAME -> code.if_icmpeq(where);
      case DIFFERENT -> code.if_icmpne(where);
    }
  }
}
