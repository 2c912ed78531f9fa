package dev.stretto.kernel.math;

/** {@link DeviceRoot} in single precision. */
final class DeviceFloatRoot {
  /** Chosen to minimize the greatest error of the estimate below. */
  private static final int INVERSE_BITS = 0x54a21d2a;

  private DeviceFloatRoot() {}

  static float cbrtf(float x) {
    float a = Math.abs(x);
    if (a == 0 || !(a < Float.POSITIVE_INFINITY)) {
      return x;
    }
    boolean small = a < 0x1p-60f;
    float scaled = small ? a * 0x1p90f : a;
    float y = Float.intBitsToFloat(INVERSE_BITS - Float.floatToRawIntBits(scaled) / 3);
    for (int round = 0; round < 2; round++) {
      float error = Math.fma(-scaled * y, y * y, 1);
      y = Math.fma(y * error, Math.fma(2f / 9, error, 1f / 3), y);
    }
    float square = y * y;
    float root = scaled * square;
    float rootSquare = root * root;
    float lost = Math.fma(root, root, -rootSquare);
    float residue = Math.fma(-lost, root, Math.fma(-rootSquare, root, scaled));
    root = Math.fma(residue, square * (1f / 3), root);
    return Math.copySign(small ? root * 0x1p-30f : root, x);
  }

  static float hypotf(float x, float y) {
    float a = Math.max(Math.abs(x), Math.abs(y));
    float b = Math.min(Math.abs(x), Math.abs(y));
    if (Math.abs(x) == Float.POSITIVE_INFINITY || Math.abs(y) == Float.POSITIVE_INFINITY) {
      return Float.POSITIVE_INFINITY;
    }
    float factor = a > 0x1p60f ? 0x1p-80f : a < 0x1p-40f ? 0x1p100f : 1;
    float back = a > 0x1p60f ? 0x1p80f : a < 0x1p-40f ? 0x1p-100f : 1;
    float p = a * factor;
    float q = b * factor;
    return (float) Math.sqrt(Math.fma(p, p, q * q)) * back;
  }
}
