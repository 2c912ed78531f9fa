package dev.stretto.kernel.machine;

/** Arithmetic that neither the JVM nor its library has. Kernels that are compiled call it. */
public final class StepArithmetic {
  private StepArithmetic() {}

  /** {@return the upper half of the signed product} */
  public static int multiplyHigh(int a, int b) {
    return (int) (((long) a * b) >> 32);
  }

  /** {@return the upper half of the unsigned product} */
  public static int unsignedMultiplyHigh(int a, int b) {
    return (int) (((a & 0xFFFF_FFFFL) * (b & 0xFFFF_FFFFL)) >>> 32);
  }
}
