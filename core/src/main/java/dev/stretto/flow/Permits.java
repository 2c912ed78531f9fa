package dev.stretto.flow;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Limits how many chunks are in a source or a sink at a time; if order matters, admits them in the
 * order of the chunks. Guarded by the flow's lock.
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

  /** {@return whether a chunk that queues now is admitted immediately} */
  boolean isFree() {
    return waiting.isEmpty() && free > 0;
  }

  /** Queues a chunk. */
  void request(Slot slot) {
    waiting.add(slot);
  }

  /** Takes the next chunk that is admitted, or returns null. */
  @Nullable Slot next() {
    Slot first = waiting.peek();
    if (first == null || free == 0 || (ordered && first.index != nextIndex)) {
      return null;
    }
    free--;
    nextIndex = first.index + 1;
    return waiting.remove();
  }

  /** {@return the first modelled time from a given one on at which a chunk is admitted} */
  long freeFrom(long nanos) {
    return threads.freeFrom(nanos);
  }

  /**
   * Returns a permit, and advances the calling thread's modelled time.
   *
   * @param nanos how long the action takes once a thread of the modelled host is free for it
   */
  void leave(FlowClock clock, long nanos) {
    spend(clock, nanos);
    free++;
  }

  /**
   * Advances the calling thread's modelled time.
   *
   * @param nanos how long a part of the action takes once a thread of the modelled host is free
   */
  void spend(FlowClock clock, long nanos) {
    clock.atLeast(threads.spend(clock.hostNanos(), nanos));
  }
}
