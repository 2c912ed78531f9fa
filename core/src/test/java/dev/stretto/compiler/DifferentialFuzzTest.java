package dev.stretto.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.stretto.compiler.FuzzedKernel.Mistake;
import dev.stretto.compiler.KernelTree.Kernel;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
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
 * one with that seed, or begins there if both are given.
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

  /** Assembled as one file, since most of the time goes into starting the assembler. */
  @ParameterizedTest(name = "{1}")
  @CsvSource({"80, sm_80", "90, sm_90", "90, sm_90a"})
  void theAssemblerTakesThem(int sm, String architecture, @TempDir Path folder)
      throws IOException, InterruptedException {
    Optional<Path> ptxas = onThePath("ptxas");
    assumeTrue(ptxas.isPresent(), "there is no ptxas on the PATH");
    StringBuilder all = new StringBuilder();
    seeds()
        .filter(seed -> seed % ASSEMBLED == 0 || KERNELS == 1)
        .forEach(
            seed -> {
              FuzzedKernel kernel = Kernels.CAREFUL.fuzzed(seed);
              String text = kernel.compile(new KernelTarget(sm)).ptx().text();
              all.append(all.isEmpty() ? text : withoutHeader(text));
            });
    Path source = folder.resolve("kernels.ptx");
    Files.writeString(source, all);
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                ptxas.get().toString(),
                "--gpu-name=" + architecture,
                "--output-file=" + folder.resolve("kernels.cubin"),
                source.toString())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    int status = process.waitFor();
    assertThat(status).as(() -> explained(log, source)).isZero();
  }

  private static String withoutHeader(String ptx) {
    return ptx.lines()
        .filter(
            line ->
                !line.startsWith(".version")
                    && !line.startsWith(".target")
                    && !line.startsWith(".address_size"))
        .reduce(
            new StringBuilder(),
            (text, line) -> text.append(line).append('\n'),
            StringBuilder::append)
        .toString();
  }

  /** What the assembler says, with the lines that it speaks of. */
  private static String explained(Path log, Path source) {
    try {
      List<String> lines = Files.readAllLines(source);
      StringBuilder text = new StringBuilder();
      for (String said : Files.readAllLines(log)) {
        text.append(said).append('\n');
        java.util.regex.Matcher line = java.util.regex.Pattern.compile("line (\\d+)").matcher(said);
        if (line.find()) {
          int number = Integer.parseInt(line.group(1));
          text.append("    ").append(lines.get(Math.clamp(number - 1, 0, lines.size() - 1)));
          text.append("    of ").append(entryBefore(lines, number)).append('\n');
        }
      }
      return text.toString();
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static String entryBefore(List<String> lines, int number) {
    return lines.subList(0, Math.min(number, lines.size())).reversed().stream()
        .filter(line -> line.contains(".entry"))
        .findFirst()
        .orElse("no kernel");
  }

  private static Optional<Path> onThePath(String program) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return List.of(path.split(File.pathSeparator, -1)).stream()
        .filter(folder -> !folder.isEmpty())
        .map(folder -> Path.of(folder, program))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
