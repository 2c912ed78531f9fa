package dev.stretto.flow;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Lets so many chunks at a time into a source or a sink; where order matters, in the order of the
 * chunks. Guarded by the flow's lock.
 */
final class Permits {
  private final boolean ordered;
  private final PriorityQueue<Slot> waiting =
      new PriorityQueue<>(Comparator.comparingLong((Slot slot) -> slot.index));
  private int free;
  private long nextIndex;

  Permits(int permits, boolean ordered) {
    this.free = permits;
    this.ordered = ordered;
  }

  /** Lines a chunk up. */
  void request(Slot slot) {
    waiting.add(slot);
  }

  /** Takes the next chunk that may go in, or gives null. */
  @Nullable Slot next() {
    Slot first = waiting.peek();
    if (first == null || free == 0 || (ordered && first.index != nextIndex)) {
      return null;
    }
    free--;
    nextIndex = first.index + 1;
    return waiting.remove();
  }

  void leave() {
    free++;
  }
}
