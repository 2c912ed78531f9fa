package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.memory.TensorMap;
import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The pixels of a column, as the im2col mode of PTX visits them: along the width with its step, and
 * from each end of the bounding box back to its lower corner in the next line, plane and image.
 *
 * @param map gives the bounding box and the number of pixels
 * @param at the first pixel: a channel, places within the bounding box, an image
 * @param offsets what is added to the places of each pixel, the width first
 */
@SuppressWarnings("ArrayRecordComponent") // they are not compared
record PixelRows(TensorMap map, int[] at, int[] offsets) implements BoxRows {
  /** The bits of an offset, for images of one, two and three dimensions. */
  private static final int[] OFFSET_BITS = {16, 8, 5};

  /** {@return no offsets, for a tensor of a number of dimensions} */
  static int[] noOffsets(int dimensions) {
    return new int[dimensions - 2];
  }

  /** Requires that the instruction defines what the column is. */
  void requireDefined(String what) {
    int most = (1 << OFFSET_BITS[offsets.length - 1]) - 1;
    for (int offset : offsets) {
      if (offset < 0 || offset > most) {
        throw new IllegalArgumentException(
            CopyRule.OUT_OF_RANGE.title()
                + ": "
                + what
                + " with offsets "
                + Arrays.toString(offsets)
                + ": with "
                + at.length
                + " coordinates each has to be 0 to "
                + most);
      }
    }
    for (int i = 1; i <= offsets.length; i++) {
      if (at[i] < first(i) || at[i] > last(i)) {
        throw new IllegalArgumentException(
            CopyRule.OUT_OF_RANGE.title()
                + ": "
                + what
                + " at "
                + Arrays.toString(at)
                + ": place "
                + i
                + " is outside of the map's bounding box, which goes from "
                + first(i)
                + " to "
                + last(i)
                + " there");
      }
    }
  }

  private int first(int dimension) {
    return map.lowerCorner()[dimension - 1];
  }

  private long last(int dimension) {
    return map.extent(dimension) - 1 + map.upperCorner()[dimension - 1];
  }

  @Override
  public void forEach(LongConsumer row) {
    int images = at.length - 1;
    long[] place = new long[at.length];
    long[] last = new long[at.length];
    int[] first = new int[at.length];
    for (int i = 1; i < at.length; i++) {
      place[i] = at[i];
      first[i] = i < images ? first(i) : 0;
      last[i] = i < images ? last(i) : Long.MAX_VALUE;
    }
    for (int pixel = 0; pixel < map.box(1); pixel++) {
      row.accept(start(place));
      int i = 1;
      while (i < images && place[i] + map.step(i) > last[i]) {
        place[i] = first[i];
        i++;
      }
      place[i] += map.step(i);
    }
  }

  private long start(long[] pixel) {
    long start = 0;
    for (int i = 1; i < pixel.length; i++) {
      long place = pixel[i] + (i <= offsets.length ? offsets[i - 1] : 0);
      if (place < 0 || place >= map.extent(i)) {
        return -1;
      }
      start += place * map.stride(i);
    }
    return start;
  }
}
