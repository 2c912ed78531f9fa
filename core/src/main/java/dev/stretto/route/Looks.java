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
  /** The queues on which somebody waits for something, by the driver's handle. */
  private final Map<Long, Set<StreamQueue>> watched = new HashMap<>();

  private Set<StreamQueue> due = new LinkedHashSet<>();

  /** Those that could not be asked, or marked: they are looked at whenever any queue is. */
  private final Set<StreamQueue> again = new LinkedHashSet<>();

  /** Somebody begins to wait for something on a queue, which may have happened already. */
  void add(StreamQueue queue) {
    watched.computeIfAbsent(queue.handle, handle -> new LinkedHashSet<>()).add(queue);
    due.add(queue);
  }

  /** Nobody waits for anything on a queue any more. */
  void remove(StreamQueue queue) {
    due.remove(queue);
    again.remove(queue);
    Set<StreamQueue> same = watched.get(queue.handle);
    if (same != null && same.remove(queue) && same.isEmpty()) {
      watched.remove(queue.handle);
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
  Set<StreamQueue> take() {
    due.addAll(again);
    if (due.isEmpty()) {
      return Set.of();
    }
    Set<StreamQueue> taken = due;
    due = new LinkedHashSet<>(); // to clear a large one takes long
    return taken;
  }

  /**
   * A queue was looked at.
   *
   * @param troubled whether it has to be looked at again though nothing happens on it: then not
   *     before something happens on another, or there would be no end
   */
  void looked(StreamQueue queue, boolean troubled) {
    if (troubled) {
      due.remove(queue);
      again.add(queue);
    } else {
      again.remove(queue);
    }
  }
}
