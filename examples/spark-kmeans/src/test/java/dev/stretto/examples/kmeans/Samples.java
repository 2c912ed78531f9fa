package dev.stretto.examples.kmeans;

import java.util.SplittableRandom;

/** Points and centres to try. */
final class Samples {
  private Samples() {}

  /** Points around some places, in no order. */
  static float[] clustered(int n, int width, int places, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Centres around = centres(width, places, seed);
    float[] points = new float[n * width];
    for (int i = 0; i < n; i++) {
      int place = random.nextInt(places);
      for (int j = 0; j < width; j++) {
        points[i * width + j] = (float) (around.get(place, j) + random.nextGaussian());
      }
    }
    return points;
  }

  static Centres centres(int width, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double[] values = new double[width * count];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (3 + 10 * random.nextGaussian());
    }
    return new Centres(width, values);
  }
}
