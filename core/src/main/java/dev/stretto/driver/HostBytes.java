package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Access to a program's host memory. The program may close the memory or truncate its file at any
 * time.
 */
public final class HostBytes {
  /** The smallest size of a page. */
  private static final long PAGE = 4096;

  private HostBytes() {}

  /**
   * Copies as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} does, but
   * does not leave the calling thread interrupted. If an arena is closed while a thread accesses
   * its memory, the JVM makes that access throw. It also interrupts the thread, if it is a platform
   * thread, in case it is asleep. An interrupt by the program at that very moment cannot be
   * distinguished from one by the JVM.
   *
   * @param from the source
   * @param fromOffset the offset of its first byte
   * @param to the destination
   * @param toOffset the offset of its first byte
   * @param bytes how many
   * @throws IllegalStateException if the memory of one of them is closed, or is being closed; some
   *     of the bytes may have been copied
   * @throws InternalError if one of them is a mapped file that was truncated; thrown here and not
   *     later
   * @throws IndexOutOfBoundsException if a range is not inside its segment
   */
  public static void copy(
      MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long bytes) {
    boolean interrupted = Thread.currentThread().isInterrupted();
    try {
      MemorySegment.copy(from, fromOffset, to, toOffset, bytes);
    } catch (IllegalStateException e) {
      if (!interrupted && !Thread.currentThread().isVirtual()) {
        boolean _ = Thread.interrupted();
      }
      throw e;
    }
    throwFaultHere(from);
    throwFaultHere(to);
  }

  /**
   * Reads a byte of every page of a mapped file, so that missing pages are found before native code
   * touches them: a fault in native code ends the process. Does nothing for other memory.
   *
   * @param segment any
   * @throws IllegalStateException if its memory is closed
   * @throws InternalError if the file was truncated
   */
  public static void touch(MemorySegment segment) {
    if (!segment.isMapped()) {
      return;
    }
    long last = segment.byteSize() - 1;
    int bits = 0;
    for (long at = 0; at < last; at += PAGE) {
      bits |= segment.get(ValueLayout.JAVA_BYTE, at);
    }
    bits |= last < 0 ? 0 : segment.get(ValueLayout.JAVA_BYTE, last);
    throwFaultHere(segment);
    if (bits > 0xFF) {
      throw new AssertionError("bytes are no larger"); // so that they are read
    }
  }

  /**
   * Makes a fault of the last access to a segment surface here rather than later. If a mapped file
   * was truncated, the JDK throws its {@link InternalError} when the thread next returns from
   * native code; this method makes such a call.
   *
   * @param segment the segment that was accessed
   * @throws InternalError if its file could not be read or written
   */
  public static void throwFaultHere(MemorySegment segment) {
    // Not Thread.yield(): a virtual thread would release its carrier, perhaps while it holds a
    // lock.
    if (segment.isMapped() && Thread.holdsLock(segment)) {
      throw new AssertionError("nobody locks a segment");
    }
  }
}
