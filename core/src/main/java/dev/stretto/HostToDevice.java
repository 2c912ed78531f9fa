package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.driver.CopyKind;
import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Decides the way of copies from host memory to a device. */
final class HostToDevice {
  private HostToDevice() {}

  static Copy copy(Stream stream, MemorySegment source, GlobalArray destination, Route.@Nullable Kind way) {
    stream.checkThread();
    DeviceBlock block = stream.device().block(destination);
    long address = destination.address();
    long bytes = destination.byteSize();
    // Looked up before the arena is seen to be alive: the address could be another arena's a moment after this one is closed.
    PinnedBlock pinned = source.isNative() ? stream.device().engine().pinned().find(source) : null;
    HostEnd.check(source, false);
    HostEnd.checkSizes(source.byteSize(), bytes);
    Observers observers = stream.device().observers();
    TimedEvent begin = observers.before(stream);
    Copy copy = go(stream, source, block, address, pinned, way);
    if (begin != null) {
      observers.after(begin, stream, Kind.HOST_TO_DEVICE, name(copy), bytes, pinned != null);
    }
    return copy;
  }

  private static String name(Copy copy) {
    return copy.route().kind() == Route.Kind.DIRECT
        ? "Memcpy HtoD (Pinned -> Device)"
        : "Memcpy HtoD (Pageable -> Device)";
  }

  private static Copy go(
      Stream stream,
      MemorySegment source,
      DeviceBlock block,
      long address,
      @Nullable PinnedBlock pinned,
      Route.@Nullable Kind way) {
    StreamQueue queue = stream.queue();
    long bytes = source.byteSize();
    if (way == null ? pinned != null : way == Route.Kind.DIRECT) {
      long sequence =
          queue.copy(
              block,
              RouteChecks.requirePinned(pinned, source),
              address,
              source.address(),
              bytes,
              CopyKind.HOST_TO_DEVICE);
      return new Copy(stream, Route.DIRECT, sequence, null);
    }
    if (way == Route.Kind.AWAITED_PAGEABLE) {
      RouteChecks.requirePageable(pinned, source);
      long sequence = queue.copyPageable(block, address, source, CopyKind.HOST_TO_DEVICE);
      return new Copy(stream, Route.AWAITED_PAGEABLE, sequence, null);
    }
    if (way == null ? bytes <= StreamQueue.INLINE_BYTES : way == Route.Kind.INLINE) {
      long sequence = bytes <= StreamQueue.INLINE_BYTES ? queue.copyInline(block, address, source) : -1;
      if (sequence >= 0) {
        return new Copy(stream, Route.INLINE, sequence, null);
      }
      if (way != null) {
        throw new RouteException(
            "a copy of "
                + bytes
                + " bytes cannot go INLINE: it takes at most "
                + StreamQueue.INLINE_BYTES
                + " bytes, on a stream that is not held back, with a free small buffer");
      }
    }
    if (way != null && way != Route.Kind.STAGED) {
      throw RouteChecks.impossible(way, "from host memory to a device");
    }
    boolean aside = way == null && bytes <= StreamQueue.INLINE_BYTES && !HostEnd.isShared(source) && !queue.mayStillBeWritten(source);
    if (!aside) {
      HostEnd.requireShared(source);
    }
    MemorySegment read =
        aside ? MemorySegment.ofArray(source.toArray(ValueLayout.JAVA_BYTE)) : source;
    Transfer transfer =
        Transfer.enqueue(queue, block, address, bytes, read, bytes, bytes, 1, true);
    return new Copy(stream, aside ? Route.ASIDE : Route.STAGED, transfer.sequence(), transfer);
  }

  static Copy copy2D(
      Stream stream,
      MemorySegment source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    stream.checkThread();
    DeviceBlock block = stream.device().block(destination);
    long address = destination.address();
    Rows.check("source", source.byteSize(), sourcePitch, width, rows);
    Rows.check("destination", destination.byteSize(), destinationPitch, width, rows);
    MemorySegment extent = source.asSlice(0, Rows.extent(sourcePitch, width, rows));
    PinnedBlock pinned = source.isNative() ? stream.device().engine().pinned().find(extent) : null;
    HostEnd.check(source, false);
    TimedEvent begin = stream.device().observers().before(stream);
    Copy copy;
    if (pinned != null) {
      long sequence =
          stream
              .queue()
              .copy2D(
                  block,
                  pinned,
                  address,
                  destinationPitch,
                  source.address(),
                  sourcePitch,
                  width,
                  rows,
                  CopyKind.HOST_TO_DEVICE);
      copy = new Copy(stream, Route.DIRECT, sequence, null);
    } else {
      HostEnd.requireShared(source);
      Transfer transfer =
          Transfer.enqueue(
              stream.queue(), block, address, destinationPitch, extent, sourcePitch, width, rows, true);
      copy = new Copy(stream, Route.STAGED, transfer.sequence(), transfer);
    }
    if (begin != null) {
      stream
          .device()
          .observers()
          .after(begin, stream, Kind.HOST_TO_DEVICE, name(copy), width * rows, pinned != null);
    }
    return copy;
  }
}
