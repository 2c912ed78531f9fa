package dev.stretto.driver.virtual;

import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;

/**
 * The times at which a modelled engine is busy. Work goes into the first gap that is long enough,
 * because an engine does not wait for idle streams.
 */
final class BusyTimes {
  /** Gaps shorter than any operation are closed. */
  private static final long SLIVER_NANOS = 500;

  /**
   * The most intervals that are kept. The oldest gaps are given up first, because they are unlikely
   * to be filled.
   */
  private static final int MOST = 2048;

  private final TreeMap<Long, Long> busy = new TreeMap<>();
  private long floor;

  /**
   * Reserves the first gap that fits.
   *
   * @param ready the earliest start
   * @param endOf returns the end of the work for a given start; not used after this has returned
   * @return when it starts
   */
  long reserve(long ready, LongUnaryOperator endOf) {
    long start = fit(ready, endOf);
    add(start, endOf.applyAsLong(start));
    return start;
  }

  /**
   * Reserves the first gap that fits two engines, which may be the same.
   *
   * @return when the work starts
   */
  static long reserveBoth(BusyTimes one, BusyTimes other, long ready, LongUnaryOperator endOf) {
    long start = one.fit(ready, endOf);
    for (long next = other.fit(start, endOf); next != start; next = other.fit(start, endOf)) {
      start = one.fit(next, endOf);
    }
    long end = endOf.applyAsLong(start);
    one.add(start, end);
    if (other != one) {
      other.add(start, end);
    }
    return start;
  }

  private long fit(long ready, LongUnaryOperator endOf) {
    long start = Math.max(ready, floor);
    Map.Entry<Long, Long> before = busy.floorEntry(start);
    if (before != null) {
      start = Math.max(start, before.getValue());
    }
    while (true) {
      long end = endOf.applyAsLong(start);
      Map.Entry<Long, Long> next = busy.ceilingEntry(start);
      if (next == null || end <= next.getKey()) {
        return start;
      }
      start = next.getValue();
    }
  }

  /**
   * {@return the end of a transfer that is slower while this engine is busy}
   *
   * @param from when it begins
   * @param bytes how many bytes it moves
   * @param alone bytes per second while this engine is idle
   * @param shared bytes per second while it is busy
   */
  long transferEnd(long from, long bytes, double alone, double shared) {
    double at = from;
    double left = bytes;
    Long first = busy.floorKey(from);
    for (Map.Entry<Long, Long> interval : busy.tailMap(first == null ? from : first).entrySet()) {
      if (interval.getValue() <= at) {
        continue;
      }
      double free = Math.max(0, interval.getKey() - at);
      if (free * alone / 1e9 >= left) {
        break;
      }
      left -= free * alone / 1e9;
      at += free;
      double slow = interval.getValue() - at;
      if (slow * shared / 1e9 >= left) {
        return (long) Math.ceil(at + left * 1e9 / shared);
      }
      left -= slow * shared / 1e9;
      at += slow;
    }
    return (long) Math.ceil(at + left * 1e9 / alone);
  }

  private void add(long start, long end) {
    long from = start;
    long to = end;
    Map.Entry<Long, Long> before = busy.floorEntry(start);
    if (before != null && start - before.getValue() < SLIVER_NANOS) {
      from = before.getKey();
      to = Math.max(to, before.getValue());
    }
    Map.Entry<Long, Long> after = busy.higherEntry(start);
    if (after != null && after.getKey() - to < SLIVER_NANOS) {
      to = Math.max(to, after.getValue());
      busy.remove(after.getKey());
    }
    busy.put(from, to);
    if (busy.size() > MOST) {
      floor = Math.max(floor, busy.pollFirstEntry().getValue());
    }
  }
}
