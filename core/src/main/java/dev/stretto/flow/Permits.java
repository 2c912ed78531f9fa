package dev.stretto.flow;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many chunks at a time into a source or a sink; where order matters, in the order of the
 * chunks. Each permit knows the modelled time at which it was given back. Guarded by the flow's
 * lock.
 */
final class Permits {
  private final boolean ordered;
  private final PriorityQueue<Slot> waiting =
      new PriorityQueue<>(Comparator.comparingLong((Slot slot) -> slot.index));
  private final PriorityQueue<Long> freeSince = new PriorityQueue<>();
  private long nextIndex;

  Permits(int permits, boolean ordered) {
    for (int i = 0; i < permits; i++) {
      freeSince.add(0L);
    }
    this.ordered = ordered;
  }

  /** Lines a chunk up. */
  void request(Slot slot) {
    waiting.add(slot);
  }

  /** Takes the next chunk that may go in, or gives null. */
  @Nullable Slot next() {
    Slot first = waiting.peek();
    if (first == null || freeSince.isEmpty() || (ordered && first.index != nextIndex)) {
      return null;
    }
    first.permitNanos = freeSince.remove();
    nextIndex = first.index + 1;
    return waiting.remove();
  }

  /** Gives a permit back, at a modelled time. */
  void leave(long nanos) {
    freeSince.add(nanos);
  }
}
