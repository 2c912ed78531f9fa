package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.flow.Chunk;
import dev.stretto.flow.Flow;
import dev.stretto.flow.FlowPlan;
import dev.stretto.flow.FlowProgress;
import dev.stretto.flow.FlowReport;
import dev.stretto.flow.FlowTimes;
import dev.stretto.flow.Source;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalLongs;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A file in the page cache through a flow into a sum: the first flow of the process, later ones,
 * and what bounds them: how fast threads read the file into pinned memory, and the link.
 */
final class FileRate {
  private static final int ROUNDS = 5;
  private static final int PIECE = 4 << 20;
  private static final int BLOCKS = 264;
  private static final int THREADS = 256;
  private static final Grid GRID = Grid.of(BLOCKS, THREADS);

  private final Device device;
  private final Path file;
  private final long bytes;
  private final long chunk;
  private final int depth;
  private final PrintStream out;

  private FileRate(Device device, Path file, long bytes, long chunk, int depth, PrintStream out) {
    this.device = device;
    this.file = file;
    this.bytes = bytes;
    this.chunk = chunk;
    this.depth = depth;
    this.out = out;
  }

  /** Adds all numbers of a chunk to each other. */
  @Kernel
  static void adds(ThreadBlock block, GlobalLongs in, GlobalLongs sum, long count) {
    long all = 0;
    long step = (long) BLOCKS * THREADS;
    for (long i = block.globalIndexX(); i < count; i += step) {
      all += in.get(i);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      all += block.warp().shuffleDown(all, distance);
    }
    if (block.warp().lane() == 0) {
      Atomics.add(sum, 0, all);
    }
  }

  /**
   * Measures and prints a table.
   *
   * @param path a file to keep, made unless it has so many bytes; null for one that is deleted
   * @param bytes of the file
   * @param chunk bytes of a chunk; 0 if the flow chooses
   * @param depth chunks in flight; 0 if the flow chooses
   */
  static void run(
      String name, @Nullable Path path, long bytes, long chunk, int depth, PrintStream out)
      throws IOException {
    Path file = path == null ? Files.createTempFile("stretto", ".bin") : path;
    try (Device device = Device.open(name)) {
      if (!Files.exists(file) || Files.size(file) != bytes) {
        fill(file, bytes);
      }
      new FileRate(device, file, bytes, chunk, depth, out).run();
    } finally {
      if (path == null) {
        Files.delete(file);
      }
    }
  }

