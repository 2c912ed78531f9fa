package dev.stretto.enqueue;

import dev.stretto.fault.SourceAccessException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Copies that are told when their source may be read. */
public final class SourceReads {
  private SourceReads() {}

  /** To the device, of a source that is read during the call. */
  public static <C> C copy(Enqueuer<C> on, MemorySegment source, GlobalArray destination) {
    DeviceBlock block = on.block(destination);
    long address = destination.address();
    @Nullable PinnedBlock _ =
        HostCopies.checked(Direction.TO_DEVICE, on, source, destination.byteSize());
    requireReadable(on, source);
    Observation begin = on.before(Direction.TO_DEVICE.observed());
    C copy = readNow(on, source, block, address);
    return on.reported(begin, copy, Direction.TO_DEVICE, source.byteSize(), source, false);
  }

  private static <C> C readNow(
      Enqueuer<C> on, MemorySegment source, DeviceBlock block, long address) {
    if (source.byteSize() <= StreamQueue.INLINE_BYTES) {
      long sequence = OrdinaryCopies.enqueueInline(on.engine(), on.queue(), block, address, source);
      if (sequence >= 0) {
        return on.copied(Way.INLINE, sequence, null);
      }
    }
    return aside(on, OrdinaryCopies.readNow(on.queue(), source), block, address);
  }

  /** Of bytes that were put aside. */
  static <C> C aside(Enqueuer<C> on, MemorySegment aside, DeviceBlock block, long address) {
    return HostCopies.staged(Direction.TO_DEVICE, on, aside, block, address, Way.READ_AT_CALL);
  }

  /** Refuses what cannot be read during the call, or should not be. */
  static void requireReadable(Enqueuer<?> on, MemorySegment source) {
    long bytes = source.byteSize();
    if (bytes > SourceReading.DURING_CALL_BYTES) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call, which takes at most %d: await the"
                  .formatted(bytes, SourceReading.DURING_CALL_BYTES)
              + " copy before the source is written, or copy in parts");
    }
    if (!on.queue().isDeferrable()) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call on %s, which cannot hold the copy"
                  .formatted(bytes, on)
              + " of what was read back until its turn: use device.stream()");
    }
    if (OrdinaryCopies.isArriving(on.queue(), source)) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call, since an earlier staged copy of %s"
                  .formatted(bytes, on)
              + " has still to bring bytes there: await that copy, or read in"
              + " STREAM_ORDER");
    }
  }
}
