package dev.stretto.kernels;

/** How keys are ordered; constants of kernels. */
final class KeyOrder {
  /** Integers with a sign, the least first. */
  static final int PLAIN = 0;

  /** The greatest first. */
  static final int DESCENDING = 1;

  /** Bits of floating-point numbers, in the order of {@link Float#compare}. */
  static final int FLOATING = 2;

  /** The same, the greatest first. */
  static final int FLOATING_DESCENDING = FLOATING | DESCENDING;

  private KeyOrder() {}
}
