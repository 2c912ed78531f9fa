package dev.stretto.enqueue;

import static dev.stretto.enqueue.Direction.TO_DEVICE;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.Volume;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.observe.WorkKind;
import dev.stretto.order.Footprint;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.SmallCopies;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Three-dimensional copies, between host memory and a device within one, and between two. */
public final class VolumeCopies {
  private VolumeCopies() {}

  /**
   * Copies between host memory and the stream's device.
   *
   * @param hostBox the part of the host memory
   * @param arrayBox the part of the array; it has the same extent
   */
  public static <C> C copy(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      Box hostBox,
      GlobalArray array,
      Box arrayBox) {
    boolean toDevice = direction == TO_DEVICE;
    DeviceBlock block = on.block(array);
    long address = array.address();
    hostBox.check(toDevice ? "source" : "destination", host.byteSize());
    arrayBox.check(toDevice ? "destination" : "source", array.byteSize());
    MemorySegment used = host.asSlice(0, hostBox.span());
    PinnedBlock pinned = HostCopies.pinned(on, used);
    HostEnd.check(host, !toDevice, pinned);
    if (pinned == null) {
      HostEnd.requireShared(host);
    }
    HostCopies.watch(direction, on, pinned, hostBox.bytes());
    Volume shape = toDevice ? arrayBox.from(hostBox) : hostBox.from(arrayBox);
    Issue issue =
        on.isOrdered()
            ? Ends.copies(
                direction,
                on,
                Ends.End.of(host, hostBox.at(host.address())),
                Ends.End.of(array, arrayBox.at(address)))
            : null;
    Observation begin = on.before(direction.observed(), issue);
    C copy =
        issue == null
            ? go(direction, on, used, block, address, pinned, shape)
            : on.enqueue(issue, () -> go(direction, on, used, block, address, pinned, shape));
    return on.reported(begin, copy, direction, hostBox.bytes(), used, pinned != null);
  }

  private static <C> C go(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      DeviceBlock block,
      long address,
      @Nullable PinnedBlock pinned,
      Volume shape) {
    return pinned != null
        ? direct(direction, on, host, block, address, pinned, shape)
        : ordinary(on, host, block, address, shape, direction == TO_DEVICE);
  }

  private static <C> C direct(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      DeviceBlock block,
      long address,
      PinnedBlock pinned,
      Volume shape) {
    StreamQueue queue = on.queue();
    long sequence =
        direction == TO_DEVICE
            ? queue.copy3D(block, pinned, address, host.address(), shape, direction.kind())
            : queue.copy3D(pinned, block, host.address(), address, shape, direction.kind());
    return on.copied(Way.DIRECT, sequence, null);
  }

  private static <C> C ordinary(
      Enqueuer<C> on,
      MemorySegment host,
      DeviceBlock block,
      long address,
      Volume shape,
      boolean toDevice) {
    long inline =
        toDevice
            ? SmallCopies.enqueuePlanes(on.engine(), on.queue(), block, address, host, shape)
            : -1;
    if (inline >= 0) {
      return on.copied(Way.INLINE, inline, null);
    }
    Transfer transfer =
        Transfer.enqueue(on.engine(), on.queue(), block, address, host, shape, toDevice);
    return on.copied(Way.STAGED, transfer.sequence(), transfer);
  }

  /**
   * Copies within the stream's device, or between it and another.
   *
   * @param sourceBox the part of the source
   * @param destinationBox the part of the destination; it has the same extent
   */
  public static <C> C copy(
      Enqueuer<C> on,
      GlobalArray source,
      Box sourceBox,
      GlobalArray destination,
      Box destinationBox) {
    boolean between = BetweenDevices.isBetween(on, source, destination);
    long src = source.address();
    long dst = destination.address();
    sourceBox.check("source", source.byteSize());
    destinationBox.check("destination", destination.byteSize());
    Footprint read = sourceBox.at(src);
    Footprint written = destinationBox.at(dst);
    Volume shape = destinationBox.from(sourceBox);
    if (between) {
      return BetweenDevices.copy(on, source, read, destination, written, shape);
    }
    DeviceBlock from = on.block(source);
    DeviceBlock to = on.block(destination);
    Ends.requireApart(source, read, destination, written);
    Issue issue =
        on.isOrdered()
            ? Ends.copies(
                on, OnDevice.WORDS, Ends.End.of(source, read), Ends.End.of(destination, written))
            : null;
    Observation begin = on.before(WorkKind.DEVICE_TO_DEVICE, issue);
    C copy =
        issue == null
            ? go(on, to, from, dst, src, shape)
            : on.enqueue(issue, () -> go(on, to, from, dst, src, shape));
    return on.reported(begin, copy, OnDevice.NAME, sourceBox.bytes());
  }

  private static <C> C go(
      Enqueuer<C> on, DeviceBlock to, DeviceBlock from, long dst, long src, Volume shape) {
    long sequence = on.queue().copy3D(to, from, dst, src, shape, CopyKind.DEVICE_TO_DEVICE);
    return on.copied(Way.LOCAL, sequence, null);
  }
}
