package dev.stretto.bench;

import dev.stretto.Device;
import java.io.PrintStream;
import java.util.ArrayList;
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
    String name = "cuda:0";
    long bytes = 1024 * MIB;
    int rounds = 5;
    List<String> words = new ArrayList<>(arguments);
    while (!words.isEmpty()) {
      String option = words.removeFirst();
      if (words.isEmpty()) {
        throw new IllegalArgumentException(option + " needs a value");
      }
      switch (option) {
        case "--device" -> name = words.removeFirst();
        case "--bytes" -> bytes = Long.parseLong(words.removeFirst());
        case "--rounds" -> rounds = Integer.parseInt(words.removeFirst());
        default -> throw new IllegalArgumentException("no such option: " + option);
      }
    }
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
