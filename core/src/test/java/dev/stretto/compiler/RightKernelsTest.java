package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Sample;
import dev.stretto.compiler.lint.Lint;
import dev.stretto.fault.KernelRefusedException;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** No kernel of the tests that is right gets a lint, on any target. */
class RightKernelsTest {
  /** Those that break a rule. */
  private static final Set<String> MARKS = Set.of("dev.stretto.contract.Breaks");

  /** Those that no target takes, whatever the numbers are. */
  private static final Set<String> REFUSED =
      Set.of(
          "takesTooMuch",
          "asksAMap",
          "oneTooMany",
          "unknown",
          "copiesToAnother",
          "ofAnotherTwice",
          "tooFar");

  /** What parameters are that have to be constants. */
  static final int[] NUMBERS = {0, 1, 2, 4, 16, 64};

  private static final int[] ANY_NUMBER = {0};

  private static boolean hasNumber(Method kernel) {
    return Arrays.stream(kernel.getParameters())
        .anyMatch(
            parameter ->
                parameter.isAnnotationPresent(Const.class)
                    && parameter.getType() != boolean.class
                    && !parameter.getType().isEnum());
  }

  /** {@return the kernels of core's tests that no rule forbids} */
  static List<Method> kernels() throws IOException, URISyntaxException {
    Path classes =
        Path.of(RightKernelsTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (Stream<Path> files = Files.walk(classes)) {
      return files
          .map(file -> classes.relativize(file).toString().replace('/', '.'))
          .filter(name -> name.startsWith("dev.stretto.") && name.endsWith(".class"))
          // What is refused gets no lint but a refusal.
          .filter(name -> !name.contains(".Refused"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .flatMap(name -> Arrays.stream(load(name).getDeclaredMethods()))
          .filter(method -> method.isAnnotationPresent(Kernel.class))
          .filter(method -> !isWrong(method) && !REFUSED.contains(method.getName()))
          .toList();
    }
  }

  private static boolean isWrong(Method method) {
    for (Annotation annotation : method.getAnnotations()) {
      if (MARKS.contains(annotation.annotationType().getName())) {
        return true;
      }
    }
    return false;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, RightKernelsTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aRightKernelGetsNoLint(Method kernel) {
    Set<String> refusals = new TreeSet<>();
    int compiled = 0;
    // An ordinary build takes another few targets for each kernel.
    List<KernelTarget> targets = new ArrayList<>(KernelTarget.all());
    Collections.rotate(targets, kernel.getName().hashCode());
    int most = Sample.of(4, Integer.MAX_VALUE);
    for (KernelTarget target : targets) {
      int enough = Math.min(most, compiled + Sample.of(2, NUMBERS.length));
      for (int number : hasNumber(kernel) ? NUMBERS : ANY_NUMBER) {
        if (compiled == enough) {
          break;
        }
        try {
          assertThat(lints(kernel, target, number)).as("%d on %s", number, target).isEmpty();
          compiled++;
        } catch (KernelRefusedException e) {
          refusals.add(e.getMessage());
        }
      }
    }
    // Not every number is one that a kernel can do with, and not every target has all.
    assertThat(compiled).as("%s", refusals).isPositive();
  }

  private static List<Lint> lints(Method kernel, KernelTarget target, int number) {
    return KernelCompiler.inspect(source(kernel, number, false), target, (_, _) -> {}).lints();
  }

  /** {@return a kernel whose constants are all one number, or true} */
  static KernelSource source(Method kernel, int number, boolean checked) {
    Map<Integer, Object> constants = new HashMap<>();
    Parameter[] parameters = kernel.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class)) {
        constants.put(i, constant(parameters[i].getType(), number));
      }
    }
    return new KernelSource(
        RightKernelsTest.class.getClassLoader(),
        kernel.getDeclaringClass().getName().replace('.', '/'),
        kernel.getName(),
        MethodType.methodType(kernel.getReturnType(), kernel.getParameterTypes())
            .toMethodDescriptorString(),
        constants,
        checked);
  }

  private static Object constant(Class<?> type, int number) {
    if (type == boolean.class) {
      return true;
    }
    return type.isEnum() ? type.getEnumConstants()[0] : number;
  }

  @Test
  void thereAreSuchKernels() throws IOException, URISyntaxException {
    assertThat(kernels()).hasSizeGreaterThan(150);
  }
}
