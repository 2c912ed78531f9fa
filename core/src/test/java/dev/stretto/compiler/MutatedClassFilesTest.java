package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Sample;
import dev.stretto.compiler.classfile.CutInstructions;
import dev.stretto.driver.Mutations;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Class files with faults are compiled or refused, in a second and 256 MiB, and never in a way that
 * says that the compiler itself has failed; see {@link Mutations} for how to have more of them.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES) // as many as one likes
class MutatedClassFilesTest {
  /** Whose kernels are compiled, and what they call. */
  private static final List<String> CLASSES =
      List.of(
          "dev.stretto.compiler.RefusedObjects",
          "dev.stretto.compiler.RefusedArrays",
          "dev.stretto.compiler.RefusedCalls",
          "dev.stretto.contract.MethodKernels",
          "dev.stretto.contract.CopyKernels",
          "dev.stretto.contract.Instructions");

  private static final int FILES = Sample.of(400, 1_500);
  private static final int FILES_FOR_A_JVM = Sample.of(100, 300);
  private static final int ATTEMPTS = 20;
  private static final int INTERESTING = 40;

  private final List<Method> kernels =
      CLASSES.stream()
          .flatMap(name -> Arrays.stream(type(name).getDeclaredMethods()))
          .filter(method -> method.isAnnotationPresent(Kernel.class))
          .sorted(Comparator.comparing(Method::toString))
          .toList();

  /** Those kernels that are compiled and call others, and the classes that they call. */
  private final List<Method> callers = new ArrayList<>();

  private final List<List<Map.Entry<String, byte[]>>> libraries = new ArrayList<>();

