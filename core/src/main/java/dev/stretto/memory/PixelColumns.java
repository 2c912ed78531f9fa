package dev.stretto.memory;

/**
 * The numbers of a tensor map for im2col that a map of boxes does not have.
 *
 * @param channels how many channels of a pixel a copy brings
 * @param pixels how many pixels it brings
 * @param lower the lower corner of the bounding box, the width first
 * @param upper its upper corner
 */
@SuppressWarnings("ArrayRecordComponent") // they are not compared
record PixelColumns(int channels, int pixels, int[] lower, int[] upper) {
  private static final int LEAST_DIMENSIONS = 3;
  private static final int MOST_CHANNELS = 256;
  private static final int MOST_PIXELS = 1024;
  private static final long MOST_BYTES = (1 << 20) - 1;

  /** The bits of a corner's place, for images of one, two and three dimensions. */
  private static final int[] CORNER_BITS = {16, 8, 5};

  /** A column in a tensor; a corner that is empty is that of the image. */
  static PixelColumns of(int channels, int pixels, int rank, int[] lower, int[] upper) {
    require(
        rank >= LEAST_DIMENSIONS && rank <= TensorMap.MOST_DIMENSIONS,
        "a tensor of %d dimensions in a map for im2col: it has to have %d to %d, the channels,"
            + " one to three of the images, and the images",
        rank,
        LEAST_DIMENSIONS,
        TensorMap.MOST_DIMENSIONS);
    int within = rank - 2;
    return new PixelColumns(
        channels,
        pixels,
        lower.length == 0 ? new int[within] : lower,
        upper.length == 0 ? new int[within] : upper);
  }

  /** Requires that a device takes them. */
  void require(long[] shape, int[] steps, int elementBytes) {
    require(
        channels >= 1 && channels <= MOST_CHANNELS,
        "%d channels per pixel: there have to be 1 to %d",
        channels,
        MOST_CHANNELS);
    require(
        pixels >= 1 && pixels <= MOST_PIXELS,
        "%d pixels per column: there have to be 1 to %d",
        pixels,
        MOST_PIXELS);
    long bytes = (long) channels * pixels * elementBytes;
    require(
        bytes <= MOST_BYTES,
        "a column of %d bytes: a barrier can expect at most %d",
        bytes,
        MOST_BYTES);
    requireCorner("lower", lower, shape.length);
    requireCorner("upper", upper, shape.length);
    for (int i = 0; i < lower.length; i++) {
      long extent = shape[i + 1] + upper[i] - lower[i];
      require(
          extent > 0,
          "the bounding box in dimension %d is empty: it goes from %d to %d, the last of %d pixels"
              + " and %d more",
          i + 1,
          lower[i],
          shape[i + 1] - 1 + upper[i],
          shape[i + 1],
          upper[i]);
    }
    for (int i = 0; i < steps.length; i++) {
      require(
          steps[i] >= 1 && steps[i] <= TensorMap.MOST_STEP,
          "step %d is %d: it has to be 1 to %d",
          i,
          steps[i],
          TensorMap.MOST_STEP);
    }
    require(
        steps[0] == 1 && steps[steps.length - 1] == 1,
        "steps %d of channels and %d of images: for im2col both have to be 1",
        steps[0],
        steps[steps.length - 1]);
  }

  private static void requireCorner(String which, int[] corner, int rank) {
    require(
        corner.length == rank - 2,
        "%d places of the %s corner for a tensor of %d dimensions: there have to be %d, the width"
            + " first",
        corner.length,
        which,
        rank,
        rank - 2);
    int most = 1 << (CORNER_BITS[corner.length - 1] - 1);
    for (int i = 0; i < corner.length; i++) {
      require(
          corner[i] >= -most && corner[i] < most,
          "place %d of the %s corner is %d: for a tensor of %d dimensions it has to be %d to %d",
          i,
          which,
          corner[i],
          rank,
          -most,
          most - 1);
    }
  }

  @SuppressWarnings("AnnotateFormatMethod") // the annotation would add a dependency
  private static void require(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new IllegalArgumentException(message.formatted(values));
    }
  }
}
