package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Small pinned buffers for small copies out of ordinary memory: cheaper to fill by the calling
 * thread than to hand to another. Used in turn; where the next is still in flight, the copy is
 * staged like a large one. Guarded by the engine's lock.
 */
final class SmallSlots {
  /** The largest copy that goes this way: about four microseconds of copying. */
  static final int BYTES = 32 << 10;

  private static final int COUNT = 64;

  private final Engine engine;

  /** Of each buffer the two streams that use it, which may be the same, and where they do. */
  private final @Nullable StreamQueue[] queues = new StreamQueue[2 * COUNT];

  private final long[] sequences = new long[2 * COUNT];
  private @Nullable PinnedBlock block;
  private int next;
  private boolean pinning;

  SmallSlots(Engine engine) {
    this.engine = engine;
  }

  /**
   * The next buffer if nothing uses it any more, or null; the first time, too, for pinning may wait
   * for the device.
   */
  @Nullable MemorySegment take() {
    PinnedBlock memory = block;
    if (memory == null) {
      if (!pinning) {
        pinning = true;
        engine.later(this::pin);
      }
      return null;
    }
    if (isUsed(2 * next) || isUsed(2 * next + 1)) {
      return null;
    }
    return memory.memory().asSlice((long) next * BYTES, BYTES);
  }

  private void pin() {
    PinnedBlock pinned = null;
    try {
      pinned = engine.pinned().allocate((long) BYTES * COUNT);
    } catch (RuntimeException e) {
      // Small copies are staged as large ones are, which report it if that is impossible too.
    }
    synchronized (engine.lock) {
      block = pinned;
      pinning = false;
    }
  }

  private boolean isUsed(int use) {
    StreamQueue queue = queues[use];
    return queue != null && queue.engine().isUsable() && !queue.isSurelyDone(sequences[use]);
  }

  /**
   * Notes that the buffer last taken is in use until an operation is done on each of two streams.
   */
  void used(StreamQueue one, long sequence, StreamQueue other, long otherSequence) {
    queues[2 * next] = one;
    sequences[2 * next] = sequence;
    queues[2 * next + 1] = one.equals(other) ? null : other;
    sequences[2 * next + 1] = otherSequence;
    next = (next + 1) % COUNT;
  }

  /**
   * Gives the buffers back, when the device is closed and nothing uses them any more. If it was
   * lost, another device may be about to read them still.
   */
  void release() {
    PinnedBlock last;
    synchronized (engine.lock) {
      last = block;
      block = null;
      for (int use = 0; last != null && use < queues.length; use++) {
        StreamQueue queue = queues[use];
        if (queue != null) {
          boolean ignored = last.use(queue, sequences[use]);
        }
      }
    }
    if (last != null) {
      last.closeAfterLastUse();
    }
  }
}
