package dev.stretto.flow;

import dev.stretto.PinnedArena;
import dev.stretto.driver.HostBytes;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.CopyFailedException;
import java.lang.foreign.MemorySegment;

/** The program's own memory as an end of a flow. */
final class HostSegment {
  private final String end;
  private final MemorySegment segment;

  /**
   * @param end source or sink
   */
  HostSegment(String end, MemorySegment segment) {
    this.end = end;
    this.segment = segment;
    requireOpen();
    if (!segment.isAccessibleBy(new Thread(() -> {}, "stretto-flow"))) {
      throw new IllegalArgumentException(
          ("a segment of %d bytes of a confined arena cannot be a %s, since a flow "
                  + "uses several threads: use an arena of Arena.ofShared()")
              .formatted(segment.byteSize(), end));
    }
  }

  /**
   * {@return whether chunks are copied between this memory and the device without a buffer of the
   * flow} Only a mapped file is not: threads that page it in would hold up other copies, and its
   * end may be cut off meanwhile.
   */
  boolean isCopiedInPlace() {
    return !segment.isMapped() || PinnedArena.isPinned(segment);
  }

  void requireOpen() {
    if (!segment.scope().isAlive()) {
      throw new ClosedException(
          "the arena of a flow's %s of %d bytes is closed: keep it open until the flow has ended"
              .formatted(end, segment.byteSize()));
    }
  }

  /** Copies bytes from here. */
  void read(long position, MemorySegment into, long bytes) {
    copy(segment, position, into, 0, bytes);
  }

  /** Copies bytes to here. */
  void write(long position, MemorySegment from, long bytes) {
    copy(from, 0, segment, position, bytes);
  }

  private void copy(MemorySegment from, long fromOffset, MemorySegment to, long toOffset, long n) {
    try {
      HostBytes.copy(from, fromOffset, to, toOffset, n);
    } catch (IllegalStateException e) {
      requireOpen();
      throw e;
    } catch (InternalError e) {
      if (!segment.isMapped()) {
        throw e;
      }
      throw truncated("below byte %d".formatted(Math.max(fromOffset, toOffset) + n), e);
    }
  }

  private FlowException truncated(String where, Throwable cause) {
    return new FlowException(
        "the mapped file that is a flow's %s of %d bytes was truncated %s, or cannot be read"
            .formatted(end, segment.byteSize(), where),
        cause);
  }

  /** {@return the failure of this memory that made a copy fail, or what was thrown} */
  Throwable cause(Throwable thrown) {
    if (!(thrown instanceof CopyFailedException e)) {
      return thrown;
    }
    return e.getCause() instanceof InternalError fault && segment.isMapped()
        ? truncated("meanwhile", fault)
        : thrown;
  }
}
