package dev.stretto.route;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which queues of a seeded driver have to be polled after a step: only those with news, because
 * there may be thousands of others. Guarded by the driver's lock.
 */
final class Looks {
  /** A queue that can be polled. */
  interface Looked {
    /** {@return the driver's handle of its stream} */
    long handle();

    /**
     * Polls the queue, and collects the actions that are due.
     *
     * @return whether it has to be polled again even if nothing new happens on it
     */
    boolean look(List<Runnable> due);
  }

  /** The queues on which somebody waits for something, by the driver's handle. */
  private final Map<Long, Set<Looked>> watched = new HashMap<>();

  private Set<Looked> due = new LinkedHashSet<>();

  /** The queues that could not be asked or marked; they are polled whenever any queue is. */
  private final Set<Looked> again = new LinkedHashSet<>();

  /** Adds a queue on which somebody begins to wait; it may have happened already. */
  void add(Looked queue) {
    watched.computeIfAbsent(queue.handle(), handle -> new LinkedHashSet<>()).add(queue);
    due.add(queue);
  }

  /** Removes a queue on which nobody waits any more. */
  void remove(Looked queue) {
    due.remove(queue);
    again.remove(queue);
    Set<Looked> same = watched.get(queue.handle());
    if (same != null && same.remove(queue) && same.isEmpty()) {
      watched.remove(queue.handle());
    }
  }

  /** Notes that events were recorded on streams. */
  void note(List<Long> handles) {
    for (long handle : handles) {
      due.addAll(watched.getOrDefault(handle, Set.of()));
    }
  }

  /** {@return whether any queue has to be polled, apart from those that are polled every time} */
  boolean isAnyDue() {
    return !due.isEmpty();
  }

  /** {@return the queues to poll now} */
  Set<Looked> take() {
    due.addAll(again);
    if (due.isEmpty()) {
      return Set.of();
    }
    Set<Looked> taken = due;
    due = new LinkedHashSet<>(); // clearing a large set takes long
    return taken;
  }

  /**
   * Notes that a queue was polled.
   *
   * @param troubled whether it has to be polled again even if nothing happens on it; that happens
   *     only after something happens on another queue, or there would be no end
   */
  void looked(Looked queue, boolean troubled) {
    if (troubled) {
      due.remove(queue);
      again.add(queue);
    } else {
      again.remove(queue);
    }
  }
}
