package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.driver.CopyKind;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import org.jspecify.annotations.Nullable;

/** Copies within a device, however often it was opened. */
final class OnDevice {
  static final String NAME = "Memcpy DtoD (Device -> Device)";

  private OnDevice() {}

  static Copy copy(
      Stream stream, GlobalArray source, GlobalArray destination, Route.@Nullable Kind way) {
    stream.requireUsable();
    Capture capture = stream.capture();
    if (capture != null) {
      return capture.copy(stream, source, destination, way);
    }
    DeviceBlock from = Device.anyBlock(source);
    DeviceBlock to = Device.anyBlock(destination);
    DeviceRuntime own = stream.device().engine();
    if (!own.peers().isSame(from.engine()) || !own.peers().isSame(to.engine())) {
      return BetweenDevices.copy(stream, source, destination, way);
    }
    if (way != null && way != Route.Kind.LOCAL) {
      throw RouteChecks.impossible(way, "within a device");
    }
    long src = source.address();
    long dst = destination.address();
    long bytes = source.byteSize();
    HostEnd.checkSizes(bytes, destination.byteSize());
    checkApart(source, src, bytes, destination, dst, bytes);
    Observation begin = stream.device().observers().before(stream, Kind.DEVICE_TO_DEVICE);
    long sequence = stream.queue().copy(to, from, dst, src, bytes, CopyKind.DEVICE_TO_DEVICE);
    return told(begin, new Copy(stream, Route.LOCAL, sequence, null), bytes);
  }

  static Copy copy2D(
      Stream stream,
      GlobalArray source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    stream.requireUsable();
    Capture capture = stream.capture();
    if (capture != null) {
      NodeWork work =
          NodeWorks.rows(
              stream.device(), source, sourcePitch, destination, destinationPitch, width, rows);
      return new Copy(stream, Route.LOCAL, capture.add(stream, work), null);
    }
    DeviceBlock from = stream.block(source);
    DeviceBlock to = stream.block(destination);
    long src = source.address();
    long dst = destination.address();
    Rows.check("source", source.byteSize(), sourcePitch, width, rows);
    Rows.check("destination", destination.byteSize(), destinationPitch, width, rows);
    Footprint.requireApart(
        source,
        Footprint.ofRows(src, width, sourcePitch, rows),
        destination,
        Footprint.ofRows(dst, width, destinationPitch, rows));
    Observation begin = stream.device().observers().before(stream, Kind.DEVICE_TO_DEVICE);
    long sequence =
        stream
            .queue()
            .copy2D(
                to,
                from,
                dst,
                destinationPitch,
                src,
                sourcePitch,
                width,
                rows,
                CopyKind.DEVICE_TO_DEVICE);
    return told(begin, new Copy(stream, Route.LOCAL, sequence, null), width * rows);
  }

  private static Copy told(@Nullable Observation begin, Copy copy, long bytes) {
    if (begin != null) {
      Stream stream = copy.stream();
      Work work = new Work(Kind.DEVICE_TO_DEVICE, NAME, copy, bytes);
      stream.device().observers().after(begin, stream, work);
    }
    return copy;
  }

  static void checkApart(
      GlobalArray source,
      long src,
      long srcBytes,
      GlobalArray destination,
      long dst,
      long dstBytes) {
    if (src < dst + dstBytes && dst < src + srcBytes) {
      throw new IllegalArgumentException(
          "the two ends of a copy overlap: "
              + source
              + ", "
              + srcBytes
              + " bytes, and "
              + destination
              + ", "
              + dstBytes
              + " bytes");
    }
  }
}
