package dev.stretto.examples.attention;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;

/**
 * Exact attention, forward: {@code o = softmax(scale * q k^T) v}, and for each row the logarithm of
 * the sum that its softmax is divided by. Scores never leave the multiprocessor. There are several
 * steps; each computes the same, faster than the one before.
 */
public final class FlashAttention {
  /** A kernel. */
  public enum Step {
    /** {@link Step1PlainLoads}. */
    PLAIN_LOADS("plain loads", Step1PlainLoads.ROWS, Step1PlainLoads.THREADS),
    /** {@link Step2DoubleBuffered}. */
    DOUBLE_BUFFERED("double-buffered", Step2DoubleBuffered.ROWS, Step2DoubleBuffered.THREADS),
    /** {@link Step3Swizzled}. */
    SWIZZLED("swizzled", Step3Swizzled.ROWS, Step3Swizzled.THREADS),
    /** {@link Step4Tuned}. */
    TUNED("tuned", Step4Tuned.ROWS, Step4Tuned.THREADS);

    private final String words;
    private final int rows;
    private final int threads;

    Step(String words, int rows, int threads) {
      this.words = words;
      this.rows = rows;
      this.threads = threads;
    }

    @Override
    public String toString() {
      return words;
    }

    /** The grid that {@link Work} expects. */
    Grid grid(Shape shape) {
      int tiles = (shape.queries() + rows - 1) / rows;
      return new Grid(
          shape.causal() ? shape.heads() : tiles,
          shape.causal() ? tiles : shape.heads(),
          shape.batches(),
          threads,
          1,
          1,
          0);
    }
  }

  private interface OfBfloats
      extends KernelMethod.Of11<
          GlobalBfloats,
          GlobalBfloats,
          GlobalBfloats,
          GlobalBfloats,
          GlobalFloats,
          Integer,
          Integer,
          Float,
          Integer,
          Integer,
          Boolean> {}

  private interface OfHalfs
      extends KernelMethod.Of11<
          GlobalHalfs,
          GlobalHalfs,
          GlobalHalfs,
          GlobalHalfs,
          GlobalFloats,
          Integer,
          Integer,
          Float,
          Integer,
          Integer,
          Boolean> {}

  private FlashAttention() {}

  /**
   * {@return attention of bfloat16 numbers, ready to launch}
   *
   * @param device the device of the arrays
   * @param step the kernel
   * @param shape the size
   * @param q queries
   * @param k keys
   * @param v values
   * @param o receives the result, a row for each query; 0 if a query sees no key
   * @param lse receives the natural logarithm of the sum of each row's powers; negative infinity if
   *     a query sees no key
   * @throws IllegalArgumentException if an array does not have as many numbers as the shape
   *     requires, or rows have more than 128
   */
  public static Launch prepare(
      Device device,
      Step step,
      Shape shape,
      GlobalBfloats q,
      GlobalBfloats k,
      GlobalBfloats v,
      GlobalBfloats o,
      GlobalFloats lse) {
    OfBfloats kernel =
        switch (step) {
          case PLAIN_LOADS -> Step1PlainLoads::bf16;
          case DOUBLE_BUFFERED -> Step2DoubleBuffered::bf16;
          case SWIZZLED -> Step3Swizzled::bf16;
          case TUNED -> Step4Tuned::bf16;
        };
    requireLengths(shape, q, k, v, o, lse);
    return device.prepare(
        step.grid(shape),
        kernel,
        q,
        k,
        v,
        o,
        lse,
        shape.queries(),
        shape.keys(),
        shape.scale(),
        shape.group(),
        shape.headDim(),
        shape.causal());
  }

  /**
   * {@return attention of binary16 numbers, ready to launch}
   *
   * @param device the device of the arrays
   * @param step the kernel
   * @param shape the size
   * @param q queries
   * @param k keys
   * @param v values
   * @param o receives the result, a row for each query; 0 if a query sees no key
   * @param lse receives the natural logarithm of the sum of each row's powers; negative infinity if
   *     a query sees no key
   * @throws IllegalArgumentException if an array does not have as many numbers as the shape
   *     requires, or rows have more than 128
   */
  public static Launch prepare(
      Device device,
      Step step,
      Shape shape,
      GlobalHalfs q,
      GlobalHalfs k,
      GlobalHalfs v,
      GlobalHalfs o,
      GlobalFloats lse) {
    OfHalfs kernel =
        switch (step) {
          case PLAIN_LOADS -> Step1PlainLoads::f16;
          case DOUBLE_BUFFERED -> Step2DoubleBuffered::f16;
          case SWIZZLED -> Step3Swizzled::f16;
          case TUNED -> Step4Tuned::f16;
        };
    requireLengths(shape, q, k, v, o, lse);
    return device.prepare(
        step.grid(shape),
        kernel,
        q,
        k,
        v,
        o,
        lse,
        shape.queries(),
        shape.keys(),
        shape.scale(),
        shape.group(),
        shape.headDim(),
        shape.causal());
  }

  private static void requireLengths(
      Shape shape, GlobalArray q, GlobalArray k, GlobalArray v, GlobalArray o, GlobalFloats lse) {
    if (shape.headDim() > 128) {
      throw new IllegalArgumentException(
          shape.headDim() + " numbers in a row of a head: the steps have kernels for 64 and 128");
    }
    long queries = (long) shape.queryRows() * shape.headDim();
    long keys = (long) shape.keyRows() * shape.headDim();
    requireLength("q", q, queries);
    requireLength("k", k, keys);
    requireLength("v", v, keys);
    requireLength("o", o, queries);
    requireLength("lse", lse, shape.queryRows());
  }

  private static void requireLength(String name, GlobalArray array, long length) {
    if (array.length() != length) {
      throw new IllegalArgumentException(
          name + " has " + array.length() + " numbers and should have " + length);
    }
  }
}
