package dev.stretto.enqueue;

import dev.stretto.fault.ClosedException;
import dev.stretto.fault.RouteException;
import dev.stretto.route.PinnedBlock;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** The checks of the host end of a copy. */
public final class HostEnd {
  private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});

  private HostEnd() {}

  public static void check(MemorySegment segment, boolean written) {
    if (!segment.scope().isAlive()) {
      throw new ClosedException(
          "the host memory's arena is closed: " + segment.byteSize() + " bytes");
    }
    if (written && segment.isReadOnly()) {
      throw new IllegalArgumentException(
          "the destination, " + segment.byteSize() + " bytes of host memory, is read-only");
    }
    if (!segment.isAccessibleBy(Thread.currentThread())) {
      throw new WrongThreadException(
          "the host memory belongs to the confined arena of another thread: allocate it in"
              + " Arena.ofShared() or Arena.ofAuto()");
    }
  }

  /**
   * The same, and refuses to have a device write in memory that it may only read. A segment that
   * can be written may lie there: it is another one than was registered.
   *
   * @param pinned the block of the memory, or null if it is not pinned
   */
  public static void check(MemorySegment segment, boolean written, @Nullable PinnedBlock pinned) {
    check(segment, written);
    if (written && pinned != null && pinned.isReadOnly()) {
      throw new IllegalArgumentException(
          "the destination, %d bytes of host memory, lies in %s at 0x%x, which devices may only read: close that registration first, or register a segment that can be written"
              .formatted(segment.byteSize(), pinned.describe(), pinned.address()));
    }
  }

  /** Whether every thread may access the memory. */
  public static boolean isShared(MemorySegment segment) {
    return segment.isAccessibleBy(NOBODY);
  }

  /**
   * Requires memory that every thread may access, because pump threads access the memory of staged
   * copies.
   */
  public static void requireShared(MemorySegment segment) {
    if (!isShared(segment)) {
      throw new RouteException(
          "host memory of "
              + segment.byteSize()
              + " bytes in a confined arena cannot be staged, because only its own thread may"
              + " access it: allocate it in Arena.ofShared(), Arena.ofAuto() or"
              + " device.pinnedArena()");
    }
  }

  public static void checkSizes(long source, long destination) {
    if (source != destination) {
      throw new IllegalArgumentException(
          "the source has "
              + source
              + " bytes and the destination "
              + destination
              + ": slice the larger one to the size of the other");
    }
    if (source == 0) {
      throw new IllegalArgumentException(
          "both ends of the copy have 0 bytes: there is nothing to copy");
    }
  }
}
