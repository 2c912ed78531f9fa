package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.FuzzedKernel.Mistake;
import dev.stretto.compiler.KernelTree.Kernel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Kernels that were made up at random. What each computes on the JVM the compiler's graph of it has
 * to compute as well, when it was read and after every pass.
 *
 * <p>{@code -Dstretto.fuzz.kernels=20000} runs that many, {@code -Dstretto.fuzz.seed=7} runs the
 * one with that seed, or begins there if both are given. One in eight is also compiled for the JVM
 * and run in steps; {@code -Dstretto.fuzz.stepped=1} does so with all.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES) // as many kernels as one likes
class DifferentialFuzzTest {
  private static final Optional<Long> SEED = Optional.ofNullable(Long.getLong("stretto.fuzz.seed"));
  private static final int KERNELS =
      Integer.getInteger("stretto.fuzz.kernels", SEED.isPresent() ? 1 : 400);

  /** How many kernels there are to one that is assembled. */
  private static final int ASSEMBLED = 50;

  /** How many kernels there are to one that may stop before its end. */
  private static final int RECKLESS = 4;

  /** How many mistakes are shown; one fault of the compiler shows in many kernels. */
  private static final int SHOWN = 3;

  private static final int SHRINKING = 2_000;

  private static LongStream seeds() {
    long first = SEED.orElse(1L);
    return LongStream.range(first, first + KERNELS);
  }

  /** Which kernels are made. */
  private enum Kernels {
    /** Those that go through; half of them check their indices and divisors. */
    CAREFUL,
    /** Those that may not; all of them check. */
    RECKLESS;

    Kernel generate(long seed) {
      return this == CAREFUL
          ? KernelGenerator.generate(seed)
          : KernelGenerator.generateReckless(seed);
    }

    FuzzedKernel fuzzed(Kernel kernel, long seed) {
      return new FuzzedKernel(kernel, seed, this == RECKLESS || seed % 2 == 0);
    }

    FuzzedKernel fuzzed(long seed) {
      return fuzzed(generate(seed), seed);
    }
  }

  @Test
  void afterEveryPassAKernelComputesWhatJavaComputes() {
    compare(Kernels.CAREFUL, seeds());
  }

  @Test
  void aKernelStopsWhereJavaThrows() {
    compare(Kernels.RECKLESS, seeds().filter(seed -> seed % RECKLESS == 0 || KERNELS == 1));
  }

  private static void compare(Kernels kernels, LongStream seeds) {
    Map<Long, Mistake> mistakes = new ConcurrentSkipListMap<>();
    seeds
        .parallel()
        .filter(seed -> mistakes.size() < SHOWN)
        .forEach(
            seed -> kernels.fuzzed(seed).check().ifPresent(mistake -> mistakes.put(seed, mistake)));
    List<String> reports = new ArrayList<>();
    mistakes.forEach((seed, mistake) -> reports.add(report(kernels, seed, mistake)));
    assertThat(reports).as("kernels that the compiler has wrong").isEmpty();
  }

  private static String report(Kernels kernels, long seed, Mistake mistake) {
    Kernel small =
        KernelShrinker.shrink(
            kernels.generate(seed),
            kernel -> kernels.fuzzed(kernel, seed).check().filter(mistake::isLike).isPresent(),
            SHRINKING);
    FuzzedKernel fuzzed = kernels.fuzzed(small, seed);
    Mistake now = fuzzed.check().orElse(mistake);
    return "-Dstretto.fuzz.seed=%d: %s%n%s%n%s%n%s"
        .formatted(seed, now.stage(), now.what(), fuzzed, KernelText.of(small));
  }

  @ParameterizedTest(name = "{1}")
  @CsvSource({"80, sm_80", "90, sm_90", "90, sm_90a"})
  void theAssemblerTakesThem(int sm, String architecture, @TempDir Path folder)
      throws IOException, InterruptedException {
    Optional<Ptxas> ptxas = Ptxas.find();
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    List<String> texts =
        seeds()
            .filter(seed -> seed % ASSEMBLED == 0 || KERNELS == 1)
            .mapToObj(
                seed -> Kernels.CAREFUL.fuzzed(seed).compile(new KernelTarget(sm)).ptx().text())
            .toList();
    assertThat(ptxas.get().complaints(Ptxas.together(texts), architecture, folder)).isEmpty();
  }
}