  private static void fill(Path file, long bytes) throws IOException {
    ByteBuffer part = ByteBuffer.allocateDirect(64 << 20);
    SplittableRandom random = new SplittableRandom(1);
    while (part.hasRemaining()) {
      part.putLong(random.nextLong());
    }
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      for (long at = 0; at < bytes; at += part.capacity()) {
        part.clear().limit((int) Math.min(part.capacity(), bytes - at));
        while (part.hasRemaining()) {
          channel.write(part, at + part.position());
        }
      }
      channel.force(false); // so that nothing is written while others read
    }
  }

  private void run() throws IOException {
    StringBuilder course = new StringBuilder();
    double first = firstFlow(course);
    double[] rates = new double[ROUNDS];
    FlowReport[] last = new FlowReport[1];
    double[] reads = new double[ROUNDS];
    double[] links = new double[ROUNDS];
    int bestThreads = bestThreads();
    for (int i = 0; i < ROUNDS; i++) {
      reads[i] = read(bestThreads);
      links[i] = link();
      last[0] = report(_ -> {});
      rates[i] = bytes / (double) last[0].wallNanos();
    }
    double read = median(reads);
    double link = median(links);
    double rate = median(rates);
    double limit = Math.min(read, link);
    out.printf(
        Locale.ROOT,
        "%s, %.1f GiB, chunks of %d KiB, %d in flight%n%n",
        device,
        bytes / (double) (1 << 30),
        last[0].chunkBytes() >> 10,
        last[0].depth());
    out.println("| what | GB/s | of the limit |");
    out.println("|---|--:|--:|");
    row("reading by " + bestThreads + " threads", read, limit);
    row("the link", link, limit);
    row("a flow into a sum", rate, limit);
    row("the slowest of five", Arrays.stream(rates).min().orElseThrow(), limit);
    row("the first flow of the process", first, limit);
    out.println("\nms of the first flow to each tenth:" + course);
    FlowTimes times = last[0].times();
    out.printf(
        Locale.ROOT,
        "%na chunk, in the last flow: %.0f µs before it was read, %.0f read, %.0f on the device,"
            + " %.0f before its result was taken, %.0f taken%n",
        times.toReadNanos() / 1e3 / last[0].chunks(),
        times.readNanos() / 1e3 / last[0].chunks(),
        times.deviceNanos() / 1e3 / last[0].chunks(),
        times.toWriteNanos() / 1e3 / last[0].chunks(),
        times.writeNanos() / 1e3 / last[0].chunks());
  }

  private void row(String what, double rate, double limit) {
    out.printf(Locale.ROOT, "| %s | %.1f | %.2f |%n", what, rate, rate / limit);
  }

  private static double median(double[] figures) {
    double[] sorted = figures.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  // --- the flow --------------------------------------------------------------------------------

  private double firstFlow(StringBuilder course) {
    long begin = System.nanoTime();
    AtomicLong done = new AtomicLong();
    FlowReport report =
        report(
            progress -> {
              long tenth = progress.bytesDone() * 10 / bytes;
              if (tenth > done.getAndSet(tenth)) {
                course.append(' ').append((System.nanoTime() - begin) / 1_000_000);
              }
            });
    return bytes / (double) report.wallNanos();
  }

  private FlowReport report(Consumer<FlowProgress> listener) {
    try (Arena arena = Arena.ofShared()) {
      MemorySegment sum = arena.allocate(8);
      FlowPlan plan =
          Flow.on(device)
              .from(Source.file(file))
              .through(FileRate::enqueue)
              .onProgress(listener)
              .reduce(
                  sum,
                  (all, each) ->
                      all.set(
                          ValueLayout.JAVA_LONG,
                          0,
                          all.get(ValueLayout.JAVA_LONG, 0) + each.get(ValueLayout.JAVA_LONG, 0)));
      if (chunk > 0) {
        plan.chunkBytes(chunk);
      }
      if (depth > 0) {
        plan.depth(depth);
      }
      return plan.start().await();
    }
  }

  private static void enqueue(Stream stream, Chunk chunk) {
    stream.fill(chunk.out(), (byte) 0);
    stream.launch(
        GRID,
        FileRate::adds,
        chunk.in().asLongs(),
        chunk.out().asLongs(),
        chunk.byteSize() / Long.BYTES);
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
    try (PinnedArena arena = device.pinnedArena();
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      AtomicLong next = new AtomicLong();
      List<Thread> readers = new ArrayList<>();
      MemorySegment buffers = arena.allocate((long) threads * PIECE, 4096);
      for (int i = 0; i < threads; i++) {
        MemorySegment own = buffers.asSlice((long) i * PIECE, PIECE);
        readers.add(Thread.ofPlatform().unstarted(() -> read(channel, own, next)));
      }
      long begin = System.nanoTime();
      readers.forEach(Thread::start);
      readers.forEach(FileRate::join);
      return bytes / (double) (System.nanoTime() - begin);
    }
  }

  private void read(FileChannel channel, MemorySegment into, AtomicLong next) {
    for (long at = next.getAndAdd(PIECE); at < bytes; at = next.getAndAdd(PIECE)) {
      ByteBuffer buffer = into.asByteBuffer();
      try {
        while (buffer.hasRemaining() && channel.read(buffer, at + buffer.position()) > 0) {
          Thread.onSpinWait();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private double link() {
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
