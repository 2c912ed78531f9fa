package dev.stretto.compiler;

import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;

import dev.stretto.kernel.Ptx;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationElement;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.reflect.AccessFlag;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A kernel for each method that stands for PTX, which calls it once and keeps what it returns. So
 * nothing of the vocabulary is left out, and nothing else comes with it.
 */
final class Vocabulary {
  private static final String PACKAGE = "dev.stretto.kernel.";
  private static final String INSTRUCTION = "Ldev/stretto/compiler/Instruction;";
  private static final ClassDesc BLOCK = ClassDesc.of(PACKAGE + "ThreadBlock");
  private static final ClassDesc SINK = ClassDesc.of("dev.stretto.memory.GlobalInts");

  private static final int COLUMNS = 64;

  /** Numbers to try where a method takes a constant. */
  private static final int[] CONSTANTS = {0, 1, 8, 16, 24, 32, 64};

  /**
   * A method that stands for PTX.
   *
   * @param owner the name of its class, without the package
   * @param model the method
   */
  record Word(String owner, MethodModel model) {
    String method() {
      return model.methodName().stringValue();
    }

    private MethodTypeDesc type() {
      return model.methodTypeSymbol();
    }

    private boolean isStatic() {
      return model.flags().has(AccessFlag.STATIC);
    }

    private boolean has(int parameter, String annotation) {
      return Stream.of(
              model
                  .findAttribute(Attributes.runtimeVisibleParameterAnnotations())
                  .map(it -> it.parameterAnnotations()),
              model
                  .findAttribute(Attributes.runtimeInvisibleParameterAnnotations())
                  .map(it -> it.parameterAnnotations()))
          .flatMap(found -> found.stream())
          .filter(found -> found.size() > parameter)
          .flatMap(found -> found.get(parameter).stream())
          .anyMatch(it -> it.className().equalsString("Ldev/stretto/kernel/" + annotation + ";"));
    }

    @Override
    public String toString() {
      return owner + "." + method() + type().displayDescriptor();
    }
  }

  private Vocabulary() {}

