package dev.stretto.enqueue;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.Volume;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.observe.WorkKind;
import dev.stretto.order.Footprint;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Way;
import org.jspecify.annotations.Nullable;

/** Copies within a device, also between arrays of different openings of it. */
public final class OnDevice {
  /** The name of a copy within a device in a timeline: the one that profilers use. */
  public static final String NAME = "Memcpy DtoD (Device -> Device)";

  /** The name of a fill in a timeline. */
  public static final String FILL = "Memset (Device)";

  static final String WORDS = "a copy within the device";

  private OnDevice() {}

  public static <C> C copy(
      Enqueuer<C> on, GlobalArray source, GlobalArray destination, @Nullable Way way) {
    DeviceBlock from = ArrayMemory.of(source).block();
    DeviceBlock to = ArrayMemory.of(destination).block();
    DeviceRuntime own = on.engine();
    if (!own.peers().isSame(from.engine()) || !own.peers().isSame(to.engine())) {
      return BetweenDevices.copy(on, source, destination, way);
    }
    if (way != null && way != Way.LOCAL) {
      throw RouteChecks.impossible(way, "within a device");
    }
    long src = source.address();
    long dst = destination.address();
    long bytes = source.byteSize();
    HostEnd.checkSizes(bytes, destination.byteSize());
    checkApart(source, src, bytes, destination, dst, bytes);
    Issue issue =
        on.isOrdered()
            ? Ends.copies(on, WORDS, Ends.End.of(source), Ends.End.of(destination))
            : null;
    Observation begin = on.before(WorkKind.DEVICE_TO_DEVICE, issue);
    C copy =
        issue == null
            ? go(on, to, from, dst, src, bytes)
            : on.enqueue(issue, () -> go(on, to, from, dst, src, bytes));
    return on.reported(begin, copy, NAME, bytes);
  }

  private static <C> C go(
      Enqueuer<C> on, DeviceBlock to, DeviceBlock from, long dst, long src, long bytes) {
    long sequence = on.queue().copy(to, from, dst, src, bytes, CopyKind.DEVICE_TO_DEVICE);
    return on.copied(Way.LOCAL, sequence, null);
  }

  public static <C> C copy2D(
      Enqueuer<C> on,
      GlobalArray source,
      long sourcePitch,
      GlobalArray destination,
      long destinationPitch,
      long width,
      long rows) {
    boolean between = BetweenDevices.isBetween(on, source, destination);
    long src = source.address();
    long dst = destination.address();
    Rows.check("source", source.byteSize(), sourcePitch, width, rows);
    Rows.check("destination", destination.byteSize(), destinationPitch, width, rows);
    Footprint read = Footprint.ofRows(src, width, sourcePitch, rows);
    Footprint written = Footprint.ofRows(dst, width, destinationPitch, rows);
    if (between) {
      Volume shape =
          rows == 1 ? Volume.run(width) : Volume.rows(destinationPitch, sourcePitch, width, rows);
      return BetweenDevices.copy(on, source, read, destination, written, shape);
    }
    DeviceBlock from = on.block(source);
    DeviceBlock to = on.block(destination);
    Ends.requireApart(source, read, destination, written);
    Issue issue =
        on.isOrdered()
            ? Ends.copies(on, WORDS, Ends.End.of(source, read), Ends.End.of(destination, written))
            : null;
    Observation begin = on.before(WorkKind.DEVICE_TO_DEVICE, issue);
    C copy =
        issue == null
            ? goByRows(on, to, from, dst, destinationPitch, src, sourcePitch, width, rows)
            : on.enqueue(
                issue,
                () -> goByRows(on, to, from, dst, destinationPitch, src, sourcePitch, width, rows));
    return on.reported(begin, copy, NAME, width * rows);
  }

  private static <C> C goByRows(
      Enqueuer<C> on,
      DeviceBlock to,
      DeviceBlock from,
      long dst,
      long destinationPitch,
      long src,
      long sourcePitch,
      long width,
      long rows) {
    long sequence =
        on.queue()
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
    return on.copied(Way.LOCAL, sequence, null);
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
