package dev.stretto.enqueue;

import dev.stretto.fault.SourceAccessException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.SmallCopies;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Copies with a rule for when their source may be read. */
public final class SourceReads {
  private SourceReads() {}

  /** Copies to the device, and reads the source during the call. */
  public static <C> C copy(Enqueuer<C> on, MemorySegment source, GlobalArray destination) {
    DeviceBlock block = on.block(destination);
    long address = destination.address();
    @Nullable PinnedBlock _ =
        HostCopies.checked(Direction.TO_DEVICE, on, source, destination.byteSize());
    requireReadable(on, source);
    Issue issue =
        on.isOrdered()
            ? Ends.copies(on, "a copy to the device", null, Ends.End.of(destination))
            : null;
    Observation begin = on.before(Direction.TO_DEVICE.observed(), issue);
    C copy =
        issue == null
            ? readNow(on, source, block, address)
            : on.enqueue(issue, () -> readNow(on, source, block, address));
    return on.reported(begin, copy, Direction.TO_DEVICE, source.byteSize(), source, false);
  }

  private static <C> C readNow(
      Enqueuer<C> on, MemorySegment source, DeviceBlock block, long address) {
    if (source.byteSize() <= StreamQueue.INLINE_BYTES) {
      long sequence = SmallCopies.enqueueInline(on.engine(), on.queue(), block, address, source);
      if (sequence >= 0) {
        return on.copied(Way.INLINE, sequence, null);
      }
    }
    return aside(on, SmallCopies.readNow(on.queue(), source), block, address);
  }

  /** Enqueues a copy of bytes that were already read into a separate buffer. */
  static <C> C aside(Enqueuer<C> on, MemorySegment aside, DeviceBlock block, long address) {
    return HostCopies.staged(Direction.TO_DEVICE, on, aside, block, address, Way.READ_AT_CALL);
  }

  /** Refuses sources that cannot or should not be read during the call. */
  static void requireReadable(Enqueuer<?> on, MemorySegment source) {
    long bytes = source.byteSize();
    if (bytes > SourceReading.DURING_CALL_BYTES) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call, which reads at most %d: await the"
                  .formatted(bytes, SourceReading.DURING_CALL_BYTES)
              + " copy before the source is written, or copy in parts");
    }
    if (!on.queue().isDeferrable()) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call on %s, which cannot hold back the copy"
                  .formatted(bytes, on)
              + " of the bytes read until its turn: use device.stream()");
    }
    if (OrdinaryCopies.isArriving(on.queue(), source)) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call, because an earlier staged copy of %s"
                  .formatted(bytes, on)
              + " still writes to it: await that copy, or read in"
              + " STREAM_ORDER");
    }
  }
}