  /** {@return all of them, in the order of their names} */
  static List<Word> words() {
    List<Word> words = new ArrayList<>();
    try {
      Path classes = Path.of(Ptx.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (Stream<Path> files = Files.list(classes.resolve(PACKAGE.replace('.', '/')))) {
        for (Path file : files.filter(it -> it.toString().endsWith(".class")).sorted().toList()) {
          ClassModel model = ClassFile.of().parse(file);
          String owner = model.thisClass().asSymbol().displayName();
          model.methods().stream()
              .filter(Vocabulary::isInstruction)
              .forEach(method -> words.add(new Word(owner, method)));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
    return words;
  }

  private static boolean isInstruction(MethodModel method) {
    return annotation(method) != null;
  }

  private static Annotation annotation(MethodModel method) {
    return method
        .findAttribute(Attributes.runtimeInvisibleAnnotations())
        .flatMap(
            it ->
                it.annotations().stream()
                    .filter(each -> each.className().equalsString(INSTRUCTION))
                    .findFirst())
        .orElse(null);
  }

  /** {@return the PTX of a method on compute capability 7.5; empty if it is that of the others} */
  static String on75(Word word) {
    StringBuilder lines = new StringBuilder();
    for (AnnotationElement element : annotation(word.model).elements()) {
      if (element.name().equalsString("on75")) {
        for (AnnotationValue line : ((AnnotationValue.OfArray) element.value()).values()) {
          lines.append(((AnnotationValue.OfString) line).stringValue()).append('\n');
        }
      }
    }
    return lines.toString();
  }

  /** {@return kernels that call a method, each with another constant if it takes one} */
  static List<KernelSource> kernels(Word word, int number) {
    boolean takesConstant = false;
    for (int i = 0; i < word.type().parameterCount(); i++) {
      takesConstant |= word.has(i, "Const");
    }
    List<KernelSource> kernels = new ArrayList<>();
    for (int constant : takesConstant ? CONSTANTS : new int[1]) {
      kernels.add(kernel(word, number, constant));
    }
    return kernels;
  }

  private static KernelSource kernel(Word word, int number, int constant) {
    String name = PACKAGE + "Calls" + word.owner + number;
    List<ClassDesc> parameters = new ArrayList<>(List.of(BLOCK, SINK));
    for (ClassDesc type : word.type().parameterList()) {
      if (isParameter(type)) {
        parameters.add(type);
      }
    }
    MethodTypeDesc type = MethodTypeDesc.of(CD_void, parameters);
    String method = word.method() + "_" + number; // the assembler wants different names
    byte[] file =
        ClassFile.of()
            .build(
                ClassDesc.of(name),
                it ->
                    it.withMethodBody(
                        method, type, ClassFile.ACC_STATIC, code -> call(code, word, constant)));
    return new KernelSource(
        new GeneratedClasses(Map.of(name, file)),
        name.replace('.', '/'),
        method,
        type.descriptorString(),
        Map.of(),
        false);
  }

  /** Whether a kernel gets such a value as its own parameter. */
  private static boolean isParameter(ClassDesc type) {
    return !type.isArray()
        && (type.isPrimitive()
            ? !type.equals(CD_boolean)
            : type.packageName().equals("dev.stretto.memory")
                && !type.displayName().equals("GlobalArray"));
  }

  private static void call(CodeBuilder code, Word word, int constant) {
    List<Integer> arrays = new ArrayList<>();
    MethodTypeDesc type = word.type();
    for (int i = 0; i < type.parameterCount(); i++) {
      ClassDesc given = type.parameterType(i);
      arrays.add(given.isArray() ? array(code, given) : given.equals(CD_boolean) ? flag(code) : -1);
    }
    if (!word.isStatic()) {
      receiver(code, word.owner);
    }
    int parameter = 2;
    for (int i = 0; i < type.parameterCount(); i++) {
      ClassDesc given = type.parameterType(i);
      boolean passed = isParameter(given);
      if (given.isArray()) {
        code.aload(arrays.get(i));
      } else if (given.equals(CD_boolean) && !word.has(i, "Const")) {
        code.iload(arrays.get(i));
      } else if (given.equals(CD_long) && word.owner.contains("Barrier")) {
        state(code);
      } else if (word.has(i, "Offset")) {
        code.loadConstant(0);
      } else if (isOfProduct(word, given)) {
        code.loadConstant(i == 2 ? COLUMNS : 0);
      } else if (word.has(i, "Const") && given.isPrimitive()) {
        code.loadConstant(constant);
      } else if (passed) {
        code.loadLocal(TypeKind.from(given), code.parameterSlot(parameter));
      } else {
        other(code, given);
      }
      parameter += passed ? 1 : 0;
    }
    ClassDesc owner = ClassDesc.of(PACKAGE + word.owner);
    code.invoke(
        word.isStatic() ? Opcode.INVOKESTATIC : Opcode.INVOKEVIRTUAL,
        owner,
        word.method(),
        type,
        false);
    keep(code, type.returnType());
    for (int i = 0; i < arrays.size(); i++) {
      if (type.parameterType(i).isArray()) {
        code.aload(arrays.get(i)).loadConstant(0);
        ClassDesc element = type.parameterType(i).componentType();
        code.arrayLoad(TypeKind.from(element));
        keep(code, element);
      }
    }
    code.return_();
  }

  /** Of a product of a warp group: how many columns it has, which decides over its registers. */
  private static boolean isOfProduct(Word word, ClassDesc given) {
    return word.method().startsWith("wgmma") && given.equals(CD_int);
  }

  /**
   * The state of a barrier, as an arrival returns it: with a parameter in its place the assembler
   * (ptxas 13.0 for sm_80) crashes.
   */
  private static void state(CodeBuilder code) {
    ClassDesc longs = of("SharedLongs");
    code.aload(0).loadConstant(4);
    code.invokevirtual(BLOCK, "sharedLongs", MethodTypeDesc.of(longs, CD_int));
    code.loadConstant(0);
    code.invokestatic(
        of("PtxBarriers"), "mbarrierArrive", MethodTypeDesc.of(CD_long, longs, CD_int));
  }

  private static int array(CodeBuilder code, ClassDesc type) {
    int slot = code.allocateLocal(TypeKind.REFERENCE);
    code.loadConstant(128).newarray(TypeKind.from(type.componentType())).astore(slot);
    return slot;
  }

  /** A condition, known before the arguments, so that they are in the same block as the call. */
  private static int flag(CodeBuilder code) {
    int slot = code.allocateLocal(TypeKind.INT);
    code.aload(0).invokevirtual(BLOCK, "threadIndexX", MethodTypeDesc.of(CD_int));
    code.ifThenElse(Opcode.IFEQ, then -> then.iconst_1(), not -> not.iconst_0());
    code.istore(slot);
    return slot;
  }

  private static void receiver(CodeBuilder code, String owner) {
    code.aload(0);
    switch (owner) {
      case "ThreadBlock" -> {}
      case "Warp" -> code.invokevirtual(BLOCK, "warp", MethodTypeDesc.of(of("Warp")));
      case "Cluster" -> code.invokevirtual(BLOCK, "cluster", MethodTypeDesc.of(of("Cluster")));
      case "GridGroup" -> code.invokevirtual(BLOCK, "grid", MethodTypeDesc.of(of("GridGroup")));
      default -> throw new IllegalStateException("how does a kernel get a " + owner + "?");
    }
  }

  private static ClassDesc of(String name) {
    return ClassDesc.of(PACKAGE + name);
  }

  private static void other(CodeBuilder code, ClassDesc type) {
    String name = type.displayName();
    if (name.startsWith("Shared")) {
      ClassDesc made = name.equals("SharedArray") ? of("SharedInts") : type;
      String maker = "s" + made.displayName().substring(1);
      code.aload(0).loadConstant(256).invokevirtual(BLOCK, maker, MethodTypeDesc.of(made, CD_int));
    } else if (name.equals("GlobalArray")) {
      code.aload(1);
    } else {
      String first = name.equals("Scope") ? "DEVICE" : first(type);
      code.getstatic(type, first, type);
    }
  }

  private static String first(ClassDesc type) {
    try {
      String name = type.packageName() + "." + type.displayName();
      return ((Enum<?>) Class.forName(name).getEnumConstants()[0]).name();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Stores a value in the sink. */
  private static void keep(CodeBuilder code, ClassDesc type) {
    if (type.equals(CD_void)) {
      return;
    }
    switch (type.descriptorString()) {
      case "J" -> code.l2i();
      case "F" ->
          code.invokestatic(
              ClassDesc.of("java.lang.Float"),
              "floatToRawIntBits",
              MethodTypeDesc.of(CD_int, type));
      case "D" -> code.d2i();
      default -> {}
    }
    int value = code.allocateLocal(TypeKind.INT);
    code.istore(value).aload(1).loadConstant(0L).iload(value);
    code.invokevirtual(SINK, "set", MethodTypeDesc.ofDescriptor("(JI)V"));
  }
}
