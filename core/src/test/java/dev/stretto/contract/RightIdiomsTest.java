package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.stretto.kernel.Kernel;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Of right kernels nothing is told, in whichever way they run and whichever thread goes first. */
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class RightIdiomsTest {
  private static final int SEEDS = 5;

  private static List<Method> kernels() {
    return java.util.stream.Stream.of(RightIdioms.class, RightRoles.class)
        .flatMap(owner -> Arrays.stream(owner.getDeclaredMethods()))
        .filter(method -> method.isAnnotationPresent(Kernel.class))
        .sorted(Comparator.comparing(Method::getName))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("kernels")
  void nothingIsTold(Method kernel) {
    for (String way : List.of("compiled", "java")) {
      for (int seed = 0; seed <= SEEDS; seed++) {
        String device = seed == 0 ? "virtual" : "virtual:h200,seed=" + seed;
        assertThat(
                catchThrowable(
                    () ->
                        RacingKernelsTest.run(
                            device,
                            way,
                            RacingKernelsTest.grid(kernel.getAnnotation(Launched.class)),
                            kernel)))
            .as("%s on %s", way, device)
            .isNull();
      }
    }
  }
}
