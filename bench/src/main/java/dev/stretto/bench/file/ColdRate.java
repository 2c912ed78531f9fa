package dev.stretto.bench.file;

import dev.stretto.PinnedArena;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Set;

/**
 * A file that is not in the page cache, through a flow into a sum, and the same file read by
 * threads: past the page cache, and through it.
 */
final class ColdRate {
  private static final int ROUNDS = 5;
  private static final String BEST = "the best readers";
  private static final String FLOW = "a flow into a sum";

  /** A way to read. */
  private record Way(boolean isDirect, int threads, int piece) {
    @Override
    public String toString() {
      return "%d threads%s, pieces of %d KiB"
          .formatted(threads, isDirect ? " past the page cache" : "", piece >> 10);
    }
  }

  private final FileFlows flows;
  private final Path file;
  private final long bytes;
  private final PrintStream out;

  ColdRate(FileFlows flows, Path file, long bytes, PrintStream out) {
    this.flows = flows;
    this.file = file;
    this.bytes = bytes / 4096 * 4096;
    this.out = out;
  }

  void run() throws IOException {
    out.printf("%s, %d MiB, cold%n", flows.device(), bytes >> 20);
    Way best = new Way(true, 1, 1 << 20);
    double most = 0;
    for (boolean isDirect : new boolean[] {true, false}) {
      for (int threads : new int[] {1, 4, 8, 16, 32, 64}) {
        for (int piece : new int[] {1 << 20, 4 << 20}) {
          Way way = new Way(isDirect, threads, piece);
          double rate = read(way);
          out.printf("  %s: %.2f GB/s%n", way, rate);
          if (rate > most) {
            most = rate;
            best = way;
          }
        }
      }
    }
    out.println("\nThe best: " + best + "\n");
    Table table = new Table(ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
      table.note(i, BEST, read(best));
      TestFile.drop(file);
      table.note(i, FLOW, bytes / (double) flows.sum(Source.file(file), _ -> {}).wallNanos());
    }
    table.print(out, BEST);
  }

  /** {@return the JDK's option for O_DIRECT, which the compiler warns of wherever it is named} */
  private static OpenOption direct() {
    try {
      Object[] options = Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
      return Arrays.stream(options)
          .filter(option -> option.toString().equals("DIRECT"))
          .map(OpenOption.class::cast)
          .findFirst()
          .orElseThrow();
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException(e);
    }
  }

  private double read(Way way) throws IOException {
    TestFile.drop(file);
    Set<OpenOption> options =
        way.isDirect ? Set.of(StandardOpenOption.READ, direct()) : Set.of(StandardOpenOption.READ);
    try (PinnedArena arena = flows.device().pinnedArena();
        FileChannel channel = FileChannel.open(file, options)) {
      MemorySegment buffers = arena.allocate((long) way.threads * way.piece, 4096);
      return bytes
          / 1e9
          / Workers.seconds(
              way.threads,
              bytes,
              way.piece,
              (thread, at, size) ->
                  HotRate.readFully(channel, at, buffers.asSlice((long) thread * way.piece, size)));
    }
  }
}
