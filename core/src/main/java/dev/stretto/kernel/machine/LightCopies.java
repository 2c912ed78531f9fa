package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The {@code cp.async} copies of a block that nobody watches. A copy's destination is undefined
 * until its thread waits for its group, and only then it is copied.
 */
final class LightCopies {
  private static final int FIRST_ROOM = 16;

  private final MemorySegment shared;
  private final int[] head;
  private final int[] tail;
  private final int[] group;

  /** How many copies a thread has begun before the one at the begin of its row. */
  private final int[] before;

  /** What copies a thread has begun, from the head to the tail of each row. */
  private final long[][] offsets;

  private final MemorySegment[][] sources;
  private final int[][] places;
  private final int[][] sizes;
  private final int[][] groups;

  LightCopies(MemorySegment shared, int threads) {
    this.shared = shared;
    this.head = new int[threads];
    this.tail = new int[threads];
    this.group = new int[threads];
    this.before = new int[threads];
    this.offsets = new long[threads][FIRST_ROOM];
    this.sources = new MemorySegment[threads][FIRST_ROOM];
    this.places = new int[threads][FIRST_ROOM];
    this.sizes = new int[threads][FIRST_ROOM];
    this.groups = new int[threads][FIRST_ROOM];
  }

  void begin() {
    Arrays.fill(head, 0);
    Arrays.fill(tail, 0);
    Arrays.fill(group, 0);
    Arrays.fill(before, 0);
  }

  /**
   * Begins a copy.
   *
   * @param to where in the block's memory
   * @param bytes 4, 8 or 16
   */
  void copy(int thread, int to, MemorySegment from, long offset, int bytes) {
    int at = tail[thread];
    if (at == places[thread].length) {
      at = makeRoom(thread);
    }
    offsets[thread][at] = offset;
    sources[thread][at] = from;
    places[thread][at] = to;
    sizes[thread][at] = bytes;
    groups[thread][at] = group[thread];
    tail[thread] = at + 1;
    for (int i = 0; i < bytes; i += Integer.BYTES) {
      shared.set(ValueLayout.JAVA_INT_UNALIGNED, to + (long) i, (int) UndefinedValues.LONG);
    }
  }

  /** Moves what is there to the begin of its row, or makes the row longer. */
  private int makeRoom(int thread) {
    int from = head[thread];
    int count = tail[thread] - from;
    if (from == 0) {
      int room = 2 * count;
      offsets[thread] = Arrays.copyOf(offsets[thread], room);
      sources[thread] = Arrays.copyOf(sources[thread], room);
      places[thread] = Arrays.copyOf(places[thread], room);
      sizes[thread] = Arrays.copyOf(sizes[thread], room);
      groups[thread] = Arrays.copyOf(groups[thread], room);
    } else {
      System.arraycopy(offsets[thread], from, offsets[thread], 0, count);
      System.arraycopy(sources[thread], from, sources[thread], 0, count);
      System.arraycopy(places[thread], from, places[thread], 0, count);
      System.arraycopy(sizes[thread], from, sizes[thread], 0, count);
      System.arraycopy(groups[thread], from, groups[thread], 0, count);
      before[thread] += from;
      head[thread] = 0;
      tail[thread] = count;
    }
    return count;
  }

  void commit(int thread) {
    group[thread]++;
  }

  /** Waits until all groups of a thread but the newest are complete. */
  void await(int thread, int pending) {
    int complete = group[thread] - pending;
    int at = head[thread];
    int end = tail[thread];
    int[] numbers = groups[thread];
    while (at < end && numbers[at] < complete) {
      land(thread, at++);
    }
    areLanded(thread, at);
  }

  private void areLanded(int thread, int behind) {
    if (behind == tail[thread]) {
      before[thread] += behind;
      head[thread] = 0;
      tail[thread] = 0;
    } else {
      head[thread] = behind;
    }
  }

  /** How many copies a thread has begun. */
  int last(int thread) {
    return before[thread] + tail[thread];
  }

  /** Whether a thread's copies have happened, so many of them. */
  boolean areDone(int thread, int last) {
    return before[thread] + head[thread] >= last;
  }

  /** Lets so many of a thread's copies happen. */
  void happen(int thread, int last) {
    int at = head[thread];
    int end = last - before[thread];
    while (at < end) {
      land(thread, at++);
    }
    areLanded(thread, at);
  }

  void awaitAll(int thread) {
    commit(thread);
    await(thread, 0);
  }

  private void land(int thread, int at) {
    long to = places[thread][at];
    long from = offsets[thread][at];
    MemorySegment source = sources[thread][at];
    switch (sizes[thread][at]) {
      case Integer.BYTES ->
          shared.set(
              ValueLayout.JAVA_INT_UNALIGNED, to, source.get(ValueLayout.JAVA_INT_UNALIGNED, from));
      case Long.BYTES ->
          shared.set(
              ValueLayout.JAVA_LONG_UNALIGNED,
              to,
              source.get(ValueLayout.JAVA_LONG_UNALIGNED, from));
      default -> {
        long low = source.get(ValueLayout.JAVA_LONG_UNALIGNED, from);
        long high = source.get(ValueLayout.JAVA_LONG_UNALIGNED, from + Long.BYTES);
        shared.set(ValueLayout.JAVA_LONG_UNALIGNED, to, low);
        shared.set(ValueLayout.JAVA_LONG_UNALIGNED, to + Long.BYTES, high);
      }
    }
  }
}
