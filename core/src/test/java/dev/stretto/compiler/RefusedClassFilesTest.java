package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Class files that are missing, or that no Java compiler writes, are refused in so many words. */
class RefusedClassFilesTest {
  private static final ClassDesc MADE = ClassDesc.of("made.Made");
  private static final ClassDesc INTS = ClassDesc.of(GlobalInts.class.getName());
  private static final MethodTypeDesc KERNEL =
      MethodTypeDesc.of(
          ConstantDescs.CD_void,
          ClassDesc.of(ThreadBlock.class.getName()),
          INTS,
          ConstantDescs.CD_int);
  private static final int OUT = 1;
  private static final int N = 2;
  private static final int FLAGS = ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC;

  /** Finds class files that were made here, and does not find those that are gone. */
  private static final class Files extends ClassLoader {
    private final Map<String, byte[]> made;
    private final Set<String> gone;

    Files(Map<String, byte[]> made, Set<String> gone) {
      super(RefusedClassFilesTest.class.getClassLoader());
      this.made = made;
      this.gone = gone;
    }

    @Override
    public InputStream getResourceAsStream(String name) {
      byte[] file = made.get(name);
      if (file != null) {
        return new ByteArrayInputStream(file);
      }
      return gone.contains(name) ? null : super.getResourceAsStream(name);
    }
  }

  // --- what kernels below use, and what may be gone

  static final class Helper {
    static final int SIZE = Integer.parseInt("3");

    static int twice(int n) {
      return 2 * n;
    }
  }

  static class Base {
    int of;
  }

  static final class Heir extends Base {}

