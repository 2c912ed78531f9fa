package dev.stretto.memory;

/**
 * Conversions between {@code float} and the two formats of 8-bit floating-point numbers (fp8). E4M3
 * has 4 bits of exponent and 3 of fraction: numbers up to 448, no infinities, one NaN of each sign.
 * E5M2 has 5 bits of exponent and 2 of fraction: it is binary16 without the lower 8 bits, with
 * numbers up to 57,344. Arrays of them are arrays of bytes. Kernels may call these methods on every
 * device; from compute capability 8.9 on, {@code Ptx.cvtRnSatfiniteE4m3x2F32} and the methods
 * beside it are faster.
 *
 * <p>A float that is too large, infinity included, becomes the largest number of its sign. This is
 * the conversion with {@code .satfinite} of the PTX ISA, "Data Movement and Conversion
 * Instructions: cvt".
 */
public final class Fp8 {
  private static final int NAN = 0x7f;
  private static final int SIGN = 0x80;
  private static final int INFINITY = 0x7f80_0000;

  private static final int LARGEST_E4M3 = 0x7e;
  private static final int LARGEST_E5M2 = 0x7b;

  /** The smallest numbers that are not subnormal. */
  private static final float NORMAL_E4M3 = 0x1p-6f;

  private static final float NORMAL_E5M2 = 0x1p-14f;

  /** Floats of this size are as far apart as subnormal numbers: an addition rounds to those. */
  private static final float ROUNDER_E4M3 = 0x1p14f;

  private static final float ROUNDER_E5M2 = 0x1p7f;

  private Fp8() {}

  /**
   * {@return the E4M3 number nearest to a float, ties to even; ±448 for all that are larger; NaN
   * becomes the positive NaN, 0x7f}
   *
   * @param value any float
   */
  public static byte ofE4m3(float value) {
    int bits = Float.floatToRawIntBits(value);
    int size = bits & ~(1 << 31);
    if (size > INFINITY) {
      return NAN;
    }
    int code;
    if (Float.intBitsToFloat(size) < NORMAL_E4M3) {
      code =
          Float.floatToRawIntBits(Float.intBitsToFloat(size) + ROUNDER_E4M3)
              - Float.floatToRawIntBits(ROUNDER_E4M3);
    } else {
      // The exponent's bias is 7 instead of 127, and 20 bits of the fraction are rounded off.
      int rounded = size + 0x7_ffff + ((size >>> 20) & 1);
      code = Math.min((rounded >>> 20) - ((127 - 7) << 3), LARGEST_E4M3);
    }
    return (byte) (code | ((bits >>> 24) & SIGN));
  }

  /**
   * {@return the float that these 8 bits stand for in E4M3, exactly; NaN for 0x7f and 0xff}
   *
   * @param bits an E4M3 number
   */
  public static float toFloatE4m3(byte bits) {
    int code = bits & NAN;
    // Subnormal numbers become subnormal floats first, which the factor makes normal.
    float size = code == NAN ? Float.NaN : Float.intBitsToFloat(code << 20) * 0x1p120f;
    return Float.intBitsToFloat(Float.floatToRawIntBits(size) | (bits & SIGN) << 24);
  }

  /**
   * {@return the E5M2 number nearest to a float, ties to even; ±57,344 for all that are larger; NaN
   * becomes the positive NaN of which all bits are set, 0x7f}
   *
   * @param value any float
   */
  public static byte ofE5m2(float value) {
    int bits = Float.floatToRawIntBits(value);
    int size = bits & ~(1 << 31);
    if (size > INFINITY) {
      return NAN;
    }
    int code;
    if (Float.intBitsToFloat(size) < NORMAL_E5M2) {
      code =
          Float.floatToRawIntBits(Float.intBitsToFloat(size) + ROUNDER_E5M2)
              - Float.floatToRawIntBits(ROUNDER_E5M2);
    } else {
      // The exponent's bias is 15 instead of 127, and 21 bits of the fraction are rounded off.
      int rounded = size + 0xf_ffff + ((size >>> 21) & 1);
      code = Math.min((rounded >>> 21) - ((127 - 15) << 2), LARGEST_E5M2);
    }
    return (byte) (code | ((bits >>> 24) & SIGN));
  }

  /**
   * {@return the float that these 8 bits stand for in E5M2, exactly; infinity for 0x7c and 0xfc,
   * NaN for what is beyond}
   *
   * @param bits an E5M2 number
   */
  public static float toFloatE5m2(byte bits) {
    return Float.float16ToFloat((short) (bits << 8));
  }
}
