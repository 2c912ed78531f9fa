package dev.stretto.kernels.product;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.FastMath;
import dev.stretto.kernel.Ptx;
import dev.stretto.memory.Bfloat;
import dev.stretto.memory.GlobalShorts;

/** What kernels do to a sum before they store it. */
final class Epilogue {
  private static final int RELU = 1;
  private static final int GELU = 2;
  private static final int SILU = 3;

  /** 2 * sqrt(2 / pi). */
  private static final float SCALE = 1.5957692f;

  private static final float CUBIC = 0.044715f;

  private Epilogue() {}

  /** {@return a sum with the column's bias, through the activation} */
  static float finish(float sum, GlobalShorts bias, int column, int n, @Const int variant) {
    return activate(column < n ? sum + bias(bias, column, variant) : sum, variant);
  }

  /** {@return the bias of a column; if there is none, what no sum changes by} */
  static float bias(GlobalShorts bias, int column, @Const int variant) {
    return Variant.has(variant, Variant.BIASED) ? toFloat(bias.get(column), variant) : -0f;
  }

  /** {@return the activation of a number} */
  static float activate(float x, @Const int variant) {
    int activation = Variant.activation(variant);
    if (activation == RELU) {
      return Math.max(x, 0);
    }
    if (activation == GELU) {
      return overOnePlusExp(x, -SCALE * (x + CUBIC * x * x * x));
    }
    if (activation == SILU) {
      return overOnePlusExp(x, -x);
    }
    return x;
  }

  private static float overOnePlusExp(float x, float power) {
    return FastMath.divide(x, 1 + FastMath.exp(power));
  }

  static float toFloat(short bits, @Const int variant) {
    return Variant.has(variant, Variant.BFLOAT) ? Bfloat.toFloat(bits) : Float.float16ToFloat(bits);
  }

  static short round(float value, @Const int variant) {
    return Variant.has(variant, Variant.BFLOAT) ? Bfloat.of(value) : Float.floatToFloat16(value);
  }

  /** {@return two numbers rounded, the first one in the lower half} */
  static int pack(float first, float second, @Const int variant) {
    return Variant.has(variant, Variant.BFLOAT)
        ? Ptx.cvtRnBf16x2F32(second, first)
        : Ptx.cvtRnF16x2F32(second, first);
  }
}
