package dev.stretto.kernels.product;

import dev.stretto.kernel.Const;

/** What a kernel is compiled for, besides its tiles: bits of one constant. */
final class Variant {
  static final int BFLOAT = 1;
  static final int TRANSPOSED = 2;
  static final int BATCHED = 4;

  /** The inner dimension is divided, and sums are stored instead of results. */
  static final int SPLIT = 8;

  static final int BIASED = 16;

  /** All rows begin at multiples of 16 bytes. */
  static final int ALIGNED = 32;

  /** The inner dimension is divided among the blocks of a cluster, which add their sums. */
  static final int GATHERED = 64;

  /** B is read once: it takes no place in the cache that something else could use. */
  static final int ONCE = 128;

  /** The lowest of the two bits that hold an activation. */
  private static final int ACTIVATION = 256;

  private Variant() {}

  static int of(ProductFormat format, Problem problem, int splits) {
    return (format == ProductFormat.BFLOAT16 ? BFLOAT : 0)
        | (problem.transposedB() ? TRANSPOSED : 0)
        | (problem.count() > 1 ? BATCHED : 0)
        | (splits > 1 ? SPLIT : 0);
  }

  static int of(boolean biased, Activation activation) {
    return (biased ? BIASED : 0) | activation.ordinal() * ACTIVATION;
  }

  static boolean has(@Const int variant, @Const int bit) {
    return (variant & bit) != 0;
  }

  /** {@return the ordinal of the activation} */
  static int activation(@Const int variant) {
    return variant / ACTIVATION;
  }
}
