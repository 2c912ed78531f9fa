package dev.stretto.memory;

/**
 * Conversions between {@code float} and bfloat16, a float without the lower 16 bits of its
 * fraction.
 */
public final class Bfloat {
  private Bfloat() {}

  /**
   * {@return the float that these 16 bits stand for, exactly}
   *
   * @param bits a bfloat16
   */
  public static float toFloat(short bits) {
    return Float.intBitsToFloat(bits << 16);
  }

  /**
   * {@return the bfloat16 nearest to a float, ties to even; NaN stays NaN and keeps its sign}
   *
   * @param value any float
   */
  public static short of(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      // Rounding could turn a NaN into infinity: keep the upper bits and set the quiet bit.
      return (short) ((bits >>> 16) | 0x0040);
    }
    int roundUp = 0x7fff + ((bits >>> 16) & 1);
    return (short) ((bits + roundUp) >>> 16);
  }
}
