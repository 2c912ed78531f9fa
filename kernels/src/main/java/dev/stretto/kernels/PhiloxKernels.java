package dev.stretto.kernels;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.math.DeviceMath;
import dev.stretto.memory.Double2;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;

/**
 * The kernels of {@link Philox}. A thread computes one block of the sequence, which is four ints,
 * four floats or two doubles, and writes those of it that are asked for.
 */
final class PhiloxKernels {
  static final int THREADS = 256;

  private static final long FIRST_FACTOR = 0xD2511F53L;
  private static final long SECOND_FACTOR = 0xCD9E8D57L;
  private static final int FIRST_STEP = 0x9E3779B9;
  private static final int SECOND_STEP = 0xBB67AE85;
  private static final int ROUNDS = 10;

  private PhiloxKernels() {}

  /** {@return what Philox4x32-10 makes of a counter, given as its words, and a key} */
  static Int4 block(int c0, int c1, int c2, int c3, int k0, int k1) {
    int x = c0;
    int y = c1;
    int z = c2;
    int w = c3;
    for (int round = 0; round < ROUNDS; round++) {
      long first = FIRST_FACTOR * (x & 0xffffffffL);
      long second = SECOND_FACTOR * (z & 0xffffffffL);
      x = (int) (second >>> 32) ^ y ^ (k0 + round * FIRST_STEP);
      y = (int) second;
      z = (int) (first >>> 32) ^ w ^ (k1 + round * SECOND_STEP);
      w = (int) first;
    }
    return new Int4(x, y, z, w);
  }

  private static Int4 block(long counter, long seed) {
    return block((int) counter, (int) (counter >>> 32), 0, 0, (int) seed, (int) (seed >>> 32));
  }

  /** {@return a number in [0, 1), a multiple of 2<sup>-24</sup>} */
  private static float uniform(int bits) {
    return (bits >>> 8) * 0x1p-24f;
  }

  /** {@return a number in [0, 1), a multiple of 2<sup>-53</sup>} */
  private static double uniform(int high, int low) {
    return (((long) high << 32 | (low & 0xffffffffL)) >>> 11) * 0x1p-53;
  }

  /** {@return the distance of a point of the normal distribution from 0, by Box and Muller} */
  private static float radius(int bits) {
    return (float) Math.sqrt(-2 * DeviceMath.log(((bits >>> 8) + 1) * 0x1p-24f));
  }

  private static float angle(int bits) {
    return (float) (2 * Math.PI) * uniform(bits);
  }

  /** Bits. */
  @Kernel(maxThreads = THREADS)
  static void bits(ThreadBlock block, GlobalInts out, long seed, long offset, int wide) {
    long number = block.globalIndexX();
    long at = 4 * number - (offset & 3);
    if (at < out.length()) {
      Int4 four = block((offset >>> 2) + number, seed);
      if (wide != 0 && at + 4 <= out.length()) {
        out.set4(at, four);
      } else {
        put(out, at, four.x());
        put(out, at + 1, four.y());
        put(out, at + 2, four.z());
        put(out, at + 3, four.w());
      }
    }
  }

  /** Numbers in [0, 1). */
  @Kernel(maxThreads = THREADS)
  static void uniform(ThreadBlock block, GlobalFloats out, long seed, long offset, int wide) {
    long number = block.globalIndexX();
    if (4 * number - (offset & 3) < out.length()) {
      Int4 four = block((offset >>> 2) + number, seed);
      put(
          out,
          4 * number - (offset & 3),
          new Float4(uniform(four.x()), uniform(four.y()), uniform(four.z()), uniform(four.w())),
          wide);
    }
  }

  /** Numbers of the normal distribution, two of each two of a block. */
  @Kernel(maxThreads = THREADS)
  static void normal(ThreadBlock block, GlobalFloats out, long seed, long offset, int wide) {
    long number = block.globalIndexX();
    if (4 * number - (offset & 3) < out.length()) {
      Int4 four = block((offset >>> 2) + number, seed);
      float near = radius(four.x());
      float nearAngle = angle(four.y());
      float far = radius(four.z());
      float farAngle = angle(four.w());
      put(
          out,
          4 * number - (offset & 3),
          new Float4(
              near * DeviceMath.cos(nearAngle),
              near * DeviceMath.sin(nearAngle),
              far * DeviceMath.cos(farAngle),
              far * DeviceMath.sin(farAngle)),
          wide);
    }
  }

  /** Doubles in [0, 1). */
  @Kernel(maxThreads = THREADS)
  static void uniform(ThreadBlock block, GlobalDoubles out, long seed, long offset, int wide) {
    long number = block.globalIndexX();
    long at = 2 * number - (offset & 1);
    if (at < out.length()) {
      Int4 four = block((offset >>> 1) + number, seed);
      double x = uniform(four.x(), four.y());
      double y = uniform(four.z(), four.w());
      if (wide != 0 && at + 2 <= out.length()) {
        out.set2(at, new Double2(x, y));
      } else {
        put(out, at, x);
        put(out, at + 1, y);
      }
    }
  }

  private static void put(GlobalInts out, long at, int value) {
    if (at >= 0 && at < out.length()) {
      out.set(at, value);
    }
  }

  private static void put(GlobalDoubles out, long at, double value) {
    if (at >= 0 && at < out.length()) {
      out.set(at, value);
    }
  }

  private static void put(GlobalFloats out, long at, float value) {
    if (at >= 0 && at < out.length()) {
      out.set(at, value);
    }
  }

  private static void put(GlobalFloats out, long at, Float4 four, int wide) {
    if (wide != 0 && at + 4 <= out.length()) {
      out.set4(at, four);
    } else {
      put(out, at, four.x());
      put(out, at + 1, four.y());
      put(out, at + 2, four.z());
      put(out, at + 3, four.w());
    }
  }
}
