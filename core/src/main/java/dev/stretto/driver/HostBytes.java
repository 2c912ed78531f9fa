package dev.stretto.driver;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Access to host memory that is a program's, which may close it meanwhile, or truncate its file.
 */
public final class HostBytes {
  /** No page is smaller. */
  private static final long PAGE = 4096;

  private HostBytes() {}

  /**
   * Copies as {@link MemorySegment#copy(MemorySegment, long, MemorySegment, long, long)} does, and
   * does not leave the calling thread interrupted: where an arena is closed at whose memory another
   * thread is, the JVM has that thread throw, and interrupts it lest it be asleep, if it is a
   * platform thread. Who interrupts it in that very moment cannot be told from the JVM.
   *
   * @param from the source
   * @param fromOffset its first byte
   * @param to the destination
   * @param toOffset its first byte
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
   * Reads a byte of every page of a mapped file, so that what is missing of it is found before
   * native code touches it, in which a fault ends the process. Does nothing for other memory.
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
   * Has a fault of the last access of a segment thrown here rather than later: where a mapped file
   * was truncated, the JDK throws its {@link InternalError} when the thread next comes back from
   * native code, which it does by this.
   *
   * @param segment that was accessed
   * @throws InternalError if the file behind it could not be read or written
   */
  public static void throwFaultHere(MemorySegment segment) {
    // Not Thread.yield(): a virtual thread would let go of its carrier, perhaps under a lock.
    if (segment.isMapped() && Thread.holdsLock(segment)) {
      throw new AssertionError("nobody locks a segment");
    }
  }
}
