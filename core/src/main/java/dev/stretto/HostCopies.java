package dev.stretto;

import static dev.stretto.Direction.TO_DEVICE;

import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Decides the way of copies between host memory and a device. */
final class HostCopies {
  private HostCopies() {}

  static Copy copy(
      Direction direction,
      Stream stream,
      MemorySegment host,
      GlobalArray array,
      Route.@Nullable Kind way) {
    stream.requireUsable();
    Capture capture = stream.capture();
    if (capture != null) {
      return capture.copy(stream, direction, host, array, way);
    }
    DeviceBlock block = stream.block(array);
    long address = array.address();
    long bytes = array.byteSize();
    PinnedBlock pinned = checked(direction, stream, host, bytes);
    Observers observers = stream.device().observers();
    Observation begin = observers.before(stream, direction.observed());
    Copy copy = go(direction, stream, host, block, address, pinned, way);
    if (begin != null) {
      observers.after(begin, stream, work(direction, copy, host, pinned));
    }
    return copy;
  }

  /** Checks the host's end and the sizes, and gives the block that it lies in if it is pinned. */
  static @Nullable PinnedBlock checked(
      Direction direction, Stream stream, MemorySegment host, long bytes) {
    PinnedBlock pinned = pinned(stream, host);
    HostEnd.check(host, direction == Direction.TO_HOST);
    if (direction == TO_DEVICE) {
      HostEnd.checkSizes(host.byteSize(), bytes);
    } else {
      HostEnd.checkSizes(bytes, host.byteSize());
    }
    return pinned;
  }

  /** Checks both ends of a copy from host memory to host memory. */
  static void checkOnHost(MemorySegment source, MemorySegment destination) {
    HostEnd.check(source, false);
    HostEnd.check(destination, true);
    HostEnd.checkSizes(source.byteSize(), destination.byteSize());
    HostEnd.requireShared(source);
    HostEnd.requireShared(destination);
    if (source.asOverlappingSlice(destination).isPresent()) {
      throw new IllegalArgumentException(
          "the two ends of a copy of " + source.byteSize() + " bytes overlap in host memory");
    }
  }

  /** What those are told who observe a device: a copy of all of a piece of host memory. */
  static Work work(
      Direction direction, Copy copy, MemorySegment host, @Nullable PinnedBlock pinned) {
    return work(direction, copy, host.byteSize(), host, pinned);
  }

  /** The same of a part of it. */
  static Work work(
      Direction direction,
      Copy copy,
      long bytes,
      MemorySegment host,
      @Nullable PinnedBlock pinned) {
    return new Work(
        direction.observed(),
        direction.name(pinned != null),
        copy.sequence(),
        bytes,
        copy.route().kind(),
        host,
        pinned != null);
  }

  /**
   * Looked up before the arena is seen to be alive: the address could be another arena's a moment
   * after this one is closed.
   */
  static @Nullable PinnedBlock pinned(Stream stream, MemorySegment host) {
    return host.isNative() ? stream.device().engine().pinned().find(host) : null;
  }

  static Copy go(
      Direction direction,
      Stream stream,
      MemorySegment host,
      DeviceBlock block,
      long address,
      @Nullable PinnedBlock pinned,
      Route.@Nullable Kind way) {
    DeviceRuntime engine = stream.device().engine();
    StreamQueue queue = stream.queue();
    boolean small = direction == TO_DEVICE && host.byteSize() <= StreamQueue.INLINE_BYTES;
    if (way == null ? pinned != null : way == Route.Kind.DIRECT) {
      return direct(
          direction, stream, host, block, address, RouteChecks.requirePinned(pinned, host));
    }
    if (way == Route.Kind.AWAITED_PAGEABLE) {
      RouteChecks.requirePageable(pinned, host);
      long sequence =
          OrdinaryCopies.copyPageable(engine, queue, block, address, host, direction.kind());
      return new Copy(stream, Route.AWAITED_PAGEABLE, sequence, null);
    }
    if (small && (way == null || way == Route.Kind.INLINE)) {
      long sequence = OrdinaryCopies.enqueueInline(engine, queue, block, address, host);
      if (sequence >= 0) {
        return new Copy(stream, Route.INLINE, sequence, null);
      }
    }
    if (way != null && way != Route.Kind.STAGED) {
      throw refused(direction, way, host);
    }
    if (way == null
        && small
        && !HostEnd.isShared(host)
        && !OrdinaryCopies.mayStillBeWritten(engine, queue, host)) {
      // Only the calling thread may touch it, so it is read now.
      MemorySegment aside = OrdinaryCopies.readNow(queue, host);
      return staged(direction, stream, aside, block, address, Route.ASIDE);
    }
    return staged(direction, stream, host, block, address, Route.STAGED);
  }

