package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/**
 * Work that keeps a device busy: as many threads as it holds at once, each in its registers except
 * for the one word that it writes.
 */
final class Busy implements AutoCloseable {
  static final int THREADS = 256;

  private final Device device;
  private final Grid grid;
  private final GlobalInts results;

  Busy(Device device, int blocks) {
    this.device = device;
    this.grid = Grid.of(device.properties().multiprocessors() * blocks, THREADS);
    this.results = device.allocateInts((long) grid.blocksX() * THREADS);
  }

  Device device() {
    return device;
  }

  Launch prepare(int steps) {
    return device.prepare(grid, Busy::busyKernel, results, steps);
  }

  void poison() {
    try (Stream stream = device.stream()) {
      stream.fill(results, 0).await(); // no scrambling has this result
    }
  }

  void compare(int[] expected) {
    int[] found = new int[(int) results.length()];
    try (Stream stream = device.stream()) {
      stream.copy(results, found).await();
    }
    int wrong = 0;
    for (int i = 0; i < found.length; i++) {
      wrong += found[i] == expected[i % THREADS] ? 0 : 1;
    }
    Words.requireNoneWrong(wrong, device);
  }

  /** The result of each thread of a block. */
  static int[] results(int steps) {
    int[] results = new int[THREADS];
    for (int i = 0; i < THREADS; i++) {
      results[i] = scramble(i + 1, steps);
    }
    return results;
  }

  /**
   * Integer steps, so that the host can compute the exact result, and no compiler can fold them.
   */
  private static int scramble(int x, int steps) {
    for (int i = 0; i < steps; i++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
    }
    return x;
  }

  @Kernel(maxThreads = THREADS)
  static void busyKernel(ThreadBlock block, GlobalInts results, int steps) {
    int thread = block.threadIndexX();
    results.set(block.blockIndexX() * THREADS + thread, scramble(thread + 1, steps));
  }

  @Override
  public void close() {
    results.close();
  }
}
