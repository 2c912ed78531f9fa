package dev.stretto.enqueue;

import static dev.stretto.enqueue.Direction.TO_DEVICE;

import dev.stretto.fault.RouteException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.observe.Observation;
import dev.stretto.order.Footprint;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceBlock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OrdinaryCopies;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.SmallCopies;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Transfer;
import dev.stretto.route.Way;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Decides the way of copies between host memory and a device. */
public final class HostCopies {
  private HostCopies() {}

  public static <C> C copy(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      GlobalArray array,
      @Nullable Way way) {
    DeviceBlock block = on.block(array);
    long address = array.address();
    long bytes = array.byteSize();
    PinnedBlock pinned = checked(direction, on, host, bytes);
    Issue issue =
        on.isOrdered() ? Ends.copies(direction, on, Ends.End.of(host), Ends.End.of(array)) : null;
    if (issue != null && direction == TO_DEVICE && isReadDuringCall(way)) {
      issue.hasRead();
    }
    Observation begin = on.before(direction.observed(), issue);
    C copy =
        issue == null
            ? go(direction, on, host, block, address, pinned, way)
            : on.enqueue(issue, () -> go(direction, on, host, block, address, pinned, way));
    return on.reported(begin, copy, direction, bytes, host, pinned != null);
  }

  /** Whether a program that demands a way knows that the source is read when the call returns. */
  private static boolean isReadDuringCall(@Nullable Way way) {
    return way == Way.INLINE || way == Way.AWAITED_PAGEABLE;
  }

  /** Checks the host end and the sizes, and returns the pinned block of the host end, if any. */
  static @Nullable PinnedBlock checked(
      Direction direction, Enqueuer<?> on, MemorySegment host, long bytes) {
    PinnedBlock pinned = pinned(on, host);
    HostEnd.check(host, direction == Direction.TO_HOST, pinned);
    if (direction == TO_DEVICE) {
      HostEnd.checkSizes(host.byteSize(), bytes);
    } else {
      HostEnd.checkSizes(bytes, host.byteSize());
    }
    watch(direction, on, pinned, bytes);
    return pinned;
  }

  /** Has a diagnosis tell of copies to memory that the host reads slowly. */
  static void watch(Direction direction, Enqueuer<?> on, @Nullable PinnedBlock pinned, long bytes) {
    if (direction == Direction.TO_HOST && pinned != null && pinned.isWriteCombined()) {
      on.observers().readsWriteCombined("a copy brings " + bytes + " bytes to");
    }
  }

  /** The same for a copy from host memory to host memory. */
  public static void watchOnHost(Enqueuer<?> on, MemorySegment source) {
    PinnedBlock pinned = pinned(on, source);
    if (pinned != null && pinned.isWriteCombined()) {
      on.observers()
          .readsWriteCombined("a copy on the host reads " + source.byteSize() + " bytes of");
    }
  }

