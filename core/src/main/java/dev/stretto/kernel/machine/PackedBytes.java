package dev.stretto.kernel.machine;

import dev.stretto.memory.Fp8;

/** 8-bit floating-point numbers in an {@code int}, as a GPU computes with them. */
public enum PackedBytes {
  /** Four bits of exponent, three of fraction. */
  E4M3(Fp8::ofE4m3, Fp8::toFloatE4m3),

  /** Five bits of exponent, two of fraction. */
  E5M2(Fp8::ofE5m2, Fp8::toFloatE5m2);

  private static final int CODES = 256;

  private interface Rounding {
    byte of(float value);
  }

  private interface Meaning {
    float of(byte bits);
  }

  private final Rounding rounding;

  /** What each byte stands for. */
  private final float[] numbers = new float[CODES];

  PackedBytes(Rounding rounding, Meaning meaning) {
    this.rounding = rounding;
    for (int code = 0; code < CODES; code++) {
      numbers[code] = meaning.of((byte) code);
    }
  }

  /** The number in one of the four bytes, of which 0 is the lowest. */
  public float number(int packed, int index) {
    return numbers[packed >>> 8 * index & 0xff];
  }

  /** Two numbers in the lower half, each rounded to the nearest, ties to even. */
  public int pair(float lower, float upper) {
    return Byte.toUnsignedInt(rounding.of(upper)) << 8 | Byte.toUnsignedInt(rounding.of(lower));
  }

  /** The two numbers in the lower half as binary16 numbers. */
  public int toHalfs(int pair) {
    return PackedNumbers.F16.pack(number(pair, 0), number(pair, 1));
  }
}
