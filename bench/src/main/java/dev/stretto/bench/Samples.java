package dev.stretto.bench;

import java.util.Arrays;

/** Medians. */
final class Samples {
  /** Measures once and returns a figure. */
  @FunctionalInterface
  interface Measurement {
    double once();
  }

  private Samples() {}

  /** The median of {@code count} measurements, after one that is discarded. */
  static double median(int count, Measurement measurement) {
    measurement.once();
    double[] figures = new double[count];
    for (int i = 0; i < count; i++) {
      figures[i] = measurement.once();
    }
    Arrays.sort(figures);
    return figures[count / 2];
  }
}
