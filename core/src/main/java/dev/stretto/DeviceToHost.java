package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.driver.CopyKind;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Decides the way of copies from a device to host memory. */
final class DeviceToHost {
  private DeviceToHost() {}

  static Copy copy(Stream stream, GlobalArray source, MemorySegment destination, Route.@Nullable Kind way) {
    stream.checkThread();
    DeviceBlock block = stream.device().block(source);
    long address = source.address();
    long bytes = source.byteSize();
    // Looked up before the arena is seen to be alive: the address could be another arena's a moment after this one is closed.
    PinnedBlock pinned = destination.isNative() ? stream.device().engine().pinned().find(destination) : null;
    HostEnd.check(destination, true);
    HostEnd.checkSizes(bytes, destination.byteSize());
    Observers observers = stream.device().observers();
    TimedEvent begin = observers.before(stream);
    Copy copy = go(stream, destination, block, address, pinned, way);
    if (begin != null) {
      observers.after(begin, stream, Kind.DEVICE_TO_HOST, name(copy), bytes, pinned != null);
    }
    return copy;
  }

  private static String name(Copy copy) {
    return copy.route().kind() == Route.Kind.DIRECT
        ? "Memcpy DtoH (Device -> Pinned)"
        : "Memcpy DtoH (Device -> Pageable)";
  }

  private static Copy go(
      Stream stream,
      MemorySegment destination,
      DeviceBlock block,
      long address,
      @Nullable PinnedBlock pinned,
      Route.@Nullable Kind way) {
    StreamQueue queue = stream.queue();
    long bytes = destination.byteSize();
    if (way == null ? pinned != null : way == Route.Kind.DIRECT) {
      long sequence =
          queue.copy(
              RouteChecks.requirePinned(pinned, destination),
              block,
              destination.address(),
              address,
              bytes,
              CopyKind.DEVICE_TO_HOST);
      return new Copy(stream, Route.DIRECT, sequence, null);
    }
    if (way == Route.Kind.AWAITED_PAGEABLE) {
      RouteChecks.requirePageable(pinned, destination);
      long sequence = queue.copyPageable(block, address, destination, CopyKind.DEVICE_TO_HOST);
      return new Copy(stream, Route.AWAITED_PAGEABLE, sequence, null);
    }
    if (way != null && way != Route.Kind.STAGED) {
      throw RouteChecks.impossible(way, "from a device to host memory");
    }
    HostEnd.requireShared(destination);
    Transfer transfer =
        Transfer.enqueue(queue, block, address, bytes, destination, bytes, bytes, 1, false);
    return new Copy(stream, Route.STAGED, transfer.sequence(), transfer);
  }

  static Copy copy2D(
      Stream stream,
      GlobalArray source,
      long sourcePitch,
      MemorySegment destination,
      long destinationPitch,
      long width,
      long rows) {
    stream.checkThread();
    DeviceBlock block = stream.device().block(source);
    long address = source.address();
    Rows.check("source", source.byteSize(), sourcePitch, width, rows);
    Rows.check("destination", destination.byteSize(), destinationPitch, width, rows);
    MemorySegment extent = destination.asSlice(0, Rows.extent(destinationPitch, width, rows));
    PinnedBlock pinned = destination.isNative() ? stream.device().engine().pinned().find(extent) : null;
    HostEnd.check(destination, true);
    TimedEvent begin = stream.device().observers().before(stream);
    Copy copy;
    if (pinned != null) {
      long sequence =
          stream
              .queue()
              .copy2D(
                  pinned,
                  block,
                  destination.address(),
                  destinationPitch,
                  address,
                  sourcePitch,
                  width,
                  rows,
                  CopyKind.DEVICE_TO_HOST);
      copy = new Copy(stream, Route.DIRECT, sequence, null);
    } else {
      HostEnd.requireShared(destination);
      Transfer transfer =
          Transfer.enqueue(
              stream.queue(), block, address, sourcePitch, extent, destinationPitch, width, rows, false);
      copy = new Copy(stream, Route.STAGED, transfer.sequence(), transfer);
    }
    if (begin != null) {
      stream
          .device()
          .observers()
          .after(begin, stream, Kind.DEVICE_TO_HOST, name(copy), width * rows, pinned != null);
    }
    return copy;
  }
}
