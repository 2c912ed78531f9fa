package dev.stretto.route;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which queues of a seeded driver are to be looked at after a step: those that have an event to be
 * told of, and no others, of which there may be thousands. Guarded by the driver's lock.
 */
final class Looks {
  /** A queue that can be looked at. */
  interface Looked {
    /** {@return the driver's handle of its stream} */
    long handle();

    /**
     * Looks at it, and collects what is due.
     *
     * @return whether it is worth another look though nothing new happens on it
     */
    boolean look(List<Runnable> due);
  }

  /** The queues on which somebody waits for something, by the driver's handle. */
  private final Map<Long, Set<Looked>> watched = new HashMap<>();

  private Set<Looked> due = new LinkedHashSet<>();

  /** Those that could not be asked, or marked: they are looked at whenever any queue is. */
  private final Set<Looked> again = new LinkedHashSet<>();

  /** Somebody begins to wait for something on a queue, which may have happened already. */
  void add(Looked queue) {
    watched.computeIfAbsent(queue.handle(), handle -> new LinkedHashSet<>()).add(queue);
    due.add(queue);
  }

  /** Nobody waits for anything on a queue any more. */
  void remove(Looked queue) {
    due.remove(queue);
    again.remove(queue);
    Set<Looked> same = watched.get(queue.handle());
    if (same != null && same.remove(queue) && same.isEmpty()) {
      watched.remove(queue.handle());
    }
  }

  /** Events were recorded on streams. */
  void note(List<Long> handles) {
    for (long handle : handles) {
      due.addAll(watched.getOrDefault(handle, Set.of()));
    }
  }

  /** {@return whether there is any queue to look at but those that are looked at again} */
  boolean isAnyDue() {
    return !due.isEmpty();
  }

  /** {@return the queues to look at now} */
  Set<Looked> take() {
    due.addAll(again);
    if (due.isEmpty()) {
      return Set.of();
    }
    Set<Looked> taken = due;
    due = new LinkedHashSet<>(); // to clear a large one takes long
    return taken;
  }

  /**
   * A queue was looked at.
   *
   * @param troubled whether it has to be looked at again though nothing happens on it: then not
   *     before something happens on another, or there would be no end
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
