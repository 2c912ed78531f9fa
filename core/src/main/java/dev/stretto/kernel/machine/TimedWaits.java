package dev.stretto.kernel.machine;

import java.util.PriorityQueue;

/**
 * The threads of a cluster that wait for a time, and the cluster's own clock. Time passes only when
 * no thread of the cluster can go on, or all of those that can look in vain for what others do:
 * then the wait ends that would end first.
 */
final class TimedWaits {
  /** A thread that waits. */
  interface Waiter {
    /** Whether the thread waits no more. */
    boolean isOver();

    /**
     * Ends the wait.
     *
     * @return whether the thread goes on; if not, it has waited for the same too often
     */
    boolean expires();
  }

  /**
   * A wait.
   *
   * @param end when it ends, by the cluster's clock
   * @param number of waits that end at the same time the first one goes on
   */
  private record Wait(long end, long number, Waiter waiter) implements Comparable<Wait> {
    @Override
    public int compareTo(Wait other) {
      return end == other.end ? Long.compare(number, other.number) : Long.compare(end, other.end);
    }
  }

  private final PriorityQueue<Wait> waits = new PriorityQueue<>();
  private long now;
  private long count;

  /** Called when a cluster begins. */
  void begin() {
    waits.clear();
    now = 0;
    count = 0;
  }

  /** Adds a thread that waits for so many nanoseconds. */
  void add(int nanoseconds, Waiter waiter) {
    waits.add(new Wait(now + nanoseconds, count++, waiter));
  }

  /** Whether threads wait for a time. */
  boolean areAny() {
    while (!waits.isEmpty() && waits.element().waiter.isOver()) {
      waits.remove();
    }
    return !waits.isEmpty();
  }

  /**
   * Lets time pass until a wait ends.
   *
   * @return whether a thread goes on
   */
  boolean pass() {
    if (!areAny()) {
      return false;
    }
    Wait first = waits.remove();
    now = Math.max(now, first.end);
    return first.waiter.expires();
  }
}
