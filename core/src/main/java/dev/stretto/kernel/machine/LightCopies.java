package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/**
 * The {@code cp.async} copies of a block that nobody watches. A copy's destination is undefined
 * until its thread waits for its group, and only then it is copied.
 */
final class LightCopies {
  private static final int FIRST_ROOM = 8;

  // A copy's place, its size and its group are one number.
  private static final int PLACES = (1 << 20) - 1;
  private static final int SIZE = 20;
  private static final int SIZES = 0x1f;
  private static final int GROUP = 25;

  /** The block's memory. */
  private final int[] words;

  private final int[] head;
  private final int[] tail;
  private final int[] group;

  /** How many copies a thread has begun before the one at the begin of its row. */
  private final int[] before;

  /** So many copies of each thread fit. */
  private int room = FIRST_ROOM;

  /** What copies threads have begun: a row for each, from its head to its tail. */
  private long[] offsets;

  private long[] places;
  private MemorySegment[] sources;

  /**
   * Creates room for copies.
   *
   * @param words the block's memory
   * @param threads how many may copy
   */
  LightCopies(int[] words, int threads) {
    this.words = words;
    this.head = new int[threads];
    this.tail = new int[threads];
    this.group = new int[threads];
    this.before = new int[threads];
    this.offsets = new long[threads * room];
    this.places = new long[threads * room];
    this.sources = new MemorySegment[threads * room];
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
   * @param to where in the block's memory, a multiple of the number of bytes
   * @param bytes 4, 8 or 16
   */
  void copy(int thread, int to, MemorySegment from, long offset, int bytes) {
    if (tail[thread] == room) {
      makeRoom(thread);
    }
    int at = thread * room + tail[thread]++;
    offsets[at] = offset;
    sources[at] = from;
    places[at] = (long) group[thread] << GROUP | (long) bytes << SIZE | to;
    int word = to / Integer.BYTES;
    for (int end = word + bytes / Integer.BYTES; word < end; word++) {
      words[word] = (int) UndefinedValues.LONG;
    }
  }

  /** Moves what is there to the begin of its row, or makes the rows longer. */
  private void makeRoom(int thread) {
    int from = head[thread];
    int count = tail[thread] - from;
    int row = thread * room;
    if (from == 0) {
      lengthen();
      return;
    }
    System.arraycopy(offsets, row + from, offsets, row, count);
    System.arraycopy(places, row + from, places, row, count);
    System.arraycopy(sources, row + from, sources, row, count);
    before[thread] += from;
    head[thread] = 0;
    tail[thread] = count;
  }

  private void lengthen() {
    int longer = 2 * room;
    long[] allOffsets = new long[head.length * longer];
    long[] allPlaces = new long[allOffsets.length];
    MemorySegment[] allSources = new MemorySegment[allOffsets.length];
    for (int thread = 0; thread < head.length; thread++) {
      System.arraycopy(offsets, thread * room, allOffsets, thread * longer, room);
      System.arraycopy(places, thread * room, allPlaces, thread * longer, room);
      System.arraycopy(sources, thread * room, allSources, thread * longer, room);
    }
    offsets = allOffsets;
    places = allPlaces;
    sources = allSources;
    room = longer;
  }

  void commit(int thread) {
    group[thread]++;
  }

  /** Waits until all groups of a thread but the newest are complete. */
  void await(int thread, int pending) {
    int complete = group[thread] - pending;
    int at = head[thread];
    int end = tail[thread];
    int row = thread * room;
    while (at < end && places[row + at] >>> GROUP < complete) {
      land(row + at++);
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
      land(thread * room + at++);
    }
    areLanded(thread, at);
  }

  void awaitAll(int thread) {
    commit(thread);
    await(thread, 0);
  }

  private void land(int at) {
    long place = places[at];
    int to = (int) place & PLACES;
    int bytes = (int) (place >>> SIZE) & SIZES;
    long from = offsets[at];
    MemorySegment source = sources[at];
    int word = to / Integer.BYTES;
    if (bytes == Integer.BYTES) {
      words[word] = source.get(ValueLayout.JAVA_INT_UNALIGNED, from);
      return;
    }
    StepWords.setLong(words, to, source.get(ValueLayout.JAVA_LONG_UNALIGNED, from));
    if (bytes > Long.BYTES) {
      long second = source.get(ValueLayout.JAVA_LONG_UNALIGNED, from + Long.BYTES);
      StepWords.setLong(words, to + Long.BYTES, second);
    }
  }
}
