package dev.stretto.bench.file;

import dev.stretto.flow.Flow;
import dev.stretto.flow.Source;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Flows from a file in the page cache into a sum: of little and of much, one and several at once,
 * in chunks of several sizes. One size hides what others show.
 */
final class SweepRate {
  private static final int ROUNDS = 5;
  private static final long LEAST = 1 << 20;
  private static final int STEP = 8;
  private static final int[] AT_ONCE = {1, 2, 4, 8};
  private static final long[] CHUNKS = {0, 1 << 20, 4 << 20, 16 << 20, 64 << 20, 256 << 20};

  private final FileFlows flows;
  private final Path file;
  private final long bytes;
  private final PrintStream out;

  SweepRate(FileFlows flows, Path file, long bytes, PrintStream out) {
    this.flows = flows;
    this.file = file;
    this.bytes = bytes;
    this.out = out;
  }

  void run() {
    double _ = rate(flows, bytes, 1);
    out.printf(
        Locale.ROOT,
        "%s, GB/s of all flows together, medians of %d; the link: %.1f%n%n",
        flows.device(),
        ROUNDS,
        HotRate.link(flows.device()));
    out.println("| each flow has | 1 flow | 2 at once | 4 at once | 8 at once |");
    out.println("|--:|--:|--:|--:|--:|");
    for (long size : sizes()) {
      StringBuilder row = new StringBuilder("| %d MiB |".formatted(size >> 20));
      for (int count : AT_ONCE) {
        row.append(String.format(Locale.ROOT, " %.1f |", median(flows, size, count)));
      }
      out.println(row);
    }
    out.println();
    out.println("| chunks of | 1 flow of %d MiB |".formatted(bytes >> 20));
    out.println("|--:|--:|");
    for (long chunk : CHUNKS) {
      String name = chunk == 0 ? "what the flow chooses" : (chunk >> 20) + " MiB";
      FileFlows sized = new FileFlows(flows.device(), chunk, flows.depth());
      out.printf(Locale.ROOT, "| %s | %.1f |%n", name, median(sized, bytes, 1));
    }
    out.println();
  }

  private List<Long> sizes() {
    List<Long> sizes = new ArrayList<>();
    for (long size = LEAST; size < bytes; size *= STEP) {
      sizes.add(size);
    }
    sizes.add(bytes);
    return sizes;
  }

  private double median(FileFlows sized, long size, int count) {
    double[] rates = new double[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      rates[i] = rate(sized, size, count);
    }
    Arrays.sort(rates);
    return rates[ROUNDS / 2];
  }

  private double rate(FileFlows sized, long size, int count) {
    long begin = System.nanoTime();
    try (Arena arena = Arena.ofShared()) {
      Flow[] running = new Flow[count];
      for (int i = 0; i < count; i++) {
        Source source = Source.file(file, bytes - size);
        running[i] = sized.startSum(source, _ -> {}, arena.allocate(Long.BYTES));
      }
      for (Flow flow : running) {
        flow.await();
      }
    }
    return count * size / (double) (System.nanoTime() - begin);
  }
}
