package dev.stretto.route;

import java.util.ArrayDeque;
import java.util.List;

/**
 * The waits of a stream for other processes whose truth nobody has asked for yet. When a process
 * ends, waits for it end too; whoever learns that such a wait is over has to learn why.
 */
final class ProcessWaits {
  private record Wait(long sequence, Recorded event, long number) {}

  private final ArrayDeque<Wait> waits = new ArrayDeque<>(0);

  /** Read without the lock, usually to find that there are none. */
  private volatile boolean any;

  void add(long sequence, Recorded event, long number) {
    synchronized (waits) {
      for (Wait first = waits.peek();
          first != null && first.event.hasHappened(first.number);
          first = waits.peek()) {
        waits.remove();
      }
      waits.add(new Wait(sequence, event, number));
      any = true;
    }
  }

  /** Takes over those of another stream, up to a point for which this one waits. */
  void inherit(ProcessWaits other, long point, long sequence) {
    if (other.any) {
      other.upTo(point).forEach(wait -> add(sequence, wait.event, wait.number));
    }
  }

  private List<Wait> upTo(long point) {
    synchronized (waits) {
      return waits.stream().filter(wait -> wait.sequence <= point).toList();
    }
  }

  /** Notes as failures what did not happen up to a point that has been reached. */
  void ask(long point, Failures failures) {
    if (!any) {
      return;
    }
    List<Wait> over;
    synchronized (waits) {
      over = upTo(point);
      waits.removeIf(wait -> wait.sequence <= point);
      any = !waits.isEmpty();
    }
    for (Wait wait : over) {
      RuntimeException failure = wait.event.failure(wait.number);
      if (failure != null) {
        failures.add(wait.sequence, failure);
      }
    }
  }
}
