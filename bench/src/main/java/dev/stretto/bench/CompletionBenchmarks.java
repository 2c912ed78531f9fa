package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.bench.options.Options;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;

/** Benchmarks of how completions are reported when very many threads wait. */
final class CompletionBenchmarks {
  /** Rounds that are not reported: it takes some 100,000 wake-ups until waking a thread is fast. */
  private static final int WARM_UPS = 12;

  private static final Set<String> NAMES =
      Set.of("many-threads", "many-arrays", "completion-latency", "await-lateness");

  private CompletionBenchmarks() {}

  /** Whether a name is one of these benchmarks. */
  static boolean has(String name) {
    return NAMES.contains(name);
  }

  /**
   * Runs benchmarks.
   *
   * @param arguments {@code [--device NAME] [--threads N] [--rounds N] [--warm-ups N] [--streams N]
   *     [--spacing NANOSECONDS] [--longest MILLISECONDS] BENCH…}; by default {@code cuda:0},
   *     200,000, 20,000 and 10,000 threads, and 3 rounds. Warm-ups, streams and spacing belong to
   *     {@code completion-latency}, and default to 12, 16 and 50,000; the longest work to {@code
   *     await-lateness}, by default 10,000
   * @param out receives a line for each round
   * @return how many rounds failed: a wrong result, a pinned carrier, memory that grew, or too few
   *     latencies that count
   * @throws IllegalArgumentException if there is no such option
   */
  static int run(List<String> arguments, PrintStream out) {
    Options options =
        Options.of(
            arguments,
            "--device",
            "--threads",
            "--rounds",
            "--warm-ups",
            "--streams",
            "--spacing",
            "--longest");
    String name = options.text("--device", "cuda:0");
    int threads = options.count("--threads", 0);
    int rounds = options.count("--rounds", 3);
    int warmUps = options.count("--warm-ups", WARM_UPS);
    int streams = options.count("--streams", 16);
    long spacing = options.number("--spacing", 50_000);
    long longest = options.number("--longest", 10_000);
    int failed = 0;
    Report report = new Report(out);
    for (String bench : options.words()) {
      try (Device device = Device.open(name)) {
        boolean good =
            switch (bench) {
              case "many-threads" ->
                  new ManyThreads(device, report, threads == 0 ? 200_000 : threads, rounds).run();
              case "many-arrays" ->
                  new ManyArrays(device, report, threads == 0 ? 20_000 : threads, rounds).run();
              case "completion-latency" ->
                  new CompletionLatency(
                          device, report, threads == 0 ? 10_000 : threads, streams, spacing)
                      .run(warmUps, rounds);
              case "await-lateness" -> {
                new AwaitLateness(device, report).run(longest);
                yield true;
              }
              default -> throw new IllegalArgumentException("no such benchmark: " + bench);
            };
        failed += good ? 0 : 1;
      }
    }
    return failed;
  }
}
