package dev.stretto.kernels;

/** What makes one number of two; constants of kernels. */
final class Operation {
  static final int SUM = 0;
  static final int MIN = 1;
  static final int MAX = 2;

  private Operation() {}
}
