package dev.stretto.kernel.machine;

import dev.stretto.memory.Fp8;

/** 8-bit floating-point numbers in an {@code int}, as a GPU computes with them. */
public enum PackedBytes {
  /** Four bits of exponent, three of fraction. */
  E4M3 {
    @Override
    float toFloat(byte bits) {
      return Fp8.toFloatE4m3(bits);
    }

    @Override
    byte round(float value) {
      return Fp8.ofE4m3(value);
    }
  },

  /** Five bits of exponent, two of fraction. */
  E5M2 {
    @Override
    float toFloat(byte bits) {
      return Fp8.toFloatE5m2(bits);
    }

    @Override
    byte round(float value) {
      return Fp8.ofE5m2(value);
    }
  };

  abstract float toFloat(byte bits);

  /** Rounds to the nearest number, ties to even; what is too large becomes the largest one. */
  abstract byte round(float value);

  /** The number in one of the four bytes, of which 0 is the lowest. */
  public float number(int packed, int index) {
    return toFloat((byte) (packed >>> (8 * index)));
  }

  /** Two numbers in the lower half, each rounded to the nearest, ties to even. */
  public int pair(float lower, float upper) {
    return Byte.toUnsignedInt(round(upper)) << 8 | Byte.toUnsignedInt(round(lower));
  }

  /** The two numbers in the lower half as binary16 numbers. */
  public int toHalfs(int pair) {
    return PackedNumbers.F16.pack(number(pair, 0), number(pair, 1));
  }
}
