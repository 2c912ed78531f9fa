package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;

/**
 * Functions as a GPU computes them in a few cycles: less accurate than those of {@link Math},
 * within the error that each one states. On a virtual device each returns the exact result, rounded
 * to a float, so the results of the two may differ by that error.
 *
 * <p>An ulp is the distance between two neighbouring floats.
 */
public final class FastMath {
  private FastMath() {}

  /**
   * {@return {@code e} to this power; off by {@code 2 + abs(1.173 * x)} ulps} The equivalent of
   * {@code __expf} in CUDA C++. Results below {@link Float#MIN_NORMAL} are 0.
   *
   * @param x any float
   */
  @Instruction(
      value = {
        "{",
        ".reg .f32 scaled;",
        "mul.rn.f32 scaled, $0, 0f3FB8AA3B;",
        "ex2.approx.ftz.f32 $r, scaled;",
        "}"
      },
      pure = true)
  public static float exp(float x) {
    return (float) Math.exp(x);
  }

  /**
   * {@return 2 to this power; off by 2^-22 of the result}
   *
   * @param x any float
   */
  @Instruction(value = "ex2.approx.f32 $r, $0;", pure = true)
  public static float exp2(float x) {
    return (float) Math.pow(2, x);
  }

  /**
   * {@return the natural logarithm; off by 2^-21.4 between 0.5 and 2, elsewhere by 3 ulps} The
   * equivalent of {@code __logf} in CUDA C++.
   *
   * @param x any float
   */
  @Instruction(
      value = {
        "{",
        ".reg .f32 binary;",
        "lg2.approx.f32 binary, $0;",
        "mul.rn.f32 $r, binary, 0f3F317218;",
        "}"
      },
      pure = true)
  public static float log(float x) {
    return (float) Math.log(x);
  }

  /**
   * {@return the binary logarithm; off by 2^-22 between 0.5 and 2, elsewhere by 2^-22 of the
   * result}
   *
   * @param x any float
   */
  @Instruction(value = "lg2.approx.f32 $r, $0;", pure = true)
  public static float log2(float x) {
    return (float) (Math.log(x) / Math.log(2));
  }

  /**
   * {@return the sine; off by 2^-20.5 between {@code -PI} and {@code PI}, by more for larger
   * angles}
   *
   * @param x an angle in radians
   */
  @Instruction(value = "sin.approx.f32 $r, $0;", pure = true)
  public static float sin(float x) {
    return (float) Math.sin(x);
  }

  /**
   * {@return the cosine; off by 2^-20.5 between {@code -PI} and {@code PI}, by more for larger
   * angles}
   *
   * @param x an angle in radians
   */
  @Instruction(value = "cos.approx.f32 $r, $0;", pure = true)
  public static float cos(float x) {
    return (float) Math.cos(x);
  }

  /**
   * {@return the hyperbolic tangent; off by 2^-10.9 of the result}
   *
   * @param x any float
   */
  @Instruction(value = "tanh.approx.f32 $r, $0;", pure = true)
  public static float tanh(float x) {
    return (float) Math.tanh(x);
  }

  /**
   * {@return {@code 1 / sqrt(x)}; off by 2^-22.9 of the result}
   *
   * @param x any float
   */
  @Instruction(value = "rsqrt.approx.f32 $r, $0;", pure = true)
  public static float rsqrt(float x) {
    return (float) (1 / Math.sqrt(x));
  }

  /**
   * {@return the square root; off by 2^-23 of the result}
   *
   * @param x any float
   */
  @Instruction(value = "sqrt.approx.f32 $r, $0;", pure = true)
  public static float sqrt(float x) {
    return (float) Math.sqrt(x);
  }

  /**
   * {@return {@code 1 / x}; off by 1 ulp}
   *
   * @param x any float
   */
  @Instruction(value = "rcp.approx.f32 $r, $0;", pure = true)
  public static float reciprocal(float x) {
    return (float) (1 / (double) x);
  }

  /**
   * {@return {@code x / y}; off by 2 ulps, and 0 if {@code abs(y)} is greater than 2^126}
   *
   * @param x the dividend
   * @param y the divisor
   */
  @Instruction(value = "div.approx.f32 $r, $0, $1;", pure = true)
  public static float divide(float x, float y) {
    return (float) ((double) x / y);
  }
}