  /** Checks both ends of a copy from host memory to host memory. */
  public static void checkOnHost(MemorySegment source, MemorySegment destination) {
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

  /**
   * The pinned block is looked up before the arena is checked to be alive: right after the arena is
   * closed, its address could belong to another arena.
   */
  static @Nullable PinnedBlock pinned(Enqueuer<?> on, MemorySegment host) {
    return host.isNative() ? on.engine().pinned().find(host) : null;
  }

  static <C> C go(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      DeviceBlock block,
      long address,
      @Nullable PinnedBlock pinned,
      @Nullable Way way) {
    DeviceRuntime engine = on.engine();
    StreamQueue queue = on.queue();
    boolean small = direction == TO_DEVICE && host.byteSize() <= StreamQueue.INLINE_BYTES;
    if (way == null ? pinned != null : way == Way.DIRECT) {
      return direct(direction, on, host, block, address, RouteChecks.requirePinned(pinned, host));
    }
    if (way == Way.AWAITED_PAGEABLE) {
      RouteChecks.requirePageable(pinned, host);
      long sequence =
          OrdinaryCopies.copyPageable(engine, queue, block, address, host, direction.kind());
      return on.copied(Way.AWAITED_PAGEABLE, sequence, null);
    }
    if (small && (way == null || way == Way.INLINE)) {
      long sequence = SmallCopies.enqueueInline(engine, queue, block, address, host);
      if (sequence < 0) {
        sequence = SmallCopies.enqueueAside(engine, queue, block, address, host);
      }
      if (sequence >= 0) {
        return on.copied(Way.INLINE, sequence, null);
      }
    }
    if (way != null && way != Way.STAGED) {
      throw refused(direction, way, host);
    }
    if (way == null
        && small
        && !HostEnd.isShared(host)
        && !OrdinaryCopies.mayStillBeWritten(engine, queue, host)) {
      // Only the calling thread may access the memory, so it is read now.
      MemorySegment aside = SmallCopies.readNow(queue, host);
      return staged(direction, on, aside, block, address, Way.ASIDE);
    }
    return staged(direction, on, host, block, address, Way.STAGED);
  }

  private static RouteException refused(Direction direction, Way way, MemorySegment host) {
    if (way == Way.INLINE && direction == TO_DEVICE) {
      return new RouteException(
          "a copy of "
              + host.byteSize()
              + " bytes cannot go INLINE: it takes at most "
              + StreamQueue.INLINE_BYTES
              + " bytes, on a stream that is not held back, with a free small buffer");
    }
    return RouteChecks.impossible(way, direction.words());
  }

  private static <C> C direct(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      DeviceBlock block,
      long address,
      PinnedBlock pinned) {
    StreamQueue queue = on.queue();
    long bytes = host.byteSize();
    long sequence =
        direction == TO_DEVICE
            ? queue.copy(block, pinned, address, host.address(), bytes, direction.kind())
            : queue.copy(pinned, block, host.address(), address, bytes, direction.kind());
    return on.copied(Way.DIRECT, sequence, null);
  }

  static <C> C staged(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      DeviceBlock block,
      long address,
      Way way) {
    HostEnd.requireShared(host);
    long bytes = host.byteSize();
    Transfer transfer =
        Transfer.enqueue(
            on.engine(),
            on.queue(),
            block,
            address,
            bytes,
            host,
            bytes,
            bytes,
            1,
            direction == TO_DEVICE);
    return on.copied(way, transfer.sequence(), transfer);
  }

  public static <C> C copy2D(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      long hostPitch,
      GlobalArray array,
      long arrayPitch,
      long width,
      long rows) {
    DeviceBlock block = on.block(array);
    long address = array.address();
    boolean toDevice = direction == TO_DEVICE;
    Rows.check(toDevice ? "source" : "destination", host.byteSize(), hostPitch, width, rows);
    Rows.check(toDevice ? "destination" : "source", array.byteSize(), arrayPitch, width, rows);
    MemorySegment extent = host.asSlice(0, Rows.extent(hostPitch, width, rows));
    PinnedBlock pinned = pinned(on, extent);
    HostEnd.check(host, !toDevice, pinned);
    watch(direction, on, pinned, width * rows);
    Issue issue =
        on.isOrdered()
            ? Ends.copies(
                direction,
                on,
                Ends.End.of(host, Footprint.ofRows(host.address(), width, hostPitch, rows)),
                Ends.End.of(array, Footprint.ofRows(address, width, arrayPitch, rows)))
            : null;
    Observation begin = on.before(direction.observed(), issue);
    C copy =
        issue == null
            ? goByRows(
                direction, on, extent, hostPitch, block, address, arrayPitch, width, rows, pinned)
            : on.enqueue(
                issue,
                () ->
                    goByRows(
                        direction,
                        on,
                        extent,
                        hostPitch,
                        block,
                        address,
                        arrayPitch,
                        width,
                        rows,
                        pinned));
    return on.reported(begin, copy, direction, width * rows, host, pinned != null);
  }

  private static <C> C goByRows(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      long hostPitch,
      DeviceBlock block,
      long address,
      long arrayPitch,
      long width,
      long rows,
      @Nullable PinnedBlock pinned) {
    if (pinned == null) {
      HostEnd.requireShared(host);
      return ordinaryRows(direction, on, host, hostPitch, block, address, arrayPitch, width, rows);
    }
    long sequence =
        direction == TO_DEVICE
            ? on.queue()
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
            : on.queue()
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
    return on.copied(Way.DIRECT, sequence, null);
  }

  private static <C> C ordinaryRows(
      Direction direction,
      Enqueuer<C> on,
      MemorySegment host,
      long hostPitch,
      DeviceBlock block,
      long address,
      long arrayPitch,
      long width,
      long rows) {
    DeviceRuntime engine = on.engine();
    StreamQueue queue = on.queue();
    boolean toDevice = direction == TO_DEVICE;
    long inline =
        toDevice
            ? SmallCopies.enqueueRows(
                engine, queue, block, address, arrayPitch, host, hostPitch, width, rows)
            : -1;
    if (inline >= 0) {
      return on.copied(Way.INLINE, inline, null);
    }
    Transfer transfer =
        Transfer.enqueue(
            engine, queue, block, address, arrayPitch, host, hostPitch, width, rows, toDevice);
    return on.copied(Way.STAGED, transfer.sequence(), transfer);
  }
}
