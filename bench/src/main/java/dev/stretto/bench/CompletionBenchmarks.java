package dev.stretto.bench;

import dev.stretto.Device;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Benchmarks of how completions are reported when very many threads wait. */
final class CompletionBenchmarks {
  /** Rounds that are not reported: it takes some 100,000 wake-ups until waking a thread is fast. */
  private static final int WARM_UPS = 12;

  private static final Set<String> NAMES = Set.of("many-threads", "completion-latency");

  private CompletionBenchmarks() {}

  /** Whether a name is one of these benchmarks. */
  static boolean has(String name) {
    return NAMES.contains(name);
  }

  /**
   * Runs benchmarks.
   *
   * @param arguments {@code [--device NAME] [--threads N] [--rounds N] [--warm-ups N] [--streams N]
   *     [--spacing NANOSECONDS] BENCH…}; by default {@code cuda:0}, 200,000 and 10,000 threads, and
   *     3 rounds. The last three options belong to {@code completion-latency}, and default to 12,
   *     16 and 50,000
   * @param out receives a line for each round
   * @return how many rounds failed: a wrong result, a pinned carrier, memory that grew, or too few
   *     latencies that count
   * @throws IllegalArgumentException if there is no such option
   */
  static int run(List<String> arguments, PrintStream out) {
    String name = "cuda:0";
    int threads = 0;
    int rounds = 3;
    int warmUps = WARM_UPS;
    int streams = 16;
    long spacing = 50_000;
    List<String> words = new ArrayList<>(arguments);
    while (!words.isEmpty() && words.getFirst().startsWith("--")) {
      String option = words.removeFirst();
      if (words.isEmpty()) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      String value = words.removeFirst();
      switch (option) {
        case "--device" -> name = value;
        case "--threads" -> threads = Integer.parseInt(value);
        case "--rounds" -> rounds = Integer.parseInt(value);
        case "--warm-ups" -> warmUps = Integer.parseInt(value);
        case "--streams" -> streams = Integer.parseInt(value);
        case "--spacing" -> spacing = Long.parseLong(value);
        default -> throw new IllegalArgumentException("no such option: " + option);
      }
    }
    int failed = 0;
    Report report = new Report(out);
    for (String bench : words) {
      try (Device device = Device.open(name)) {
        boolean good =
            switch (bench) {
              case "many-threads" ->
                  new ManyThreads(device, report, threads == 0 ? 200_000 : threads, rounds).run();
              case "completion-latency" ->
                  new CompletionLatency(
                          device, report, threads == 0 ? 10_000 : threads, streams, spacing)
                      .run(warmUps, rounds);
              default -> throw new IllegalArgumentException("no such benchmark: " + bench);
            };
        failed += good ? 0 : 1;
      }
    }
    return failed;
  }
}
