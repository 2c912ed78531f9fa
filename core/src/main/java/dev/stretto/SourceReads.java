package dev.stretto;

import dev.stretto.fault.SourceAccessException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.StreamQueue;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies that are told when their source may be read. */
final class SourceReads {
  private SourceReads() {}

  /** To the device. */
  static Copy copy(
      Stream stream, MemorySegment source, GlobalArray destination, SourceAccess access) {
    Objects.requireNonNull(access, "access");
    if (access != SourceAccess.DURING_CALL) {
      return HostCopies.copy(Direction.TO_DEVICE, stream, source, destination, null);
    }
    stream.requireUsable();
    DeviceBlock block = stream.block(destination);
    long address = destination.address();
    @Nullable PinnedBlock _ =
        HostCopies.checked(Direction.TO_DEVICE, stream, source, destination.byteSize());
    requireReadable(stream, source);
    Observers observers = stream.device().observers();
    Observation begin = observers.before(stream, Direction.TO_DEVICE.observed());
    Copy copy = readNow(stream, source, block, address);
    if (begin != null) {
      observers.after(begin, stream, HostCopies.work(Direction.TO_DEVICE, copy, source, null));
    }
    return copy;
  }

  private static Copy readNow(
      Stream stream, MemorySegment source, DeviceBlock block, long address) {
    if (source.byteSize() <= StreamQueue.INLINE_BYTES) {
      long sequence =
          OrdinaryCopies.enqueueInline(
              stream.device().engine(), stream.queue(), block, address, source);
      if (sequence >= 0) {
        return new Copy(stream, Route.INLINE, sequence, null);
      }
    }
    return aside(stream, OrdinaryCopies.readNow(stream.queue(), source), block, address);
  }

  /** Of bytes that were put aside. */
  static Copy aside(Stream stream, MemorySegment aside, DeviceBlock block, long address) {
    return HostCopies.staged(
        Direction.TO_DEVICE, stream, aside, block, address, Route.READ_AT_CALL);
  }

  /** Refuses what cannot be read during the call, or should not be. */
  static void requireReadable(Stream stream, MemorySegment source) {
    long bytes = source.byteSize();
    if (bytes > SourceAccess.DURING_CALL_BYTES) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call, which takes at most %d: await the"
                  .formatted(bytes, SourceAccess.DURING_CALL_BYTES)
              + " copy before the source is written, or copy in parts");
    }
    if (!stream.queue().isDeferrable()) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call on %s, which cannot hold the copy"
                  .formatted(bytes, stream)
              + " of what was read back until its turn: use device.stream()");
    }
    if (OrdinaryCopies.isArriving(stream.queue(), source)) {
      throw new SourceAccessException(
          "a source of %d bytes cannot be read during the call, since an earlier staged copy of %s"
                  .formatted(bytes, stream)
              + " has still to bring bytes there: await that copy, or read in"
              + " STREAM_ORDER");
    }
  }

  /** Device memory is read by the device, in the order of the stream. */
  static void requireDeviceSource(SourceAccess access, GlobalArray source) {
    if (Objects.requireNonNull(access, "access") == SourceAccess.DURING_CALL) {
      throw new SourceAccessException(
          source
              + " cannot be read during the call: device memory is read by the device, in the"
              + " order of the stream");
    }
  }
}
