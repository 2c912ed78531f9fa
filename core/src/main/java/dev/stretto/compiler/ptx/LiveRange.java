package dev.stretto.compiler.ptx;

import java.util.Arrays;

/**
 * The half-open intervals of a kernel's text in which a value, or one of several values, is live.
 */
final class LiveRange {
  /** Beginnings and ends, in order. */
  private int[] bounds;

  LiveRange(int from, int to) {
    this.bounds = new int[] {from, to};
  }

  private LiveRange(int[] bounds) {
    this.bounds = bounds;
  }

  /** Whether both are live at the same place. */
  boolean meets(LiveRange other) {
    int i = 0;
    int j = 0;
    while (i < bounds.length && j < other.bounds.length) {
      if (bounds[i + 1] <= other.bounds[j]) {
        i += 2;
      } else if (other.bounds[j + 1] <= bounds[i]) {
        j += 2;
      } else {
        return true;
      }
    }
    return false;
  }

  /** Where at least one of the two is live. */
  LiveRange and(LiveRange other) {
    int[] all = new int[bounds.length + other.bounds.length];
    int count = 0;
    int i = 0;
    int j = 0;
    while (i < bounds.length || j < other.bounds.length) {
      boolean first =
          j == other.bounds.length || (i < bounds.length && bounds[i] <= other.bounds[j]);
      int from = first ? bounds[i] : other.bounds[j];
      int to = first ? bounds[i + 1] : other.bounds[j + 1];
      if (first) {
        i += 2;
      } else {
        j += 2;
      }
      if (count > 0 && all[count - 1] >= from) {
        all[count - 1] = Math.max(all[count - 1], to);
      } else {
        all[count++] = from;
        all[count++] = to;
      }
    }
    return new LiveRange(Arrays.copyOf(all, count));
  }
}
