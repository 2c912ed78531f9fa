package dev.stretto.examples.kmeans;

/**
 * What the tensor cores get of the centres, and how far their scores may be off. It is computed in
 * doubles, and rounded outwards.
 *
 * <p>Points and centres are taken relative to the mean of the centres. A number of ten bits is off
 * by {@code 2^-11} of itself, a product of two by {@code 2^-10} and a little more, and the products
 * of a point and a centre together by that part of {@code |x| |c|}, by Cauchy and Schwarz. Each
 * addition is off by {@code 2^-21} of that at most, also where tensor cores cut instead of
 * rounding.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Bounds(float[] mean, float[] rounded, float[] ranges, boolean isTrue) {
  static Bounds of(Centres centres) {
    Shape shape = new Shape(0, centres.width(), centres.count(), true);
    int width = centres.width();
    int stride = shape.paddedWidth();
    float[] mean = new float[stride];
    for (int j = 0; j < width; j++) {
      double sum = 0;
      for (int i = 0; i < centres.count(); i++) {
        sum += centres.get(i, j) / centres.count();
      }
      mean[j] = (float) sum;
    }
    float[] rounded = new float[shape.paddedCentres() * stride];
    float[] ranges = new float[4 * shape.paddedCentres()];
    double part = 2 * (0x1p-10 + width * 0x1p-21 + 0x1p-18);
    boolean isTrue = true;
    for (int i = 0; i < shape.paddedCentres(); i++) {
      if (i >= centres.count()) {
        ranges[4 * i] = Float.POSITIVE_INFINITY; // is never the nearest
        ranges[4 * i + 1] = Float.POSITIVE_INFINITY;
        continue;
      }
      double square = 0;
      for (int j = 0; j < width; j++) {
        double relative = centres.get(i, j) - mean[j];
        square += relative * relative;
        rounded[i * stride + j] = tensorFloat((float) relative);
      }
      isTrue &= square < Assignment.MOST;
      // Rounding of the square and of the sums with it, and what is too small for a float.
      double margin = square * 0x1p-20 + width * 0x1p-120;
      ranges[4 * i] = Math.nextDown((float) (square - margin));
      ranges[4 * i + 1] = Math.nextUp((float) (square + margin));
      // The length of a point is computed in floats as well.
      ranges[4 * i + 2] = Math.nextUp((float) (part * Math.sqrt(square) * (1 + 0x1p-9)));
    }
    return new Bounds(mean, rounded, ranges, isTrue);
  }

  /** The nearest number with ten bits, as the device rounds. */
  private static float tensorFloat(float value) {
    return Float.intBitsToFloat((Float.floatToRawIntBits(value) + 0x1000) & ~0x1fff);
  }
}
