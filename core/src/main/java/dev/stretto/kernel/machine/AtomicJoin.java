package dev.stretto.kernel.machine;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.BiConsumer;

/**
 * Joins elements with what memory holds, each of them atomically: host threads that run other
 * blocks may do so with the same elements.
 */
final class AtomicJoin {
  private static final VarHandle INT = ValueLayout.JAVA_INT.varHandle();
  private static final VarHandle LONG = ValueLayout.JAVA_LONG.varHandle();

  private final BiConsumer<MemorySegment, MemorySegment> join;
  private final int width;
  private final MemorySegment word = MemorySegment.ofArray(new long[1]);

  /**
   * Creates a join.
   *
   * @param join joins the second element to the first
   * @param width the size of an element: 2, 4 or 8 bytes
   */
  AtomicJoin(BiConsumer<MemorySegment, MemorySegment> join, int width) {
    this.join = join;
    this.width = width;
  }

  /** Joins the element of {@code from} at a byte to that of {@code to}. */
  void accept(MemorySegment to, long at, MemorySegment from, long fromAt) {
    MemorySegment element = from.asSlice(fromAt, width);
    if (width == Long.BYTES) {
      boolean joined = false;
      while (!joined) {
        long old = (long) LONG.getVolatile(to, at);
        word.set(ValueLayout.JAVA_LONG, 0, old);
        join.accept(word, element);
        joined = LONG.compareAndSet(to, at, old, word.get(ValueLayout.JAVA_LONG, 0));
      }
      return;
    }
    long inWord = (to.address() + at) % Integer.BYTES;
    long begin = at - inWord;
    if (begin + Integer.BYTES > to.byteSize()) { // the last of an odd number of elements
      synchronized (AtomicJoin.class) {
        join.accept(to.asSlice(at, width), element);
      }
      return;
    }
    boolean joined = false;
    while (!joined) {
      int old = (int) INT.getVolatile(to, begin);
      word.set(ValueLayout.JAVA_INT, 0, old);
      join.accept(word.asSlice(inWord, width), element);
      joined = INT.compareAndSet(to, begin, old, word.get(ValueLayout.JAVA_INT, 0));
    }
  }
}
