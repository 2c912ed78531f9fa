package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * A small piece of native memory for CUDA's results, borrowed for one operation so that no call
 * allocates. A platform thread has its own. Virtual threads share a few pieces: there may be
 * millions of threads, but none of them blocks between borrowing and giving back, so no more pieces
 * are in use than there are carriers. The few threads that find none allocate new memory.
 */
final class Scratch {
  /** The offset at which the current context is written. */
  static final int CONTEXT = 0;

  /** The offset at which a call writes its result. */
  static final int OUT = 8;

  /** The offset at which a call writes its second result. */
  static final int SECOND = 16;

  /** The offset from which structures are laid out. */
  static final int STRUCTURE = 64;

  private static final int BYTES = 384;
  private static final int SHARED = 64;

  private static final ThreadLocal<Scratch> OWN = ThreadLocal.withInitial(() -> new Scratch(false));
  private static final AtomicReferenceArray<Scratch> POOL = new AtomicReferenceArray<>(SHARED);

  static {
    for (int i = 0; i < SHARED; i++) {
      POOL.set(i, new Scratch(true));
    }
  }

  private final MemorySegment memory = Arena.ofAuto().allocate(BYTES, 64);
  private final long address = memory.address();
  private final boolean shared;

  private Scratch(boolean shared) {
    this.shared = shared;
  }

  /** {@return memory that belongs to the caller until {@link #giveBack}} */
  static Scratch borrow() {
    return Thread.currentThread().isVirtual() ? take() : OWN.get();
  }

  private static Scratch take() {
    int start = (int) Thread.currentThread().threadId();
    for (int i = 0; i < SHARED; i++) {
      Scratch free = POOL.getAndSet((start + i) & (SHARED - 1), null);
      if (free != null) {
        return free;
      }
    }
    return new Scratch(true);
  }

  /** Ends the use of this memory. */
  void giveBack() {
    if (shared) {
      int start = (int) Thread.currentThread().threadId();
      for (int i = 0; i < SHARED; i++) {
        if (POOL.compareAndSet((start + i) & (SHARED - 1), null, this)) {
          return;
        }
      }
    }
  }

  /** {@return the address of an offset in this memory} */
  long at(int offset) {
    return address + offset;
  }

  /** {@return the eight bytes at an offset} */
  long read(int offset) {
    return memory.get(JAVA_LONG, offset);
  }

  /** Writes ints of four bytes each, beginning at an offset. */
  void writeInts(int offset, int a, int b, int c, int d, int e, int f) {
    memory.set(JAVA_INT, offset, a);
    memory.set(JAVA_INT, offset + 4, b);
    memory.set(JAVA_INT, offset + 8, c);
    memory.set(JAVA_INT, offset + 12, d);
    memory.set(JAVA_INT, offset + 16, e);
    memory.set(JAVA_INT, offset + 20, f);
  }

  /** Writes eight bytes at an offset. */
  void write(int offset, long value) {
    memory.set(JAVA_LONG, offset, value);
  }
}
