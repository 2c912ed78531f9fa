package dev.stretto.examples.kmeans;

/**
 * What a launch works on.
 *
 * @param points how many points there are
 * @param width the coordinates of a point
 * @param centres how many centres there are
 * @param isBounded whether the scores of the tensor cores are within their bounds
 */
record Shape(int points, int width, int centres, boolean isBounded) {
  /** How many steps it takes to multiply all coordinates. */
  int slices() {
    return (width + Assignment.DEPTH - 1) / Assignment.DEPTH;
  }

  /** How many tiles the centres make. */
  int tiles() {
    return (centres + Assignment.CENTRES - 1) / Assignment.CENTRES;
  }

  /** The coordinates of a point with those that fill up the last step. */
  int paddedWidth() {
    return slices() * Assignment.DEPTH;
  }

  /** The centres with those that fill up the last tile. */
  int paddedCentres() {
    return tiles() * Assignment.CENTRES;
  }
}
