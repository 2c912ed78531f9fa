package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;

/** What a kernel is compiled for: bits of a number. */
final class Variant {
  /** Keys after some place are hidden from a query. */
  static final int ENDS_EARLY = 1;

  /** Numbers are bfloat16, otherwise binary16. */
  static final int BF16 = 2;

  /** Warp groups do not take turns. */
  static final int NO_TURNS = 4;

  /** Keys before some place are hidden from a query. */
  static final int BEGINS_LATE = 8;

  /** Logarithms of the sums are not stored. */
  static final int NO_LSE = 16;

  /** Batches are sequences of their own length, one after the other in the arrays. */
  static final int PACKED = 32;

  /** The scale is {@code 1 / sqrt(dim)}: a number in the code, which a factor of scores then is. */
  static final int USUAL_SCALE = 64;

  private static final float LOG2_E = 1.442695f;

  private Variant() {}

  /** The scale of scores, times the logarithm of e to base 2. */
  static float scale(Extents extents, @Const int dim, @Const int variant) {
    return (variant & USUAL_SCALE) != 0 ? LOG2_E / (float) Math.sqrt(dim) : extents.scale();
  }

  static boolean endsEarly(@Const int variant) {
    return (variant & ENDS_EARLY) != 0;
  }

  static boolean bf16(@Const int variant) {
    return (variant & BF16) != 0;
  }

  static boolean turns(@Const int variant) {
    return (variant & NO_TURNS) == 0;
  }

  static boolean beginsLate(@Const int variant) {
    return (variant & BEGINS_LATE) != 0;
  }

  static boolean packed(@Const int variant) {
    return (variant & PACKED) != 0;
  }

  static boolean stores(@Const int variant) {
    return (variant & NO_LSE) == 0;
  }
}
