package dev.stretto;

import static dev.stretto.Direction.TO_DEVICE;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.Volume;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import java.lang.foreign.MemorySegment;

/** Three-dimensional copies, between host memory and a device and within one. */
final class VolumeCopies {
  private VolumeCopies() {}

  static Copy copy(
      Direction direction,
      Stream stream,
      MemorySegment host,
      Pitches hostPitches,
      GlobalArray array,
      Pitches arrayPitches,
      Extent extent) {
    stream.requireUsable();
    boolean toDevice = direction == TO_DEVICE;
    DeviceBlock block = stream.block(array);
    long address = array.address();
    hostPitches.check(toDevice ? "source" : "destination", host.byteSize(), extent);
    arrayPitches.check(toDevice ? "destination" : "source", array.byteSize(), extent);
    MemorySegment used = host.asSlice(0, hostPitches.span(extent));
    PinnedBlock pinned = HostCopies.pinned(stream, used);
    HostEnd.check(host, !toDevice);
    if (pinned == null) {
      HostEnd.requireShared(host);
    }
    Volume shape =
        toDevice
            ? shape(arrayPitches, hostPitches, extent)
            : shape(hostPitches, arrayPitches, extent);
    Observers observers = stream.device().observers();
    Observation begin = observers.before(stream, direction.observed());
    Copy copy =
        pinned != null
            ? direct(direction, stream, used, block, address, pinned, shape)
            : staged(stream, used, block, address, shape, toDevice);
    if (begin != null) {
      Work work = HostCopies.work(direction, copy, extent.bytes(), used, pinned);
      observers.after(begin, stream, work);
    }
    return copy;
  }

  private static Copy direct(
      Direction direction,
      Stream stream,
      MemorySegment host,
      DeviceBlock block,
      long address,
      PinnedBlock pinned,
      Volume shape) {
    StreamQueue queue = stream.queue();
    long sequence =
        direction == TO_DEVICE
            ? queue.copy3D(block, pinned, address, host.address(), shape, direction.kind())
            : queue.copy3D(pinned, block, host.address(), address, shape, direction.kind());
    return new Copy(stream, Route.DIRECT, sequence, null);
  }

  private static Copy staged(
      Stream stream,
      MemorySegment host,
      DeviceBlock block,
      long address,
      Volume shape,
      boolean toDevice) {
    Transfer transfer =
        Transfer.enqueue(
            stream.device().engine(), stream.queue(), block, address, host, shape, toDevice);
    return new Copy(stream, Route.STAGED, transfer.sequence(), transfer);
  }

  static Copy copy(
      Stream stream,
      GlobalArray source,
      Pitches sourcePitches,
      GlobalArray destination,
      Pitches destinationPitches,
      Extent extent) {
    stream.requireUsable();
    DeviceBlock from = stream.block(source);
    DeviceBlock to = stream.block(destination);
    long src = source.address();
    long dst = destination.address();
    sourcePitches.check("source", source.byteSize(), extent);
    destinationPitches.check("destination", destination.byteSize(), extent);
    Footprint.requireApart(
        source,
        Footprint.ofPlanes(src, sourcePitches, extent),
        destination,
        Footprint.ofPlanes(dst, destinationPitches, extent));
    Observers observers = stream.device().observers();
    Observation begin = observers.before(stream, Observer.Kind.DEVICE_TO_DEVICE);
    Volume shape = shape(destinationPitches, sourcePitches, extent);
    long sequence = stream.queue().copy3D(to, from, dst, src, shape, CopyKind.DEVICE_TO_DEVICE);
    Copy copy = new Copy(stream, Route.LOCAL, sequence, null);
    if (begin != null) {
      Observer.Kind kind = Observer.Kind.DEVICE_TO_DEVICE;
      observers.after(begin, stream, new Work(kind, OnDevice.NAME, copy, extent.bytes()));
    }
    return copy;
  }

  private static Volume shape(Pitches destination, Pitches source, Extent extent) {
    return new Volume(
        destination.row(),
        destination.plane(),
        source.row(),
        source.plane(),
        extent.width(),
        extent.rows(),
        extent.planes());
  }
}
