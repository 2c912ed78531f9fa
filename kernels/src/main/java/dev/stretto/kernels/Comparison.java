package dev.stretto.kernels;

/** How an element compares with a value, by Java's operators; a NaN is only {@link #NOT_EQUAL}. */
public enum Comparison {
  /** {@code element < value}. */
  LESS,
  /** {@code element <= value}. */
  AT_MOST,
  /** {@code element == value}. */
  EQUAL,
  /** {@code element != value}. */
  NOT_EQUAL,
  /** {@code element >= value}. */
  AT_LEAST,
  /** {@code element > value}. */
  GREATER;

  // Kernels take numbers.
  static final int IS_LESS = 0;
  static final int IS_AT_MOST = 1;
  static final int IS_EQUAL = 2;
  static final int IS_NOT_EQUAL = 3;
  static final int IS_AT_LEAST = 4;
}
