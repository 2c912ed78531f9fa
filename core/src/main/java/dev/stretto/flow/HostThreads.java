package dev.stretto.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The times at which the host threads that read or write are busy, in modelled time. Threads and
 * seeds run devices in an order of their own, so an interval that is reported later may lie
 * earlier: it is put into the first gap that is long enough. Guarded by the flow's lock.
 */
final class HostThreads {
  /** The most intervals that are kept of a thread. */
  private static final int MOST = 512;

  private final List<NavigableMap<Long, Long>> busy = new ArrayList<>();
  private final boolean inOrder;
  private long last;

  /**
   * @param threads how many there are
   * @param inOrder whether each interval begins after the previous one has ended
   */
  HostThreads(int threads, boolean inOrder) {
    this.inOrder = inOrder;
    for (int i = 0; i < threads; i++) {
      busy.add(new TreeMap<>());
    }
  }

  /** {@return the first time from a given one on at which a thread is idle} */
  long freeFrom(long nanos) {
    long from = inOrder ? Math.max(nanos, last) : nanos;
    return busy.stream().mapToLong(thread -> fit(thread, from, 0)).min().orElseThrow();
  }

  /**
   * Keeps a thread busy.
   *
   * @param from the earliest beginning
   * @param nanos how long
   * @return the end
   */
  long spend(long from, long nanos) {
    long ready = inOrder ? Math.max(from, last) : from;
    NavigableMap<Long, Long> best = busy.getFirst();
    long begin = Long.MAX_VALUE;
    for (NavigableMap<Long, Long> thread : busy) {
      long fit = fit(thread, ready, nanos);
      if (fit < begin) {
        begin = fit;
        best = thread;
      }
    }
    long end = begin + nanos;
    if (nanos > 0) {
      add(best, begin, end);
    }
    last = Math.max(last, end);
    return end;
  }

  private static long fit(NavigableMap<Long, Long> thread, long from, long nanos) {
    Map.Entry<Long, Long> before = thread.floorEntry(from);
    long begin = before == null ? from : Math.max(from, before.getValue());
    Map.Entry<Long, Long> next;
    while ((next = thread.ceilingEntry(begin)) != null && next.getKey() < begin + nanos) {
      begin = next.getValue();
    }
    return begin;
  }

  private static void add(NavigableMap<Long, Long> thread, long begin, long end) {
    Map.Entry<Long, Long> before = thread.floorEntry(begin);
    boolean joined = before != null && before.getValue() == begin;
    thread.put(joined ? before.getKey() : begin, end);
    if (thread.size() > MOST) {
      thread.pollFirstEntry();
    }
  }
}
