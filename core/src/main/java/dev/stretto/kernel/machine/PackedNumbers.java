package dev.stretto.kernel.machine;

import dev.stretto.memory.Bfloat;

/** Two 16-bit floating-point numbers in an {@code int}, as a GPU computes with them. */
public enum PackedNumbers {
  /** bfloat16. */
  BF16 {
    @Override
    public float toFloat(short bits) {
      return Bfloat.toFloat(bits);
    }

    @Override
    short round(float value) {
      return Bfloat.of(value);
    }
  },

  /** IEEE 754 binary16. */
  F16 {
    @Override
    public float toFloat(short bits) {
      return Float.float16ToFloat(bits);
    }

    @Override
    short round(float value) {
      return Float.floatToFloat16(value);
    }
  };

  /** The NaN that a GPU returns, whichever NaN it was given. */
  private static final short NAN = 0x7fff;

  private interface Function {
    double of(float a, float b, float c);
  }

  /** The number that 16 bits stand for. */
  public abstract float toFloat(short bits);

  /** Rounds to the nearest number, ties to even. The value must not be NaN. */
  abstract short round(float value);

  public float lower(int packed) {
    return toFloat((short) packed);
  }

  public float upper(int packed) {
    return toFloat((short) (packed >> 16));
  }

  public int pack(float lower, float upper) {
    return of(upper) << 16 | Short.toUnsignedInt(of(lower));
  }

  public int fma(int a, int b, int c) {
    return map(a, b, c, (x, y, z) -> sumToOdd((double) x * y, z));
  }

  public int add(int a, int b) {
    return map(a, b, 0, (x, y, _) -> sumToOdd(x, y));
  }

  public int multiply(int a, int b) {
    return map(a, b, 0, (x, y, _) -> (double) x * y);
  }

  public int max(int a, int b) {
    return map(a, b, 0, (x, y, _) -> Float.isNaN(x) ? y : Float.isNaN(y) ? x : Math.max(x, y));
  }

  public int min(int a, int b) {
    return map(a, b, 0, (x, y, _) -> Float.isNaN(x) ? y : Float.isNaN(y) ? x : Math.min(x, y));
  }

  /** Rounds a float to a fraction of 10 bits, ties away from zero. */
  public static int tf32(float value) {
    int bits = Float.floatToRawIntBits(value);
    if (Float.isNaN(value)) {
      return 0x7fffffff;
    }
    return Float.isInfinite(value) ? bits : bits + 0x1000 & ~0x1fff;
  }

  private int map(int a, int b, int c, Function function) {
    return narrow(function.of(upper(a), upper(b), upper(c))) << 16
        | Short.toUnsignedInt(narrow(function.of(lower(a), lower(b), lower(c))));
  }

  private short of(float value) {
    return Float.isNaN(value) ? NAN : round(value);
  }

  /**
   * Gives the result of a single rounding. The intermediate float is rounded to odd, so that it is
   * a tie only if the double was one.
   */
  private short narrow(double value) {
    float near = (float) value;
    if (Double.isFinite(value) && (double) near != value) {
      float toZero = Math.abs((double) near) > Math.abs(value) ? towardsZero(near) : near;
      near = Float.intBitsToFloat(Float.floatToRawIntBits(toZero) | 1);
    }
    return of(near);
  }

  private static float towardsZero(float value) {
    return Float.isInfinite(value)
        ? Math.copySign(Float.MAX_VALUE, value)
        : Float.intBitsToFloat(Float.floatToRawIntBits(value) - 1);
  }

  /** The sum, rounded to odd, so that rounding it again gives the correctly rounded sum. */
  private static double sumToOdd(double a, double b) {
    double sum = a + b;
    if (!Double.isFinite(sum)) {
      return sum;
    }
    // Knuth's two-sum: the error of the addition is a double itself.
    double aRounded = sum - b;
    double error = (a - aRounded) + (b - (sum - aRounded));
    if (error == 0 || (Double.doubleToRawLongBits(sum) & 1) != 0) {
      return sum;
    }
    return error > 0 ? Math.nextUp(sum) : Math.nextDown(sum);
  }
}
