package dev.stretto.driver.virtual;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The host memory of a range that a program allocated. It is reference-counted: the table that
 * lists the range holds it once, and each running operation holds it too. So a range that is freed
 * too early causes an error report, never a crash of the JVM.
 */
abstract class Backing {
  private final long address;
  private final long bytes;
  private final AtomicInteger holders = new AtomicInteger(1);

  /**
   * Creates memory that the table holds.
   *
   * @param address the address of the range that the program sees
   * @param bytes its size
   */
  Backing(long address, long bytes) {
    this.address = address;
    this.bytes = bytes;
  }

  /** {@return the address of the range that the program sees} */
  final long address() {
    return address;
  }

  /** {@return its size} */
  final long bytes() {
    return bytes;
  }

  /** {@return whether all of these bytes are inside the range} */
  final boolean holds(long from, long count) {
    long offset = from - address;
    return offset >= 0 && count >= 0 && offset <= bytes - count;
  }

  /** Holds the memory. Allowed only while the range is in its table, with the table's lock held. */
  final void retain() {
    holders.incrementAndGet();
  }

  /** Ends a hold; the last one frees the memory. */
  final void release() {
    if (holders.decrementAndGet() == 0) {
      discard();
    }
  }

  /** {@return a part of the memory, which is about to be read or partly written} */
  abstract MemorySegment read(long offset, long count);

  /** {@return a part of the memory, of which every byte is about to be written} */
  abstract MemorySegment overwrite(long offset, long count);

  /** Frees the memory. */
  abstract void discard();
}
