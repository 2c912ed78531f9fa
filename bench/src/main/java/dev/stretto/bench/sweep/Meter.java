package dev.stretto.bench.sweep;

import java.io.PrintStream;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Measures and prints. A figure is the median of samples that follow each other for {@code
 * rowNanos}, three at least. Before that the samples are repeated until the shortest of them has
 * not become shorter for a while: {@code warmNanos} for the first row of a kind of a way, whose
 * code the JIT still compiles, and a fraction of it later.
 */
final class Meter {
  private static final int LEAST_SAMPLES = 3;
  private static final int MOST_SAMPLES = 2000;
  private static final int LATER = 16;
  private static final int LONGEST = 6;
  private static final double SHORTER = 0.98;

  private final PrintStream out;
  private final long rowNanos;
  private final long warmNanos;
  private final Set<String> warm = new HashSet<>();
  private final long[] nanos = new long[MOST_SAMPLES];

  Meter(PrintStream out, long rowNanos, long warmNanos) {
    this.out = out;
    this.rowNanos = rowNanos;
    this.warmNanos = warmNanos;
  }

  /**
   * The rate of many operations, from the first call until all of them are done: in GB/s, or in
   * millions of operations a second if they have no bytes.
   *
   * @param cell what the rate belongs to
   * @param operations of a sample
   * @param bytes that an operation moves, or 0
   * @param sample enqueues and awaits the operations
   */
  void rate(Cell cell, int operations, long bytes, Runnable sample) {
    double each = median(cell, "rate", timed(sample)) / operations;
    if (bytes == 0) {
      print(cell, "rate", 1e3 / each, "Mop/s", operations);
    } else {
      print(cell, "rate", bytes / each, "GB/s", operations);
    }
  }

  /** The time from the call of an operation until the thread that has awaited it continues. */
  void time(Cell cell, Runnable operation) {
    timed(cell, timed(operation));
  }

  /** The time that an operation itself measures, in nanoseconds. */
  void timed(Cell cell, LongSupplier operation) {
    print(cell, "time", median(cell, "time", operation) * 1e-3, "us", 1);
  }

  /**
   * The time that a call takes, in batches that do not fill the driver's queue.
   *
   * @param cell what the cost belongs to
   * @param operations of a batch
   * @param batch calls them
   * @param drain awaits them, outside of the measured time
   */
  void cost(Cell cell, int operations, Runnable batch, Runnable drain) {
    LongSupplier timed = timed(batch);
    double each =
        median(
                cell,
                "cost",
                () -> {
                  long took = timed.getAsLong();
                  drain.run();
                  return took;
                })
            / operations;
    print(cell, "cost", each * 1e-3, "us", operations);
  }

  void skipped(String way, String reason) {
    line("{\"way\":\"%s\",\"skipped\":\"%s\"}".formatted(way, reason));
  }

  void failed(String way, Throwable failure) {
    String reason = failure.toString().replaceAll("[\\p{Cntrl}\"\\\\]", " ");
    line("{\"way\":\"%s\",\"error\":\"%s\"}".formatted(way, reason));
  }

  private static LongSupplier timed(Runnable work) {
    return () -> {
      long begin = System.nanoTime();
      work.run();
      return System.nanoTime() - begin;
    };
  }

  private double median(Cell cell, String kind, LongSupplier sample) {
    settle(sample, warm.add(kind + cell.way()) ? warmNanos : warmNanos / LATER);
    long begin = System.nanoTime();
    int count = 0;
    do {
      nanos[count++] = sample.getAsLong();
    } while (count < LEAST_SAMPLES
        || (count < MOST_SAMPLES && System.nanoTime() - begin < rowNanos));
    Arrays.sort(nanos, 0, count);
    return (nanos[(count - 1) / 2] + nanos[count / 2]) / 2.0;
  }

  private static void settle(LongSupplier sample, long quietNanos) {
    long begin = System.nanoTime();
    long since = begin;
    double shortest = Double.MAX_VALUE;
    long now;
    do {
      double took = sample.getAsLong();
      now = System.nanoTime();
      if (took < shortest * SHORTER) {
        shortest = took;
        since = now;
      }
    } while (now - since < quietNanos && now - begin < LONGEST * quietNanos);
  }

  private void print(Cell cell, String kind, double value, String unit, int operations) {
    line(
        String.format(
            Locale.ROOT,
            "{\"way\":\"%s\",\"size\":%d,\"streams\":%d,\"threads\":%d,\"kind\":\"%s\","
                + "\"value\":%.6g,\"unit\":\"%s\",\"operations\":%d}",
            cell.way(),
            cell.size(),
            cell.streams(),
            cell.threads(),
            kind,
            value,
            unit,
            operations));
  }

  private void line(String line) {
    out.println(line);
    out.flush();
  }
}
