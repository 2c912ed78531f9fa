package dev.stretto.compiler;

import static dev.stretto.compiler.KernelTree.PLACE;
import static dev.stretto.compiler.KernelTree.RANK;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import dev.stretto.compiler.KernelTree.*;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a kernel as class files. */
final class KernelClassFile extends StatementCode {
  private static final ClassDesc RECORD = ClassDesc.of("java.lang.Record");
  private static final ClassDesc MARK = ClassDesc.of("dev.stretto.kernel.Kernel");

  /** The kernel's type. */
  static final MethodTypeDesc TYPE = type();

  private KernelClassFile(Kernel kernel) {
    super(kernel);
  }

  /** {@return the bytes of the kernel's class and of those that it needs, by name} */
  static Map<String, byte[]> write(Kernel kernel) {
    Map<String, byte[]> files = new LinkedHashMap<>();
    files.put(kernel.name(), new KernelClassFile(kernel).kernel());
    for (ObjectType type : kernel.types()) {
      files.put(type.name(), object(type));
    }
    return files;
  }

  /** {@return the name of the kernel's method, which no other kernel's has} */
  static String method(Kernel kernel) {
    return kernel.name().toLowerCase(java.util.Locale.ROOT);
  }

  private static MethodTypeDesc type() {
    List<ClassDesc> types = new ArrayList<>(List.of(BLOCK));
    for (Space space : Space.values()) {
      types.add(space.desc());
    }
    types.add(Space.INTS.desc());
    KernelTree.PARAMETERS.forEach(parameter -> types.add(parameter.kind().desc()));
    return MethodTypeDesc.of(CD_void, types);
  }

  private byte[] kernel() {
    // Where variables of different classes end, their place holds any object at all.
    ClassHierarchyResolver hierarchy =
        type ->
            ClassHierarchyResolver.ClassHierarchyInfo.ofClass(
                type.equals(CD_Object) ? null : CD_Object);
    return ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(hierarchy))
        .build(
            self,
            type -> {
              type.withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SUPER);
              type.with(SourceFileAttribute.of(kernel.name() + ".java"));
              for (Helper helper : kernel.helpers()) {
                type.withMethodBody(
                    helper.name(),
                    desc(helper),
                    ClassFile.ACC_STATIC,
                    body -> helper(body, helper));
              }
              type.withMethod(
                  method(kernel),
                  TYPE,
                  ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC,
                  method -> {
                    method.with(RuntimeVisibleAnnotationsAttribute.of(Annotation.of(MARK)));
                    method.withCode(this::main);
                  });
            });
  }

  private static byte[] object(ObjectType object) {
    ClassDesc parent = object.isRecord() ? RECORD : CD_Object;
    ClassDesc self = ClassDesc.of(object.name());
    List<ClassDesc> fields = fields(object);
    return ClassFile.of()
        .build(
            self,
            type -> {
              type.withFlags(AccessFlag.PUBLIC, AccessFlag.FINAL, AccessFlag.SUPER);
              type.withSuperclass(parent);
              int flags = object.isRecord() ? ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL : 0;
              for (int i = 0; i < fields.size(); i++) {
                type.withField(field(i), fields.get(i), flags);
              }
              type.withMethodBody(
                  INIT_NAME,
                  MethodTypeDesc.of(CD_void, fields),
                  ClassFile.ACC_PUBLIC,
                  body -> constructor(body, self, parent, fields));
              for (int i = 0; object.isRecord() && i < fields.size(); i++) {
                int at = i;
                type.withMethodBody(
                    field(i),
                    MethodTypeDesc.of(fields.get(i)),
                    ClassFile.ACC_PUBLIC,
                    body ->
                        body.aload(0)
                            .getfield(self, field(at), fields.get(at))
                            .return_(TypeKind.from(fields.get(at))));
              }
            });
  }

  private static void constructor(
      CodeBuilder body, ClassDesc self, ClassDesc parent, List<ClassDesc> fields) {
    body.aload(0).invokespecial(parent, INIT_NAME, NOTHING);
    for (int i = 0; i < fields.size(); i++) {
      body.aload(0).loadLocal(TypeKind.from(fields.get(i)), body.parameterSlot(i));
      body.putfield(self, field(i), fields.get(i));
    }
    body.return_();
  }

  private void helper(CodeBuilder body, Helper helper) {
    code = body;
    locals.clear();
    nextLocal = 0;
    helper.parameters().forEach(it -> local(it, it.kind().stored()));
    helper.arrays().forEach(it -> local(it, TypeKind.REFERENCE));
    helper.objects().forEach(it -> local(it, TypeKind.REFERENCE));
    int before = nextLocal;
    helper.body().statements().forEach(this::statement);
    mark();
    if (helper.result() instanceof Expression value) {
      value(value);
      code.return_(value.kind().stored());
    } else {
      object((ObjectExpression) helper.result());
      code.areturn();
    }
    nextLocal = before;
  }

  private void main(CodeBuilder body) {
    code = body;
    locals.clear();
    nextLocal = 0;
    local("block", TypeKind.REFERENCE);
    for (Space space : Space.values()) {
      local(space, TypeKind.REFERENCE);
    }
    local("counters", TypeKind.REFERENCE);
    KernelTree.PARAMETERS.forEach(it -> local(it, it.kind().stored()));
    place();
    body(kernel.body());
    code.return_();
  }

  /** The thread's number in its block and in the grid. */
  private void place() {
    mark();
    boolean plain = kernel.block()[1] == 1;
    ask("threadIndexX");
    if (!plain) {
      ask("threadIndexY");
      ask("blockSizeX");
      code.imul().iadd();
    }
    store(RANK);
    mark();
    ask("blockIndexX");
    if (kernel.grid()[1] > 1) {
      ask("blockIndexY");
      ask("gridSizeX");
      code.imul().iadd();
    }
    code.i2l();
    ask("blockSizeX");
    if (!plain) {
      ask("blockSizeY");
      code.imul();
    }
    code.i2l().lmul();
    load(RANK);
    code.i2l().ladd();
    store(PLACE);
  }

  private void ask(String what) {
    code.aload(locals.get("block")).invokevirtual(BLOCK, what, TO_INT);
  }
}
