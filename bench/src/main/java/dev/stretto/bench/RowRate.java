package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.rows.HostRows;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

/**
 * Rows of 768 floats in many places to one matrix: arrays of arrays, slices of mapped files, by an
 * index, converted on the way; beside one large array, the link, and threads that only read.
 */
final class RowRate {
  private static final int COLUMNS = 768;
  private static final int ROUNDS = 5;
  private static final int FILES = 64;
  private static final int READERS = 16;

  private final Device device;
  private final int rows;
  private final PrintStream out;
  private final float[][] arrays;

  private RowRate(Device device, int rows, PrintStream out) {
    this.device = device;
    this.rows = rows / FILES * FILES;
    this.out = out;
    this.arrays = new float[this.rows][COLUMNS];
    SplittableRandom random = new SplittableRandom(1);
    IntStream.range(0, this.rows).parallel().forEach(row -> Arrays.fill(arrays[row], row));
    for (int i = 0; i < COLUMNS; i++) {
      arrays[random.nextInt(this.rows)][i] = random.nextFloat();
    }
  }

  /** Measures and prints a table. */
  static void run(String name, int rows, PrintStream out) throws IOException {
    Path folder = Files.createTempDirectory("stretto");
    try (Device device = Device.open(name);
        Arena arena = Arena.ofShared()) {
      new RowRate(device, rows, out).run(folder, arena);
    } finally {
      for (int i = 0; i < FILES; i++) {
        boolean _ = Files.deleteIfExists(folder.resolve("rows" + i));
      }
      Files.delete(folder);
    }
  }

  private long floats() {
    return (long) rows * COLUMNS;
  }

  private void run(Path folder, Arena arena) throws IOException {
    HostRows heap = HostRows.of(arrays);
    HostRows mapped = mapped(folder, arena);
    HostRows gathered = heap.at(permutation());
    float[] large = new float[1 << 28];
    try (Stream stream = device.stream();
        PinnedArena pinned = device.pinnedArena();
        GlobalFloats matrix = device.allocateFloats(floats());
        GlobalBytes half = device.allocateBytes(2 * floats())) {
      MemorySegment block = pinned.allocate(1L << 28, 4096);
      GlobalBytes part = half.slice(0, 1L << 28);
      Map<String, Runnable> rates = new LinkedHashMap<>();
      rates.put(
          "the link, pinned", () -> repeat((4L * floats()) >> 28, () -> stream.copy(block, part)));
      rates.put(
          "one array of 1 GiB, again and again",
          () -> repeat(floats() >> 28, () -> stream.copy(large, matrix.slice(0, large.length))));
      rates.put("float[][]", () -> stream.copyRows(heap, matrix));
      rates.put("slices of 64 mapped files", () -> stream.copyRows(mapped, matrix));
      rates.put("float[][] by a random index", () -> stream.copyRows(gathered, matrix));
      rates.put("float[][], bfloat16", () -> stream.copyRows(heap.asBfloats(), half));
      rates.put("mapped files, bfloat16", () -> stream.copyRows(mapped.asBfloats(), half));
      rates.put("float[][], binary16", () -> stream.copyRows(heap.asHalfs(), half));
      rates.put(
          "float[][], bytes", () -> stream.copyRows(heap.asBytes(40), half.slice(0, floats())));
      rates.put(READERS + " threads read float[][]", () -> read(heap));
      rates.put(READERS + " threads read the files", () -> read(mapped));
      rates.put("back to float[][]", () -> stream.copyRows(matrix, heap));
      Map<String, double[]> seconds = new LinkedHashMap<>();
      for (int round = 0; round < ROUNDS; round++) {
        for (Map.Entry<String, Runnable> each : rates.entrySet()) {
          long begin = System.nanoTime();
          each.getValue().run();
          stream.await();
          seconds.computeIfAbsent(each.getKey(), _ -> new double[ROUNDS])[round] =
              (System.nanoTime() - begin) / 1e9;
        }
      }
      print(seconds);
    }
  }

  private static void repeat(long times, Runnable copy) {
    for (long i = 0; i < times; i++) {
      copy.run();
    }
  }

  private void print(Map<String, double[]> seconds) {
    out.printf(Locale.ROOT, "%s, %d rows of %d floats%n%n", device, rows, COLUMNS);
    out.println("| what | GB/s of floats, median | slowest | first |");
    out.println("|---|--:|--:|--:|");
    seconds.forEach(
        (what, each) -> {
          long bytes =
              what.startsWith("one array")
                  ? (floats() >> 28) << 30
                  : what.startsWith("the link") ? ((4L * floats()) >> 28) << 28 : 4L * floats();
          double first = each[0];
          double[] sorted = each.clone();
          Arrays.sort(sorted);
          out.printf(
              Locale.ROOT,
              "| %s | %.1f | %.1f | %.1f |%n",
              what,
              bytes / sorted[ROUNDS / 2] / 1e9,
              bytes / sorted[ROUNDS - 1] / 1e9,
              bytes / first / 1e9);
        });
  }

  private int[] permutation() {
    int[] indices = new int[rows];
    Arrays.setAll(indices, i -> i);
    SplittableRandom random = new SplittableRandom(2);
    for (int i = rows - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int own = indices[i];
      indices[i] = indices[other];
      indices[other] = own;
    }
    return indices;
  }

  private HostRows mapped(Path folder, Arena arena) throws IOException {
    int each = rows / FILES;
    long bytes = (long) each * COLUMNS * Float.BYTES;
    List<HostRows> parts = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      try (FileChannel file =
          FileChannel.open(
              folder.resolve("rows" + i),
              StandardOpenOption.CREATE,
              StandardOpenOption.READ,
              StandardOpenOption.WRITE)) {
        MemorySegment segment = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes, arena);
        HostRows part = HostRows.of(segment, (long) COLUMNS * Float.BYTES);
        HostRows.of(arrays).slice((long) i * each, each).read(0, segment);
        parts.add(part);
      }
    }
    return HostRows.join(parts);
  }

  /** Reads all rows into a buffer for each thread that stays in its core's cache. */
  private static void read(HostRows rows) {
    int piece = 3072 * 64;
    AtomicLong next = new AtomicLong();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    MemorySegment buffer = MemorySegment.ofArray(new byte[piece]);
                    for (long at = next.getAndAdd(piece);
                        at < rows.byteSize();
                        at = next.getAndAdd(piece)) {
                      rows.read(at, buffer.asSlice(0, Math.min(piece, rows.byteSize() - at)));
                    }
                  }));
    }
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
