package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/**
 * A part of one device's memory with known content, which is written and compared on the device.
 */
final class Words implements AutoCloseable {
  private static final int THREADS = 256;
  private static final int MOST_BLOCKS = 1024;
  private static final long POISON = 0xA5A5A5A5A5A5A5A5L;

  private final Device device;
  private final GlobalLongs array;
  private final long seed;

  Words(Device device, long bytes, long seed) {
    this(device, device.allocateLongs(bytes / 8), seed);
  }

  /** Uses an array, which is closed with this, or by its owner. */
  Words(Device device, GlobalLongs array, long seed) {
    this.device = device;
    this.array = array;
    this.seed = seed;
  }

  GlobalLongs array() {
    return array;
  }

  Device device() {
    return device;
  }

  /** The bytes from {@code offset} on, up to a number. */
  GlobalLongs part(long offset, long most) {
    return array.slice(offset / 8, Math.min(most, array.byteSize() - offset) / 8);
  }

  void fill() {
    fill(device, array, seed, 0);
  }

  /** Fills an array with what words of a seed have from an index on. */
  static void fill(Device device, GlobalLongs array, long seed, long from) {
    fill(device, array, seed, from, 0);
  }

  /** The same with a number that is added to each word. */
  static void fill(Device device, GlobalLongs array, long seed, long from, long added) {
    try (Stream stream = device.stream()) {
      stream.launch(grid(array), Words::fillKernel, array, array.length(), seed, from, added);
      stream.await();
    }
  }

  void poison() {
    try (Stream stream = device.stream()) {
      stream.fill(array, POISON).await();
    }
  }

  void compare() {
    int[] found = new int[1];
    try (Stream stream = device.stream();
        GlobalInts wrong = device.allocateInts(1)) {
      stream.fill(wrong, 0);
      stream.launch(grid(array), Words::compareKernel, array, array.length(), seed, wrong);
      stream.copy(wrong, found).await();
    }
    requireNoneWrong(found[0], device);
  }

  static void requireNoneWrong(int wrong, Device device) {
    if (wrong != 0) {
      throw new IllegalStateException(
          Integer.toUnsignedString(wrong) + " wrong words on " + device.name());
    }
  }

  private static Grid grid(GlobalLongs array) {
    return Grid.of(Math.clamp(array.length() / THREADS, 1, MOST_BLOCKS), THREADS);
  }

  static long pattern(long index, long seed) {
    long x = (index + 1) * 0x9E3779B97F4A7C15L + seed * 0xD1B54A32D192ED03L;
    x ^= x >>> 32;
    x *= 0xD6E8FEB86659FD93L;
    return x ^ x >>> 32;
  }

  @Kernel(maxThreads = THREADS)
  static void fillKernel(
      ThreadBlock block, GlobalLongs words, long count, long seed, long from, long added) {
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = block.globalIndexX(); i < count; i += step) {
      words.set(i, pattern(from + i, seed) + added);
    }
  }

  @Kernel(maxThreads = THREADS)
  static void compareKernel(
      ThreadBlock block, GlobalLongs words, long count, long seed, GlobalInts wrong) {
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = block.globalIndexX(); i < count; i += step) {
      if (words.get(i) != pattern(i, seed)) {
        Atomics.add(wrong, 0, 1);
      }
    }
  }

  @Override
  public void close() {
    array.close();
  }
}
