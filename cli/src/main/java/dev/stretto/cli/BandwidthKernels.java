package dev.stretto.cli;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.Int4;

/** The kernels of {@code stretto bandwidth}. */
final class BandwidthKernels {
  /** The bytes that a thread handles at a time; array sizes are multiples of this. */
  static final int VECTOR_BYTES = 16;

  private BandwidthKernels() {}

  /**
   * Fills an array with a pattern in which every word depends on its position, so that bytes that
   * arrive at a wrong position are found too.
   *
   * @param seed distinguishes one pattern from another
   */
  @Kernel
  static void writePattern(ThreadBlock block, GlobalInts array, int seed) {
    long step = (long) block.gridSizeX() * block.blockSizeX();
    for (long at = block.globalIndexX(); at < array.length() / 4; at += step) {
      array.set4(4 * at, pattern(4 * at, seed));
    }
  }

  /**
   * Compares an array with the pattern.
   *
   * @param first is set to the number of the first word that differs, if that is smaller
   */
  @Kernel
  static void comparePattern(ThreadBlock block, GlobalInts array, int seed, GlobalLongs first) {
    long step = (long) block.gridSizeX() * block.blockSizeX();
    long found = Long.MAX_VALUE;
    for (long at = block.globalIndexX(); at < array.length() / 4; at += step) {
      Int4 is = array.get4(4 * at);
      Int4 expected = pattern(4 * at, seed);
      if (is.x() != expected.x()) {
        found = Math.min(found, 4 * at);
      } else if (is.y() != expected.y()) {
        found = Math.min(found, 4 * at + 1);
      } else if (is.z() != expected.z()) {
        found = Math.min(found, 4 * at + 2);
      } else if (is.w() != expected.w()) {
        found = Math.min(found, 4 * at + 3);
      }
    }
    if (found != Long.MAX_VALUE) {
      Atomics.min(first, 0, found);
    }
  }

  private static Int4 pattern(long index, int seed) {
    return new Int4(
        word(index, seed), word(index + 1, seed), word(index + 2, seed), word(index + 3, seed));
  }

  /** A round of xorshift. */
  private static int word(long index, int seed) {
    int x = (int) index * 0x9E3779B9 + (int) (index >>> 32) + seed;
    x ^= x << 13;
    x ^= x >>> 17;
    return x ^ x << 5;
  }

  /**
   * Copies an array, 16 bytes of a thread at a time. Either end may be a view of host memory, or
   * lie on another device.
   */
  @Kernel
  static void copy(ThreadBlock block, GlobalInts from, GlobalInts to) {
    long step = (long) block.gridSizeX() * block.blockSizeX();
    for (long at = block.globalIndexX(); at < from.length() / 4; at += step) {
      to.set4(4 * at, from.get4(4 * at));
    }
  }

  /**
   * Delays a stream.
   *
   * @param nanos how long; also the most rounds, in case the timer stands still
   */
  @Kernel
  static void hold(ThreadBlock block, long nanos) {
    long begin = block.globalTimer();
    for (long round = 0; round < nanos && block.globalTimer() - begin < nanos; round++) {
      // The timer advances.
    }
  }

  /**
   * Walks from element to element; each one holds the index of the next.
   *
   * @param walker the block that walks; the others end immediately, so that each multiprocessor
   *     gets its turn
   * @param reached set, at the walker's number, to the element that it has reached
   */
  @Kernel
  static void chase(
      ThreadBlock block, GlobalLongs next, long steps, int walker, GlobalLongs reached) {
    if (block.blockIndexX() == walker) {
      long at = 0;
      for (long step = 0; step < steps; step++) {
        at = next.get(at);
      }
      reached.set(walker, at);
    }
  }
}
