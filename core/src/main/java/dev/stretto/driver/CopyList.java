package dev.stretto.driver;

import java.util.Arrays;

/**
 * Copies that may be done in any order: no destination overlaps another destination or a source.
 * Host memory is pinned or registered.
 */
public final class CopyList {
  private static final int FEW = 8;

  private long[] ends;
  private CopyKind[] kinds;
  private boolean[] anyTime;
  private int count;

  /** Creates an empty list. */
  public CopyList() {
    this(FEW);
  }

  /**
   * Creates an empty list.
   *
   * @param expected how many copies are expected; 1 or more
   */
  public CopyList(int expected) {
    this.ends = new long[3 * expected];
    this.kinds = new CopyKind[expected];
    this.anyTime = new boolean[expected];
  }

  /**
   * Adds a copy.
   *
   * @param dst device or host address
   * @param src device or host address
   * @param bytes at least 1
   * @param kind the direction
   * @param readAnyTime whether the source may be read before the copy's turn in its stream
   */
  public void add(long dst, long src, long bytes, CopyKind kind, boolean readAnyTime) {
    if (count == kinds.length) {
      kinds = Arrays.copyOf(kinds, 2 * count);
      anyTime = Arrays.copyOf(anyTime, 2 * count);
      ends = Arrays.copyOf(ends, 6 * count);
    }
    ends[3 * count] = dst;
    ends[3 * count + 1] = src;
    ends[3 * count + 2] = bytes;
    kinds[count] = kind;
    anyTime[count] = readAnyTime;
    count++;
  }

  /** Removes all copies. */
  public void clear() {
    count = 0;
  }

  /** {@return how many copies there are} */
  public int count() {
    return count;
  }

  /**
   * {@return the destination of a copy}
   *
   * @param index 0 to {@code count() - 1}
   */
  public long dst(int index) {
    return ends[3 * index];
  }

  /**
   * {@return the source of a copy}
   *
   * @param index 0 to {@code count() - 1}
   */
  public long src(int index) {
    return ends[3 * index + 1];
  }

  /**
   * {@return how many bytes a copy has}
   *
   * @param index 0 to {@code count() - 1}
   */
  public long bytes(int index) {
    return ends[3 * index + 2];
  }

  /**
   * {@return the direction of a copy}
   *
   * @param index 0 to {@code count() - 1}
   */
  public CopyKind kind(int index) {
    return kinds[index];
  }

  /**
   * {@return whether a copy's source may be read before its turn}
   *
   * @param index 0 to {@code count() - 1}
   */
  public boolean mayReadAnyTime(int index) {
    return anyTime[index];
  }

  /**
   * {@return a part of the list}
   *
   * @param from the index of the first copy
   * @param to the index after the last copy
   */
  public CopyList part(int from, int to) {
    CopyList part = new CopyList(Math.max(1, to - from));
    for (int i = from; i < to; i++) {
      part.add(dst(i), src(i), bytes(i), kind(i), mayReadAnyTime(i));
    }
    return part;
  }
}
