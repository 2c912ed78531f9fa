package dev.stretto.examples.kmeans;

import java.util.SplittableRandom;

/** k-means in doubles, and points to try it with. */
final class Reference {
  private Reference() {}

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

  /** {@return the sums, the counts and the cost} */
  static double[] totals(float[] points, Centres centres) {
    int width = centres.width();
    int count = centres.count();
    double[] totals = new double[KMeansStep.totals(width, count)];
    for (int at = 0; at < points.length; at += width) {
      int nearest = 0;
      double least = Double.POSITIVE_INFINITY;
      for (int c = 0; c < count; c++) {
        double distance = 0;
        for (int j = 0; j < width; j++) {
          double difference = points[at + j] - centres.get(c, j);
          distance += difference * difference;
        }
        if (distance < least) {
          least = distance;
          nearest = c;
        }
      }
      for (int j = 0; j < width; j++) {
        totals[nearest * width + j] += points[at + j];
      }
      totals[count * width + nearest]++;
      totals[count * width + count] += least;
    }
    return totals;
  }
}
