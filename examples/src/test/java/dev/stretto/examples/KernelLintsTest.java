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

/**
 * What `stretto explain` says of the examples' kernels: that nothing is wrong with their copies.
 */
class KernelLintsTest {
  /**
   * Those that show what a virtual device says of a missing wait, and what the compiler refuses.
   */
  private static final Set<String> WRONG = Set.of("throwing", "readsTooEarly", "refused", "weigh");

  /** What parameters are that have to be constants. */
  private static final int[] NUMBERS = {0, 4, 128};

  private static final int[] ANY_NUMBER = {0};

  /** How many of the numbers that a kernel can do with are tried on each target. */
  private static final int ENOUGH = Boolean.getBoolean("stretto.thorough") ? NUMBERS.length : 1;

  /** How many targets and numbers are tried. */
  private static final int MOST = Boolean.getBoolean("stretto.thorough") ? Integer.MAX_VALUE : 2;

  static int[] numbers(Method kernel) {
    boolean constant =
        Arrays.stream(kernel.getParameters())
            .anyMatch(parameter -> parameter.isAnnotationPresent(Const.class));
    return constant ? NUMBERS : ANY_NUMBER;
  }

  static List<Method> kernels() throws IOException, URISyntaxException {
    List<Method> kernels = new ArrayList<>();
    for (Class<?> place : List.of(Kernels.class, KernelLintsTest.class)) {
      Path classes = Path.of(place.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (Stream<Path> files = Files.walk(classes)) {
        files
            .map(file -> classes.relativize(file).toString().replace('/', '.'))
            .filter(name -> name.startsWith("dev.stretto.examples.") && name.endsWith(".class"))
            .map(name -> name.substring(0, name.length() - ".class".length()))
            .flatMap(name -> Arrays.stream(load(name).getDeclaredMethods()))
            .filter(method -> method.isAnnotationPresent(Kernel.class))
            .filter(method -> !WRONG.contains(method.getName()))
            .forEach(kernels::add);
      }
    }
    return kernels;
  }

  private static Class<?> load(String name) {
    try {
      return Class.forName(name, false, KernelLintsTest.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new AssertionError(e);
    }
  }

  /** {@return a kernel whose constants are all one number, or true} */
  static KernelSource source(Method kernel, int number) {
    Map<Integer, Object> constants = new HashMap<>();
    Parameter[] parameters = kernel.getParameters();
    for (int i = 0; i < parameters.length; i++) {
      if (parameters[i].isAnnotationPresent(Const.class)) {
        constants.put(i, parameters[i].getType() == boolean.class ? (Object) true : number);
      }
    }
    return new KernelSource(
        KernelLintsTest.class.getClassLoader(),
        kernel.getDeclaringClass().getName().replace('.', '/'),
        kernel.getName(),
        MethodType.methodType(kernel.getReturnType(), kernel.getParameterTypes())
            .toMethodDescriptorString(),
        constants,
        false);
  }

  private static List<Lint> lints(Method kernel, KernelTarget target, int number) {
    return KernelCompiler.inspect(source(kernel, number), target, (_, _) -> {}).lints();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void aKernelOfTheExamplesGetsNoLint(Method kernel) {
    Set<String> refusals = new TreeSet<>();
    int compiled = 0;
    // An ordinary build takes another few targets for each kernel.
    List<KernelTarget> targets = new ArrayList<>(KernelTarget.all());
    Collections.rotate(targets, kernel.getName().hashCode());
    for (KernelTarget target : targets) {
      int enough = Math.min(MOST, compiled + ENOUGH);
      for (int number : numbers(kernel)) {
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

  @Test
  void thereAreSuchKernels() throws IOException, URISyntaxException {
    assertThat(kernels()).hasSizeGreaterThan(40);
  }
}