  static void callsAMethod(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Helper.twice(n));
  }

  static void makesAnObject(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, new Heir().of);
  }

  static void readsAStatic(ThreadBlock block, GlobalInts out, int n) {
    out.set(0, Helper.SIZE);
  }

  static native void hasNoBody(ThreadBlock block, GlobalInts out, int n);

  private static KernelRefusedException refusal(ClassLoader loader, String owner, String name) {
    KernelSource source =
        new KernelSource(loader, owner, name, KERNEL.descriptorString(), Map.of(), true);
    KernelRefusedException refusal =
        catchThrowableOfType(
            KernelRefusedException.class,
            () -> KernelCompiler.compile(source, new KernelTarget(90)));
    assertThat(refusal).as("the refusal of " + name).isNotNull();
    return refusal;
  }

  private static KernelRefusedException without(String gone, String kernel) {
    String owner = RefusedClassFilesTest.class.getName().replace('.', '/');
    return refusal(new Files(Map.of(), Set.of(owner + gone + ".class")), owner, kernel);
  }

  private static KernelRefusedException made(Consumer<ClassBuilder> content) {
    byte[] file =
        ClassFile.of()
            .build(
                MADE,
                builder -> {
                  builder.with(SourceFileAttribute.of("Made.java"));
                  content.accept(builder);
                });
    return refusal(new Files(Map.of("made/Made.class", file), Set.of()), "made/Made", "kernel");
  }

  private static KernelRefusedException kernel(Consumer<CodeBuilder> code) {
    return made(builder -> builder.withMethodBody("kernel", KERNEL, FLAGS, code));
  }

  private static void isRefused(
      KernelRefusedException refusal, String place, String reason, String advice) {
    assertThat(refusal.reason()).contains(reason);
    assertThat(refusal.advice()).contains(advice);
    assertThat(refusal.file() + ":" + refusal.line()).isEqualTo(place);
  }

  @Test
  void aKernelWhoseClassIsGone() {
    isRefused(
        without("", "callsAMethod"),
        "RefusedClassFilesTest:0",
        "the class file of RefusedClassFilesTest.callsAMethod cannot be found",
        "that its loader finds as a file");
  }

  @Test
  void aMethodWhoseClassIsGone() {
    KernelRefusedException refusal = without("$Helper", "callsAMethod");
    assertThat(refusal.reason())
        .contains("the class file of RefusedClassFilesTest.Helper cannot be found");
    assertThat(refusal.advice()).contains("class path");
    assertThat(refusal.line()).isPositive();
  }

  @Test
  void anObjectOfAClassWhoseSuperclassIsGone() {
    assertThat(without("$Base", "makesAnObject").reason())
        .contains("the class file of RefusedClassFilesTest.Base cannot be found");
  }

  @Test
  void aStaticFieldOfAClassThatIsGone() {
    assertThat(without("$Helper", "readsAStatic").reason())
        .contains("the class file of RefusedClassFilesTest.Helper cannot be found");
  }

  @Test
  void aNativeKernel() {
    assertThat(without("$None", "hasNoBody"))
        .hasMessageContaining("a kernel needs a body")
        .hasMessageContaining("write it in Java");
  }

  @Test
  void aMethodThatAnOlderClassFileDoesNotHave() {
    isRefused(
        kernel(
            code ->
                code.lineNumber(7)
                    .invokestatic(
                        ClassDesc.of(Helper.class.getName()),
                        "thrice",
                        MethodTypeDesc.of(ConstantDescs.CD_void))
                    .return_()),
        "Made.java:7",
        "RefusedClassFilesTest.Helper has no method thrice()void",
        "compile both again");
  }

  @Test
  void aLoopThatIsEnteredInItsMiddle() {
    isRefused(
        kernel(
            code -> {
              Label first = code.newLabel();
              Label second = code.newLabel();
              code.lineNumber(3)
                  .iload(N)
                  .ifeq(second)
                  .labelBinding(first)
                  .aload(OUT)
                  .lconst_0()
                  .iload(N)
                  .invokevirtual(
                      INTS,
                      "set",
                      MethodTypeDesc.of(
                          ConstantDescs.CD_void, ConstantDescs.CD_long, ConstantDescs.CD_int))
                  .labelBinding(second)
                  .iinc(N, 1)
                  .iload(N)
                  .bipush(10)
                  .if_icmplt(first)
                  .return_();
            }),
        "Made.java:3",
        "a loop has several entries",
        "compile the kernel with javac");
  }

  @Test
  void anAbstractMethodOfAnObjectThatIsKnown() {
    ClassDesc sensor = ClassDesc.of(RefusedCalls.Sensor.class.getName());
    isRefused(
        kernel(
            code ->
                code.lineNumber(5)
                    .new_(sensor)
                    .dup()
                    .invokespecial(sensor, "<init>", ConstantDescs.MTD_void)
                    .invokevirtual(sensor, "read", MethodTypeDesc.of(ConstantDescs.CD_int))
                    .pop()
                    .return_()),
        "Made.java:5",
        "RefusedCalls.Sensor.read, which is abstract",
        "has a body");
  }

  @Test
  void callsThatAreNestedTooDeep() {
    MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
    KernelRefusedException refusal =
        made(
            builder -> {
              for (int i = 0; i < 200; i++) {
                String next = "m" + (i + 1);
                builder.withMethodBody(
                    "m" + i,
                    type,
                    FLAGS,
                    code -> code.lineNumber(9).iload(0).invokestatic(MADE, next, type).ireturn());
              }
              builder.withMethodBody(
                  "kernel",
                  KERNEL,
                  FLAGS,
                  code ->
                      code.lineNumber(4).iload(N).invokestatic(MADE, "m0", type).pop().return_());
            });
    isRefused(refusal, "Made.java:9", "100 deep at most (called from Made.java:4)", "less deep");
  }

  @Test
  void aConstantThatIsComputed() {
    DynamicConstantDesc<?> constant =
        DynamicConstantDesc.ofNamed(
            ConstantDescs.ofConstantBootstrap(
                ConstantDescs.CD_ConstantBootstraps, "primitiveClass", ConstantDescs.CD_Class),
            "I",
            ConstantDescs.CD_Class);
    isRefused(
        kernel(code -> code.lineNumber(5).loadConstant(constant).pop().return_()),
        "Made.java:5",
        "cannot use the constant",
        "only numbers and labels");
  }

  @Test
  void aHandleOfAMethod() {
    DirectMethodHandleDesc handle =
        MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC, MADE, "kernel", KERNEL);
    isRefused(
        kernel(code -> code.lineNumber(5).loadConstant(handle).pop().return_()),
        "Made.java:5",
        "cannot use the constant",
        "only numbers and labels");
  }

  @Test
  void aCallThatIsLinkedWhenItRuns() {
    DirectMethodHandleDesc bootstrap =
        ConstantDescs.ofCallsiteBootstrap(MADE, "link", ConstantDescs.CD_CallSite);
    isRefused(
        kernel(
            code ->
                code.lineNumber(5)
                    .invokedynamic(DynamicCallSiteDesc.of(bootstrap, "any", ConstantDescs.MTD_void))
                    .return_()),
        "Made.java:5",
        "is linked at run time",
        "call a static method by name");
  }

  @Test
  void aClassFileWithoutStackMaps() {
    byte[] file =
        ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS)
            .build(
                MADE,
                builder ->
                    builder
                        .withVersion(ClassFile.JAVA_5_VERSION, 0)
                        .with(SourceFileAttribute.of("Made.java"))
                        .withMethodBody(
                            "kernel",
                            KERNEL,
                            FLAGS,
                            code -> {
                              Label end = code.newLabel();
                              code.lineNumber(5)
                                  .iload(N)
                                  .ifeq(end)
                                  .iload(N)
                                  .ifgt(end)
                                  .labelBinding(end)
                                  .return_();
                            }));
    isRefused(
        refusal(new Files(Map.of("made/Made.class", file), Set.of()), "made/Made", "kernel"),
        "Made.java:5",
        "no stack map",
        "Java 7 or later");
  }

  // --- what a JVM refuses, or refuses when it links

  private static byte[] file(Class<?> type) {
    String name = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static KernelRefusedException with(Class<?> type, byte[] file, String kernel) {
    String owner = RefusedClassFilesTest.class.getName().replace('.', '/');
    String name = type.getName().replace('.', '/') + ".class";
    return refusal(new Files(Map.of(name, file), Set.of()), owner, kernel);
  }

  @Test
  void aKernelWhoseClassFileIsCutOff() {
    byte[] file = file(RefusedClassFilesTest.class);
    for (int length : new int[] {0, 7, 100, file.length / 2, file.length - 1}) {
      byte[] cut = Arrays.copyOf(file, length);
      isRefused(
          with(RefusedClassFilesTest.class, cut, "callsAMethod"),
          "RefusedClassFilesTest:0",
          "the class file of dev.stretto.compiler.RefusedClassFilesTest is malformed: ",
          "a JVM would refuse it too");
    }
  }

  @Test
  void aMethodWhoseClassFileIsCutOff() {
    byte[] file = file(Helper.class);
    KernelRefusedException refusal =
        with(Helper.class, Arrays.copyOf(file, file.length - 9), "callsAMethod");
    assertThat(refusal.reason())
        .contains(
            "the class file of dev.stretto.compiler.RefusedClassFilesTest$Helper is malformed");
    assertThat(refusal.file()).isEqualTo("RefusedClassFilesTest.java");
    assertThat(refusal.line()).isPositive();
  }

  @Test
  void aClassFileOfAnotherClass() {
    assertThat(with(Helper.class, file(Heir.class), "callsAMethod").reason())
        .contains("it is the file of dev/stretto/compiler/RefusedClassFilesTest$Heir");
  }

  @Test
  void aMethodThatAVerifierRefuses() {
    assertThat(kernel(code -> code.aload(OUT).iload(N).iadd().pop().return_()).reason())
        .contains("is malformed: ")
        .contains("made/Made::kernel");
  }

  @Test
  void aClassThatIsItsOwnSuperclass() {
    byte[] heir =
        ClassFile.of()
            .build(
                ClassDesc.of(Heir.class.getName()),
                builder -> builder.withSuperclass(ClassDesc.of(Base.class.getName())));
    byte[] base =
        ClassFile.of()
            .build(
                ClassDesc.of(Base.class.getName()),
                builder -> builder.withSuperclass(ClassDesc.of(Heir.class.getName())));
    String owner = RefusedClassFilesTest.class.getName().replace('.', '/');
    Map<String, byte[]> made = Map.of(owner + "$Heir.class", heir, owner + "$Base.class", base);
    assertThat(refusal(new Files(made, Set.of()), owner, "makesAnObject").reason())
        .contains("or it is its own superclass");
  }

  @Test
  void aFieldThatAnOlderClassFileDoesNotHave() {
    ClassDesc heir = ClassDesc.of(Heir.class.getName());
    isRefused(
        kernel(
            code ->
                code.lineNumber(5)
                    .new_(heir)
                    .dup()
                    .invokespecial(heir, "<init>", ConstantDescs.MTD_void)
                    .getfield(heir, "of", ConstantDescs.CD_long)
                    .pop2()
                    .return_()),
        "Made.java:5",
        "RefusedClassFilesTest.Heir has no field of",
        "compile both again");
  }

  @Test
  void aMethodThatIsCalledAsIfItWereNotStatic() {
    ClassDesc helper = ClassDesc.of(Helper.class.getName());
    MethodTypeDesc type = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
    isRefused(
        kernel(
            code ->
                code.lineNumber(5)
                    .new_(helper)
                    .dup()
                    .invokespecial(helper, "<init>", ConstantDescs.MTD_void)
                    .iload(N)
                    .invokevirtual(helper, "twice", type)
                    .pop()
                    .return_()),
        "Made.java:5",
        "Helper.twice is static, unlike its call here",
        "compile both again");
  }

  @Test
  void aMethodOfAnArrayThatThisStrettoDoesNotHave() {
    isRefused(
        kernel(
            code ->
                code.lineNumber(5)
                    .aload(OUT)
                    .iload(N)
                    .invokevirtual(
                        INTS, "set", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int))
                    .return_()),
        "Made.java:5",
        "GlobalInts has no method set(int)void",
        "compile both again");
  }

  @Test
  void moreArraysOfArraysThanFitIntoAMachine() {
    ClassDesc arrays = ConstantDescs.CD_int.arrayType(2);
    isRefused(
        kernel(
            code ->
                code.lineNumber(5)
                    .loadConstant(1 << 30)
                    .iconst_2()
                    .multianewarray(arrays, 2)
                    .pop()
                    .return_()),
        "Made.java:5",
        "a local array of more than 10000 arrays",
        "shared or global memory");
  }
}
