package dev.stretto.bench.file;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** Rates that were measured in turns, each several times. */
final class Table {
  private final Map<String, double[]> rates = new LinkedHashMap<>();
  private final int rounds;

  Table(int rounds) {
    this.rounds = rounds;
  }

  void note(int round, String what, double rate) {
    rates.computeIfAbsent(what, _ -> new double[rounds])[round] = rate;
  }

  double median(String what) {
    return sorted(what)[rounds / 2];
  }

  private double[] sorted(String what) {
    double[] sorted = Objects.requireNonNull(rates.get(what), what).clone();
    Arrays.sort(sorted);
    return sorted;
  }

  /** Prints all rates, and what part they are of one of them. */
  void print(PrintStream out, String limit) {
    out.println("| what | GB/s, median | slowest | fastest | of " + limit + " |");
    out.println("|---|--:|--:|--:|--:|");
    rates.forEach(
        (what, each) ->
            out.printf(
                Locale.ROOT,
                "| %s | %.2f | %.2f | %.2f | %.2f |%n",
                what,
                median(what),
                sorted(what)[0],
                sorted(what)[rounds - 1],
                median(what) / median(limit)));
    out.println();
  }
}
