package dev.stretto.bench.file;

import dev.stretto.flow.FlowReport;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A file in the page cache through a flow into another file, which is new or is written over; and
 * the same bytes copied by threads, in every way that may be fast: by reads and writes, into the
 * mapped target, with the room allocated before or not.
 */
final class CopyRate {
  private static final int ROUNDS = 5;
  private static final int PIECE = 4 << 20;
  private static final String FLOW = "a flow";
  private static final String BEST = "the best copy";

  /** A way to copy. */
  private record Way(boolean isMapped, boolean isAllocated, int threads) {
    @Override
    public String toString() {
      return threads
          + (isMapped ? " threads into the mapped target" : " threads that read and write")
          + (isAllocated ? ", allocated" : "");
    }
  }

  private final FileFlows flows;
  private final Path from;
  private final Path to;
  private final long bytes;
  private final PrintStream out;

  CopyRate(FileFlows flows, Path from, Path to, long bytes, PrintStream out) {
    this.flows = flows;
    this.from = from;
    this.to = to;
    this.bytes = bytes;
    this.out = out;
  }

  void run() throws IOException {
    try {
      out.printf("%s, %d MiB, to %s%n%n", flows.device(), bytes >> 20, to);
      measure(true);
      measure(false);
    } finally {
      boolean _ = Files.deleteIfExists(to);
    }
  }

  private void measure(boolean isNew) throws IOException {
    out.println(isNew ? "To a new file:" : "Over a file:");
    Way best = ways(isNew).getFirst();
    double most = 0;
    for (Way way : ways(isNew)) {
      double rate = Math.max(copy(way, isNew), copy(way, isNew));
      out.printf("  %s: %.2f GB/s%n", way, rate);
      if (rate > most) {
        most = rate;
        best = way;
      }
    }
    out.println("\nThe best: " + best + "\n");
    Table table = new Table(ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
      table.note(i, BEST, copy(best, isNew));
      prepare(isNew);
      FlowReport report = flows.copy(from, to);
      table.note(i, FLOW, bytes / (double) report.wallNanos());
      verify();
    }
    table.print(out, BEST);
  }

  private static List<Way> ways(boolean isNew) {
    List<Way> ways = new ArrayList<>();
    for (boolean isMapped : new boolean[] {false, true}) {
      for (int threads : new int[] {1, 2, 3, 4, 8, 16}) {
        if (threads <= 2 * Runtime.getRuntime().availableProcessors()) {
          ways.add(new Way(isMapped, false, threads));
          if (isNew) {
            ways.add(new Way(isMapped, true, threads));
          }
        }
      }
    }
    return ways;
  }

  /** Leaves the disk nothing to write. */
  private void prepare(boolean isNew) throws IOException {
    if (isNew) {
      boolean _ = Files.deleteIfExists(to);
    }
    TestFile.command("sync");
  }

  /** {@return the rate of a copy} */
  private double copy(Way way, boolean isNew) throws IOException {
    prepare(isNew);
    long begin = System.nanoTime();
    if (way.isAllocated) {
      TestFile.command("fallocate", "-l", "" + bytes, to.toString());
    }
    try (Arena arena = Arena.ofShared();
        FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel target =
            FileChannel.open(
                to, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      if (way.isMapped) {
        MemorySegment memory = target.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        double _ =
            Workers.seconds(
                way.threads,
                bytes,
                PIECE,
                (_, at, size) -> HotRate.readFully(in, at, memory.asSlice(at, size)));
      } else {
        MemorySegment buffers = arena.allocate((long) way.threads * PIECE, 4096);
        double _ =
            Workers.seconds(
                way.threads,
                bytes,
                PIECE,
                (thread, at, size) -> {
                  MemorySegment own = buffers.asSlice((long) thread * PIECE, size);
                  HotRate.readFully(in, at, own);
                  writeFully(target, at, own);
                });
      }
    }
    return bytes / (double) (System.nanoTime() - begin);
  }

  private static void writeFully(FileChannel channel, long at, MemorySegment piece)
      throws IOException {
    ByteBuffer buffer = piece.asByteBuffer();
    while (buffer.hasRemaining()) {
      int _ = channel.write(buffer, at + buffer.position());
    }
  }

  /** Requires that some numbers, and the last one, are larger by one. */
  private void verify() throws IOException {
    SplittableRandom random = new SplittableRandom();
    try (FileChannel in = FileChannel.open(from, StandardOpenOption.READ);
        FileChannel written = FileChannel.open(to, StandardOpenOption.READ)) {
      for (int i = 0; i < 10_000; i++) {
        long at = i == 0 ? bytes - Long.BYTES : random.nextLong(bytes / Long.BYTES) * Long.BYTES;
        if (number(written, at) != number(in, at) + 1 || written.size() != bytes) {
          throw new IllegalStateException("the number at byte " + at + " of " + to + " is wrong");
        }
      }
    }
  }

  private static long number(FileChannel channel, long at) throws IOException {
    MemorySegment bytes = MemorySegment.ofArray(new byte[Long.BYTES]);
    HotRate.readFully(channel, at, bytes);
    return bytes.get(
        ValueLayout.JAVA_LONG_UNALIGNED.withOrder(java.nio.ByteOrder.LITTLE_ENDIAN), 0);
  }
}
