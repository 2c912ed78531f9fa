package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.bench.options.Options;
import java.io.PrintStream;
import java.util.List;

/** Arrays on the heap, in chunks of several sizes on several streams, and by flows. */
final class ArrayBenchmarks {
  private static final long MIB = 1 << 20;

  private ArrayBenchmarks() {}

  /**
   * Runs them.
   *
   * @param arguments {@code [--device NAME] [--bytes N] [--rounds N]}
   * @param out receives the lines
   * @throws IllegalArgumentException if there is no such option
   */
  static void run(List<String> arguments, PrintStream out) {
    Options options = Options.of(arguments, "--device", "--bytes", "--rounds").withoutWords();
    String name = options.text("--device", "cuda:0");
    long bytes = options.number("--bytes", 1024 * MIB);
    int rounds = options.count("--rounds", 5);
    try (Device device = Device.open(name);
        ArrayRates rates = new ArrayRates(device, new Report(out), bytes, rounds)) {
      rates.whole();
      for (long chunk = MIB; chunk <= Math.min(16 * MIB, bytes); chunk *= 2) {
        for (int streams = 1; streams <= 16; streams *= 2) {
          rates.chunks(chunk, streams);
        }
      }
      for (long size : new long[] {4 << 10, MIB, 16 * MIB, 128 * MIB}) {
        if (size < bytes) {
          rates.flows(size, 1);
        }
      }
      for (int flows = 1; flows <= 8; flows *= 2) {
        rates.flows(bytes, flows);
      }
    }
  }
}
