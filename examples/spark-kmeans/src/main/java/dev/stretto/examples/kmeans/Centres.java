package dev.stretto.examples.kmeans;

import java.util.Arrays;

/** The centres of an iteration, in doubles. They do not change. */
public final class Centres {
  /** So many coordinates may a point have: the bounds of its scores hold up to there. */
  public static final int MOST_WIDTH = 4096;

  /** So many centres may there be. */
  public static final int MOST = 65_536;

  private static final int MOST_NUMBERS = 1 << 27;

  private final int width;
  private final double[] values;

  /**
   * @param width the coordinates of a centre
   * @param values one centre after the other
   * @throws IllegalArgumentException if they are no centres, too many, too wide or not finite
   */
  public Centres(int width, double[] values) {
    requireSizes(width, values.length / Math.max(1, width));
    if (values.length % width != 0) {
      throw new IllegalArgumentException(
          "%d numbers are no centres of %d coordinates".formatted(values.length, width));
    }
    for (int i = 0; i < values.length; i++) {
      if (!(Math.abs(values[i]) <= Float.MAX_VALUE)) {
        throw new IllegalArgumentException(
            "coordinate %d of centre %d is %s: it must be a finite float"
                .formatted(i % width, i / width, values[i]));
      }
    }
    this.width = width;
    this.values = values.clone();
  }

  /**
   * @throws IllegalArgumentException if there cannot be such centres
   */
  static void requireSizes(int width, int count) {
    if (width < 1 || width > MOST_WIDTH) {
      throw new IllegalArgumentException(
          "points of %d coordinates: they may have 1 to %d".formatted(width, MOST_WIDTH));
    }
    if (count < 1 || count > MOST || (long) count * width > MOST_NUMBERS) {
      throw new IllegalArgumentException(
          "%d centres of %d coordinates: there may be 1 to %d, and %d numbers in all"
              .formatted(count, width, MOST, MOST_NUMBERS));
    }
  }

  /** {@return the coordinates of a centre} */
  public int width() {
    return width;
  }

  /** {@return how many there are} */
  public int count() {
    return values.length / width;
  }

  /**
   * {@return a coordinate}
   *
   * @param centre its number
   * @param coordinate its number
   */
  public double get(int centre, int coordinate) {
    return values[centre * width + coordinate];
  }

  /** {@return all numbers, one centre after the other} */
  public double[] values() {
    return values.clone();
  }

  /**
   * {@return the means of the points that are nearest to each centre; a centre without points stays
   * where it is}
   *
   * @param totals the sums of each centre, then the counts, as {@link KMeansStep} has them
   */
  Centres moved(double[] totals) {
    double[] moved = values.clone();
    for (int i = 0; i < values.length; i++) {
      double count = totals[values.length + i / width];
      if (count > 0) {
        moved[i] = totals[i] * (1 / count); // as MLlib scales
      }
    }
    return new Centres(width, moved);
  }

  /**
   * {@return whether no centre has moved farther}
   *
   * @param other the centres before
   * @param tolerance a distance
   */
  boolean isWithin(Centres other, double tolerance) {
    for (int i = 0; i < count(); i++) {
      double square = 0;
      for (int j = 0; j < width; j++) {
        double difference = get(i, j) - other.get(i, j);
        square += difference * difference;
      }
      if (square > tolerance * tolerance) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Centres that
        && width == that.width
        && Arrays.equals(values, that.values);
  }

  @Override
  public int hashCode() {
    return 31 * width + Arrays.hashCode(values);
  }

  @Override
  public String toString() {
    return count() + " centres of " + width + " coordinates";
  }
}
