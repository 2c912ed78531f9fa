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
  private final HostThreads threads;
  private int free;
  private long nextIndex;

  Permits(int permits, boolean ordered) {
    this.free = permits;
    this.ordered = ordered;
    this.threads = new HostThreads(permits, ordered);
  }

  /** {@return whether a chunk that lines up now goes in at once} */
  boolean isFree() {
    return waiting.isEmpty() && free > 0;
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

  /** {@return the first modelled time, not before another, at which a chunk may go in} */
  long freeFrom(long nanos) {
    return threads.freeFrom(nanos);
  }

  /**
   * Gives a permit back, and lets modelled time pass on the calling thread.
   *
   * @param nanos what was done takes, once a thread of the modelled host is free for it
   */
  void leave(FlowClock clock, long nanos) {
    clock.atLeast(threads.spend(clock.hostNanos(), nanos));
    free++;
  }
}
