package dev.stretto.kernel.machine;

import dev.stretto.memory.TensorMap;
import java.util.function.LongConsumer;

/**
 * The rows of a box that begins at some coordinates.
 *
 * @param map gives the box's extents
 * @param at where it begins, the innermost dimension first
 */
@SuppressWarnings("ArrayRecordComponent") // they are not compared
record TileRows(TensorMap map, int... at) implements BoxRows {
  @Override
  public void forEach(LongConsumer row) {
    int[] place = new int[at.length];
    do {
      row.accept(start(place));
    } while (next(place));
  }

  private long start(int[] row) {
    long start = 0;
    for (int i = 1; i < row.length; i++) {
      long place = at[i] + (long) row[i] * map.step(i);
      if (place < 0 || place >= map.extent(i)) {
        return -1;
      }
      start += place * map.stride(i);
    }
    return start;
  }

  private boolean next(int[] row) {
    for (int i = 1; i < row.length; i++) {
      row[i]++;
      if (row[i] < map.boxElements(i)) {
        return true;
      }
      row[i] = 0;
    }
    return false;
  }
}
