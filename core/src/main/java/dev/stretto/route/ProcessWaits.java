package dev.stretto.route;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The waits of a stream for other processes that nobody has confirmed yet. A process that ends
 * takes its work with it, and its events happen all the same; so whoever learns that such a wait is
 * over asks the process whether it is still there.
 */
final class ProcessWaits {
  private record Unconfirmed(long sequence, Confirmation confirmation) {}

  private final ArrayDeque<Unconfirmed> waits = new ArrayDeque<>(0);

  /** Read without the lock, usually to find that there are none. */
  private volatile boolean any;

  void add(long sequence, Confirmation confirmation) {
    synchronized (waits) {
      Unconfirmed last = waits.peekLast();
      if (last != null && last.confirmation == confirmation) {
        waits.removeLast(); // one answer is enough for both
      }
      waits.add(new Unconfirmed(sequence, confirmation));
      any = true;
    }
  }

  /** Takes over those of another stream, up to a point for which this one waits. */
  void inherit(ProcessWaits other, long point, long sequence) {
    if (other.any) {
      other.upTo(point).forEach(wait -> add(sequence, wait.confirmation));
    }
  }

  private List<Unconfirmed> upTo(long point) {
    synchronized (waits) {
      return waits.stream().filter(wait -> wait.sequence <= point).toList();
    }
  }

  /**
   * Confirms the waits up to a point that has been reached.
   *
   * @param deadline when to give up, as {@link System#nanoTime} tells it; or the largest number
   * @return whether all are confirmed, or have failed
   */
  boolean confirm(long point, long deadline, Failures failures) {
    if (!any) {
      return true;
    }
    List<Unconfirmed> open = upTo(point);
    List<Confirmation> asked = new ArrayList<>(open.size());
    for (Unconfirmed wait : open) {
      try {
        if (!asked.contains(wait.confirmation)) {
          asked.add(wait.confirmation);
          long nanos =
              deadline == Long.MAX_VALUE
                  ? deadline
                  : Math.max(deadline - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(1));
          RuntimeException failure = wait.confirmation.failure(nanos);
          if (failure != null) {
            failures.add(wait.sequence, failure);
          }
        }
      } catch (TimeoutException _) {
        return false;
      }
    }
    synchronized (waits) {
      waits.removeAll(open);
      any = !waits.isEmpty();
    }
    return true;
  }
}
