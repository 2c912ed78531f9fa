package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Small pinned buffers for small copies out of ordinary memory: cheaper to fill by the calling thread than to hand to another. Used in
 * turn; where the next is still in flight, the copy is staged like a large one. Guarded by the engine's lock.
 */
final class SmallSlots {
  /** The largest copy that goes this way: about four microseconds of copying. */
  static final int BYTES = 32 << 10;

  private static final int COUNT = 64;

  private final Engine engine;
  private final @Nullable StreamQueue[] queues = new StreamQueue[COUNT];
  private final long[] marks = new long[COUNT];
  private @Nullable PinnedBlock block;
  private int next;

  SmallSlots(Engine engine) {
    this.engine = engine;
  }

  /** The next buffer if nothing uses it any more, or null. */
  @Nullable MemorySegment take() {
    StreamQueue queue = queues[next];
    if (queue != null && !queue.isMarkDone(marks[next])) {
      return null;
    }
    PinnedBlock memory = block;
    if (memory == null) {
      memory = engine.pinned().allocate((long) BYTES * COUNT);
      block = memory;
    }
    return memory.memory().asSlice((long) next * BYTES, BYTES);
  }

  /** Notes that the buffer last taken is in use until a mark is done. */
  void used(StreamQueue queue, long mark) {
    queues[next] = queue;
    marks[next] = mark;
    next = (next + 1) % COUNT;
  }

  void release() {
    if (block != null) {
      block.closeAfterLastUse();
      block = null;
    }
  }
}
