package dev.stretto.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.compiler.KernelCompiler;
import dev.stretto.compiler.KernelSource;
import dev.stretto.compiler.KernelTarget;
import dev.stretto.compiler.lint.Lint;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What `stretto explain` says of the examples' kernels: that nothing is wrong with their copies.
 */
class KernelLintsTest {
  /**
   * Those that show what a virtual device says of a missing wait, and what the compiler refuses.
   */
  private static final Set<String> WRONG = Set.of("readsTooEarly", "refused");

  private static final int STAGES = 4;

  private static List<Method> kernels() throws IOException, URISyntaxException {
    Path classes =
        Path.of(Kernels.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path folder = classes.resolve(Kernels.class.getPackageName().replace('.', '/'));
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("Example\\w+\\.class"))
          .map(name -> "dev.stretto.examples." + name.substring(0, name.length() - 6))
          .flatMap(name -> Arrays.stream(load(name).getDeclaredMethods()))
          .filter(method -> method.isAnnotationPresent(Kernel.class))
          .filter(method -> !WRONG.contains(method.getName()))
          .toList();
    }
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, KernelLintsTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  private static List<Lint> lints(Method kernel, int sm) {
    Map<Integer, Object> constants = new HashMap<>();
    Parameter[] parameters = kernel.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class)) {
        constants.put(i, parameters[i].getType() == boolean.class ? (Object) true : STAGES);
      }
    }
    return KernelCompiler.inspect(
            new KernelSource(
                KernelLintsTest.class.getClassLoader(),
                kernel.getDeclaringClass().getName().replace('.', '/'),
                kernel.getName(),
                MethodType.methodType(kernel.getReturnType(), kernel.getParameterTypes())
                    .toMethodDescriptorString(),
                constants,
                false),
            new KernelTarget(sm),
            (_, _) -> {})
        .lints();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aKernelOfTheExamplesGetsNoLint(Method kernel) {
    assertThat(lints(kernel, 90)).isEmpty();
    try {
      assertThat(lints(kernel, 80)).isEmpty();
    } catch (KernelRefusedException e) {
      assertThat(e).hasMessageContaining("needs compute capability 9.0");
    }
  }

  @Test
  void thereAreSuchKernels() throws IOException, URISyntaxException {
    assertThat(kernels()).hasSizeGreaterThan(20);
  }
}
