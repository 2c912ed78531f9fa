package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.bench.options.Options;
import dev.stretto.settings.Settings;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Asynchronous work compared with C++, under the names that {@code bench/cpp/async.cu} uses for the
 * same jobs: one or two lines for each.
 */
final class AsyncBenchmarks {
  private static final Map<String, Consumer<AsyncBench>> BENCHES = new LinkedHashMap<>();

  static {
    BENCHES.put("allocate-free-4k", b -> AsyncJobs.allocateAndFree(b, "allocate-free-4k", 4096));
    BENCHES.put(
        "allocate-free-16m", b -> AsyncJobs.allocateAndFree(b, "allocate-free-16m", 16 << 20));
    BENCHES.put("allocate-use-free", AsyncJobs::allocateUseAndFree);
    BENCHES.put("graph-chain", b -> AsyncJobs.kernels(b, "graph-chain", true));
    BENCHES.put("graph-wide", b -> AsyncJobs.kernels(b, "graph-wide", false));
    BENCHES.put("graph-chain-copies", b -> AsyncJobs.copies(b, "graph-chain-copies", true));
    BENCHES.put("graph-wide-copies", b -> AsyncJobs.copies(b, "graph-wide-copies", false));
    BENCHES.put("await-event", AsyncJobs::awaitEvent);
    BENCHES.put(
        "await-event-100us",
        b -> AsyncJobs.awaitEvent(b, "await-event-100us", 100_000, b.size().samples()));
    BENCHES.put(
        "await-event-10ms",
        b ->
            AsyncJobs.awaitEvent(
                b, "await-event-10ms", b.size().longNanos(), b.size().longSamples()));
    BENCHES.put("copy-all", AsyncJobs::copyAll);
  }

  private AsyncBenchmarks() {}

  /**
   * Runs benchmarks.
   *
   * @param arguments {@code [--device NAME] [--size full|small] [BENCH…]}; all benchmarks by
   *     default
   * @param out receives the lines
   * @throws IllegalArgumentException if there is no such option, size or benchmark
   */
  static void run(List<String> arguments, PrintStream out) {
    Options options = Options.of(arguments, "--device", "--size");
    AsyncSize size = AsyncSize.named(options.text("--size", "full"));
    List<String> words = options.words();
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), "false");
    try (Device device = Device.open(options.text("--device", "cuda:0"))) {
      AsyncBench bench = new AsyncBench(device, size, new Report(out));
      for (String word : words.isEmpty() ? List.copyOf(BENCHES.keySet()) : words) {
        Consumer<AsyncBench> job = BENCHES.get(word);
        if (job == null) {
          throw new IllegalArgumentException(
              "no such benchmark: " + word + "; there are " + BENCHES.keySet());
        }
        job.accept(bench);
      }
    }
  }
}
