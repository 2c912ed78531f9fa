package dev.stretto;

import dev.stretto.Observer.Kind;
import dev.stretto.driver.CopyKind;
import dev.stretto.memory.GlobalArray;
import dev.stretto.route.DeviceBlock;

/** Copies within a device. */
final class OnDevice {
  private static final String NAME = "Memcpy DtoD (Device -> Device)";

  private OnDevice() {}

  static Copy copy(Stream stream, GlobalArray source, GlobalArray destination) {
    stream.checkThread();
    DeviceBlock from = stream.device().block(source);
    DeviceBlock to = stream.device().block(destination);
    long src = source.address();
    long dst = destination.address();
    long bytes = source.byteSize();
    HostEnd.checkSizes(bytes, destination.byteSize());
    checkApart(source, src, bytes, destination, dst, bytes);
    TimedEvent begin = stream.device().observers().before(stream);
    long sequence = stream.queue().copy(to, from, dst, src, bytes, CopyKind.DEVICE_TO_DEVICE);
    stream.device().observers().after(begin, stream, Kind.DEVICE_TO_DEVICE, NAME, bytes, false);
    return new Copy(stream, Route.LOCAL, sequence, null);
  }

  static Copy copy2D(
      Stream stream,
      GlobalArray source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    stream.checkThread();
    DeviceBlock from = stream.device().block(source);
    DeviceBlock to = stream.device().block(destination);
    long src = source.address();
    long dst = destination.address();
    Rows.check("source", source.byteSize(), sourcePitch, width, rows);
    Rows.check("destination", destination.byteSize(), destinationPitch, width, rows);
    checkApart(
        source,
        src,
        Rows.extent(sourcePitch, width, rows),
        destination,
        dst,
        Rows.extent(destinationPitch, width, rows));
    TimedEvent begin = stream.device().observers().before(stream);
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
    stream
        .device()
        .observers()
        .after(begin, stream, Kind.DEVICE_TO_DEVICE, NAME, width * rows, false);
    return new Copy(stream, Route.LOCAL, sequence, null);
  }

  private static void checkApart(
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