  MutatedClassFilesTest() {
    for (Method kernel : kernels) {
      try {
        KernelSource source = source(kernel, MutatedClassFilesTest.class.getClassLoader());
        CompiledKernel compiled = KernelCompiler.compile(source, new KernelTarget(90));
        List<Map.Entry<String, byte[]>> called = called(compiled, name(kernel));
        if (!called.isEmpty()) {
          callers.add(kernel);
          libraries.add(called);
        }
      } catch (KernelRefusedException _) {
        // One of those that are there to be refused.
      }
    }
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static byte[] bytes(Class<?> type) {
    String name = type.getName().replace('.', '/') + ".class";
    try (InputStream in = type.getClassLoader().getResourceAsStream(name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Gives a class file in place of another one. */
  private static final class Loader extends ClassLoader {
    private final String name;
    private final byte[] file;

    Loader(String name, byte[] file) {
      super(MutatedClassFilesTest.class.getClassLoader());
      this.name = name;
      this.file = file;
    }

    @Override
    public InputStream getResourceAsStream(String resource) {
      return resource.equals(name)
          ? new ByteArrayInputStream(file)
          : super.getResourceAsStream(resource);
    }
  }

  private Method kernel(long seed) {
    return kernels.get(new SplittableRandom(seed).nextInt(kernels.size()));
  }

  /** The kernel's class with faults: anywhere, or in the kernel's own instructions. */
  private byte[] kernelClass(long seed) {
    Method kernel = kernel(seed);
    byte[] right = bytes(kernel.getDeclaringClass());
    SplittableRandom random = new SplittableRandom(~seed);
    return random.nextBoolean() ? Mutations.of(right, seed) : inCode(right, kernel, random);
  }

  private static byte[] inCode(byte[] right, Method kernel, SplittableRandom random) {
    ClassModel model = ClassFile.of().parse(right);
    MethodModel method =
        model.methods().stream()
            .filter(it -> it.methodName().equalsString(kernel.getName()))
            .findFirst()
            .orElseThrow();
    byte[] code = ((CodeAttribute) method.code().orElseThrow()).codeArray();
    int from = find(right, code);
    byte[] file = right.clone();
    int times = 1 + random.nextInt(2);
    for (int i = 0; i < times; i++) {
      int at = from + random.nextInt(code.length);
      // Most opcodes, constants, indices and distances are small numbers.
      file[at] =
          switch (random.nextInt(3)) {
            case 0 -> (byte) random.nextInt(INTERESTING);
            case 1 -> (byte) random.nextInt();
            default -> (byte) (file[at] + random.nextInt(9) - 4);
          };
    }
    return file;
  }

  private static int find(byte[] in, byte[] what) {
    int at = 0;
    while (!Arrays.equals(in, at, at + what.length, what, 0, what.length)) {
      at++;
    }
    return at;
  }

  /** The kernel's class with faults that a JVM does not see. */
  private byte[] takenByAJvm(long seed) {
    Method kernel = kernel(seed);
    byte[] right = bytes(kernel.getDeclaringClass());
    SplittableRandom random = new SplittableRandom(~seed);
    byte[] file = right;
    for (int i = 0; i < ATTEMPTS && Arrays.equals(file, right); i++) {
      byte[] next = inCode(right, kernel, random);
      file = isTakenByAJvm(next) ? next : right;
    }
    return file;
  }

  private static boolean isTakenByAJvm(byte[] file) {
    try {
      // The verifier never ends with a switch that goes on behind its method.
      return CutInstructions.find(ClassFile.of().parse(file)).isEmpty()
          && ClassFile.of().verify(file).isEmpty();
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** A class that the kernel calls, with faults. */
  private byte[] libraryClass(long seed) {
    return Mutations.of(rightLibrary(seed).getValue(), seed);
  }

  private Map.Entry<String, byte[]> rightLibrary(long seed) {
    List<Map.Entry<String, byte[]>> called = libraries.get((int) (seed % libraries.size()));
    return called.get(new SplittableRandom(seed).nextInt(called.size()));
  }

  /** Of each kernel that is compiled, the classes that it calls, with the kernel itself first. */
  private static List<Map.Entry<String, byte[]>> called(CompiledKernel kernel, String owner) {
    return kernel.classes().entrySet().stream()
        .filter(file -> !file.getKey().startsWith("java/") && !file.getKey().equals(owner))
        .toList();
  }

  private static KernelSource source(Method kernel, ClassLoader loader) {
    Map<Integer, Object> constants = new HashMap<>();
    Parameter[] parameters = kernel.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class)) {
        constants.put(i, constant(parameters[i].getType()));
      }
    }
    return new KernelSource(
        loader,
        name(kernel),
        kernel.getName(),
        MethodType.methodType(kernel.getReturnType(), kernel.getParameterTypes())
            .toMethodDescriptorString(),
        constants,
        true);
  }

  private static String name(Method kernel) {
    return kernel.getDeclaringClass().getName().replace('.', '/');
  }

  private static Object constant(Class<?> type) {
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    return type == boolean.class ? (Object) true : type == long.class ? (Object) 4L : (Object) 4;
  }

  private boolean compiles(Method kernel, String mutated, byte[] file) {
    KernelSource source = source(kernel, new Loader(mutated + ".class", file));
    try {
      assertThat(KernelCompiler.inspect(source, new KernelTarget(90), (_, _) -> {}).kernel())
          .isNotNull();
      return true;
    } catch (KernelRefusedException e) {
      if (e.reason().startsWith(KernelCompiler.OWN_FAULT)) {
        throw e;
      }
      assertThat(e).hasMessageStartingWith(e.file() + ":" + e.line() + ": ");
      return false;
    }
  }

  @Test
  void aKernelsClassFileWithFaultsIsCompiledOrRefused() {
    Mutations.each(
        "class files of kernels",
        FILES,
        this::kernelClass,
        (file, seed) -> compiles(kernel(seed), name(kernel(seed)), file));
  }

  @Test
  void aKernelsClassFileWithFaultsThatAJvmTakesIsCompiledOrRefused() {
    Mutations.each(
        "class files of kernels that a JVM takes",
        FILES_FOR_A_JVM,
        this::takenByAJvm,
        (file, seed) -> compiles(kernel(seed), name(kernel(seed)), file));
  }

  @Test
  void aClassFileWithFaultsThatAKernelCallsIsCompiledOrRefused() {
    Mutations.each(
        "class files that kernels call",
        FILES,
        this::libraryClass,
        (file, seed) ->
            compiles(
                callers.get((int) (seed % callers.size())), rightLibrary(seed).getKey(), file));
  }
}
