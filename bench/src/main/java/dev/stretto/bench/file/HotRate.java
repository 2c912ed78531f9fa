package dev.stretto.bench.file;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.FlowTimes;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file in the page cache through a flow into a sum: the first flow of the process, later ones,
 * and what bounds them: how fast threads read the file into pinned memory, and the link.
 */
final class HotRate {
  private static final int ROUNDS = 5;
  private static final int PIECE = 4 << 20;
  private static final String LINK = "the link";
  private static final String FLOW = "a flow into a sum";
  private static final String LIMIT = "the limit";

  private final FileFlows flows;
  private final Path file;
  private final long bytes;
  private final PrintStream out;

  HotRate(FileFlows flows, Path file, long bytes, PrintStream out) {
    this.flows = flows;
    this.file = file;
    this.bytes = bytes;
    this.out = out;
  }

  void run() throws IOException {
    StringBuilder course = new StringBuilder();
    FlowReport last = firstFlow(course);
    double first = bytes / (double) last.wallNanos();
    int bestThreads = bestThreads();
    String reading = "reading by " + bestThreads + " threads";
    Table table = new Table(ROUNDS);
    for (int i = 0; i < ROUNDS; i++) {
      table.note(i, reading, read(bestThreads));
      table.note(i, LINK, link(flows.device()));
      last = flows.sum(Source.file(file), _ -> {});
      table.note(i, FLOW, bytes / (double) last.wallNanos());
    }
    double limit = Math.min(table.median(reading), table.median(LINK));
    for (int i = 0; i < ROUNDS; i++) {
      table.note(i, LIMIT, limit);
      table.note(i, "the first flow of the process", first);
    }
    out.printf(
        Locale.ROOT,
        "%s, %.1f GiB, chunks of %d KiB, %d in flight%n%n",
        flows.device(),
        bytes / (double) (1 << 30),
        last.chunkBytes() >> 10,
        last.depth());
    table.print(out, LIMIT);
    out.println("ms of the first flow to each tenth:" + course);
    FlowTimes times = last.times();
    out.printf(
        Locale.ROOT,
        "%na chunk, in the last flow: %.0f µs before it was read, %.0f read, %.0f on the device,"
            + " %.0f before its result was taken, %.0f taken%n",
        times.toReadNanos() / 1e3 / last.chunks(),
        times.readNanos() / 1e3 / last.chunks(),
        times.deviceNanos() / 1e3 / last.chunks(),
        times.toWriteNanos() / 1e3 / last.chunks(),
        times.writeNanos() / 1e3 / last.chunks());
  }

  private FlowReport firstFlow(StringBuilder course) {
    long begin = System.nanoTime();
    AtomicLong done = new AtomicLong();
    return flows.sum(
        Source.file(file),
        progress -> {
          long tenth = progress.bytesDone() * 10 / bytes;
          if (tenth > done.getAndSet(tenth)) {
            course.append(' ').append((System.nanoTime() - begin) / 1_000_000);
          }
        });
  }

  // --- what bounds it --------------------------------------------------------------------------

  private int bestThreads() throws IOException {
    int best = 1;
    double most = 0;
    for (int threads : new int[] {4, 8, 12, 16, 24, 32}) {
      if (threads <= 2 * Runtime.getRuntime().availableProcessors()) {
        double rate = Math.max(read(threads), read(threads));
        if (rate > most) {
          most = rate;
          best = threads;
        }
      }
    }
    return best;
  }

  /** {@return the rate at which threads read the file into pinned memory} */
  private double read(int threads) throws IOException {
    try (PinnedArena arena = flows.device().pinnedArena();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      MemorySegment buffers = arena.allocate((long) threads * PIECE, 4096);
      return bytes
          / 1e9
          / Workers.seconds(
              threads,
              bytes,
              PIECE,
              (thread, at, size) ->
                  readFully(channel, at, buffers.asSlice((long) thread * PIECE, size)));
    }
  }

  /** Reads a piece. */
  static void readFully(FileChannel channel, long at, MemorySegment into) throws IOException {
    ByteBuffer buffer = into.asByteBuffer();
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, at + buffer.position()) < 0) {
        throw new IOException("the file ends");
      }
    }
  }

  /** {@return the rate of large pinned copies to a device} */
  static double link(Device device) {
    long size = 256L << 20;
    int copies = 8;
    try (PinnedArena arena = device.pinnedArena();
        Stream stream = device.stream();
        var array = device.allocateBytes(size)) {
      MemorySegment source = arena.allocate(size, 4096);
      stream.copy(source, array).await();
      long begin = System.nanoTime();
      for (int i = 0; i < copies; i++) {
        stream.copy(source, array);
      }
      stream.await();
      return copies * size / (double) (System.nanoTime() - begin);
    }
  }
}
