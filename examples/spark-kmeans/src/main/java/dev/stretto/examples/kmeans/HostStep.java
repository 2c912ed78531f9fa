package dev.stretto.examples.kmeans;

/** What a step computes, in doubles on the host: slow, and plainly right. */
final class HostStep {
  private HostStep() {}

  /** {@return the sums of each centre, the counts, and the cost} */
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
