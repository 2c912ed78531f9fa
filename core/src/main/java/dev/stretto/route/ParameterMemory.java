package dev.stretto.route;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for the parameters of launches that are enqueued once. It is lent while a launch is
 * being enqueued, so that few launches allocate memory. If none is free, new memory is allocated;
 * memory that is not given back is freed when it is garbage collected.
 */
final class ParameterMemory {
  /** The alignment that tensor maps need. */
  static final long ALIGNMENT = 64;

  /** Enough for the parameters of nearly all kernels. */
  private static final long BYTES = 2048;

  /** How many threads may launch at the same time without allocating; a power of two. */
  private static final int PLACES = 16;

  private static final AtomicReferenceArray<@Nullable MemorySegment> FREE =
      new AtomicReferenceArray<>(PLACES);

  private ParameterMemory() {}

  /** {@return memory of at least this many bytes, with any content} */
  static MemorySegment take(long bytes) {
    if (bytes > BYTES) {
      return allocate(bytes);
    }
    int first = first();
    for (int i = 0; i < PLACES; i++) {
      int place = (first + i) & (PLACES - 1);
      if (FREE.getPlain(place) != null) {
        MemorySegment free = FREE.getAndSet(place, null);
        if (free != null) {
          return free;
        }
      }
    }
    return allocate(BYTES);
  }

  /** Gives back memory that nobody uses any more. */
  static void giveBack(MemorySegment memory) {
    if (memory.byteSize() != BYTES) {
      return; // memory of a rare size
    }
    int first = first();
    for (int i = 0; i < PLACES; i++) {
      if (FREE.compareAndSet((first + i) & (PLACES - 1), null, memory)) {
        return;
      }
    }
  }

  /** {@return memory that is freed when it is garbage collected} */
  static MemorySegment allocate(long bytes) {
    return Arena.ofAuto().allocate(bytes, ALIGNMENT);
  }

  /** {@return where the search begins} Threads begin at different places to avoid contention. */
  private static int first() {
    return (int) Thread.currentThread().threadId();
  }
}