  private static RouteException refused(Direction direction, Route.Kind way, MemorySegment host) {
    if (way == Route.Kind.INLINE && direction == TO_DEVICE) {
      return new RouteException(
          "a copy of "
              + host.byteSize()
              + " bytes cannot go INLINE: it takes at most "
              + StreamQueue.INLINE_BYTES
              + " bytes, on a stream that is not held back, with a free small buffer");
    }
    return RouteChecks.impossible(way, direction.words());
  }

  private static Copy direct(
      Direction direction,
      Stream stream,
      MemorySegment host,
      DeviceBlock block,
      long address,
      PinnedBlock pinned) {
    StreamQueue queue = stream.queue();
    long bytes = host.byteSize();
    long sequence =
        direction == TO_DEVICE
            ? queue.copy(block, pinned, address, host.address(), bytes, direction.kind())
            : queue.copy(pinned, block, host.address(), address, bytes, direction.kind());
    return new Copy(stream, Route.DIRECT, sequence, null);
  }

  static Copy staged(
      Direction direction,
      Stream stream,
      MemorySegment host,
      DeviceBlock block,
      long address,
      Route route) {
    HostEnd.requireShared(host);
    long bytes = host.byteSize();
    Transfer transfer =
        Transfer.enqueue(
            stream.device().engine(),
            stream.queue(),
            block,
            address,
            bytes,
            host,
            bytes,
            bytes,
            1,
            direction == TO_DEVICE);
    return new Copy(stream, route, transfer.sequence(), transfer);
  }

  static Copy copy2D(
      Direction direction,
      Stream stream,
      MemorySegment host,
      long hostPitch,
      GlobalArray array,
      long arrayPitch,
      long width,
      long rows) {
    stream.requireUsable();
    Capture capture = stream.capture();
    if (capture != null) {
      NodeWork work =
          NodeWorks.rows(
              stream.device(), direction, host, hostPitch, array, arrayPitch, width, rows);
      return new Copy(stream, Route.DIRECT, capture.add(stream, work), null);
    }
    DeviceBlock block = stream.block(array);
    long address = array.address();
    boolean toDevice = direction == TO_DEVICE;
    Rows.check(toDevice ? "source" : "destination", host.byteSize(), hostPitch, width, rows);
    Rows.check(toDevice ? "destination" : "source", array.byteSize(), arrayPitch, width, rows);
    MemorySegment extent = host.asSlice(0, Rows.extent(hostPitch, width, rows));
    PinnedBlock pinned = pinned(stream, extent);
    HostEnd.check(host, !toDevice);
    Observers observers = stream.device().observers();
    Observation begin = observers.before(stream, direction.observed());
    Copy copy;
    if (pinned != null) {
      long sequence =
          toDevice
              ? stream
                  .queue()
                  .copy2D(
                      block,
                      pinned,
                      address,
                      arrayPitch,
                      host.address(),
                      hostPitch,
                      width,
                      rows,
                      direction.kind())
              : stream
                  .queue()
                  .copy2D(
                      pinned,
                      block,
                      host.address(),
                      hostPitch,
                      address,
                      arrayPitch,
                      width,
                      rows,
                      direction.kind());
      copy = new Copy(stream, Route.DIRECT, sequence, null);
    } else {
      HostEnd.requireShared(host);
      Transfer transfer =
          Transfer.enqueue(
              stream.device().engine(),
              stream.queue(),
              block,
              address,
              arrayPitch,
              extent,
              hostPitch,
              width,
              rows,
              toDevice);
      copy = new Copy(stream, Route.STAGED, transfer.sequence(), transfer);
    }
    if (begin != null) {
      observers.after(begin, stream, work(direction, copy, width * rows, host, pinned));
    }
    return copy;
  }
}
