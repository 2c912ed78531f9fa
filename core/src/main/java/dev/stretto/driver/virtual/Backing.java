package dev.stretto.driver.virtual;

import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Host memory behind a range that a program allocated. It is counted: the table that lists the
 * range holds it once and each running operation holds it too, so that a range freed too early is
 * an error that is reported and never a crash of the JVM.
 */
abstract class Backing {
  private final long address;
  private final long bytes;
  private final AtomicInteger holders = new AtomicInteger(1);

  /**
   * Held once, by the table.
   *
   * @param address the address by which the program knows the range
   * @param bytes its size
   */
  Backing(long address, long bytes) {
    this.address = address;
    this.bytes = bytes;
  }

  /** {@return the address by which the program knows the range} */
  final long address() {
    return address;
  }

  /** {@return its size} */
  final long bytes() {
    return bytes;
  }

  /** {@return whether these bytes are all inside} */
  final boolean holds(long from, long count) {
    long offset = from - address;
    return offset >= 0 && count >= 0 && offset <= bytes - count;
  }

  /**
   * Holds the memory. Only whoever still sees the range in its table may, under the table's lock.
   */
  final void retain() {
    holders.incrementAndGet();
  }

  /** Lets go of the memory; the last one to do so gives it back. */
  final void release() {
    if (holders.decrementAndGet() == 0) {
      discard();
    }
  }

  /** {@return the memory from an offset on, before it is read or partly written} */
  abstract MemorySegment read(long offset, long count);

  /** {@return the memory from an offset on, before every byte of it is written} */
  abstract MemorySegment overwrite(long offset, long count);

  /** Gives the memory back. */
  abstract void discard();
}
