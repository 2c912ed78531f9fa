package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostBytes;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.RouteException;
import java.lang.foreign.MemorySegment;

/**
 * Copies of ordinary host memory that need no staging slots and no small buffers: those within the
 * host, and those that the driver makes by itself. All others are {@link SmallCopies} and {@link
 * Transfer}s.
 */
public final class OrdinaryCopies {
  private OrdinaryCopies() {}

  /**
   * {@return whether copies in flight on a stream may write this memory directly, because it is
   * pinned or was so until just now}
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param host any segment
   */
  public static boolean mayStillBeWritten(
      DeviceRuntime engine, StreamQueue queue, MemorySegment host) {
    return queue.completion.completed() < queue.lastIssued()
        && host.isNative()
        && engine.pinned().ranges().touches(host.address(), host.byteSize());
  }

  /**
   * {@return whether all operations of a stream are over, and what they bring to the host has
   * arrived, so that none may still write a file}
   *
   * @param queue the stream
   */
  public static boolean areOver(StreamQueue queue) {
    synchronized (queue.device.lock) {
      return queue.completion.completed() >= queue.lastIssued() && queue.arrivals.isEmpty();
    }
  }

  /**
   * {@return whether an earlier staged copy of a stream is still to bring bytes to this memory}
   *
   * @param queue the stream
   * @param host any segment
   */
  public static boolean isArriving(StreamQueue queue, MemorySegment host) {
    synchronized (queue.device.lock) {
      return !queue.arrivals.in(host).isEmpty();
    }
  }

  /**
   * Enqueues a copy between two ranges of ordinary memory, made by a host thread.
   *
   * @param queue the stream
   * @param dst the destination
   * @param src the source
   * @return the operation's sequence number
   */
  public static long enqueueOnHost(StreamQueue queue, MemorySegment dst, MemorySegment src) {
    long sequence = enqueueOnHostThread(queue, dst, src);
    synchronized (queue.device.lock) {
      queue.toHost.brings(sequence);
    }
    return sequence;
  }

  private static long enqueueOnHostThread(StreamQueue queue, MemorySegment dst, MemorySegment src) {
    return Callback.enqueue(
        queue,
        false,
        () -> {
          try {
            HostBytes.copy(src, 0, dst, 0, src.byteSize());
          } catch (IllegalStateException | InternalError e) {
            throw unreachable(queue, src.byteSize(), e);
          }
          var clock = queue.driver.clock();
          clock.atLeast(clock.now() + clock.copyNanos(src.byteSize()));
        },
        queue.device::later);
  }

  static CopyFailedException unreachable(StreamQueue queue, long bytes, Throwable cause) {
    return new CopyFailedException(
        "the host memory of a copy of "
            + bytes
            + " bytes on "
            + queue.fullTitle()
            + " could not be accessed while the copy was in flight ("
            + cause.getMessage()
            + "): keep its arena or mapped file open until the copy is done",
        cause);
  }

  /**
   * Enqueues a copy on the driver's own pageable path, which may block the caller. If the memory's
   * registration has ended but the memory is not unpinned yet, this waits until it is: the driver
   * would still treat it as pinned, let the device access it, and unpin it meanwhile.
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param onDevice the block on the device
   * @param device the address in it
   * @param host the other end
   * @param kind the direction
   * @return the operation's sequence number
   */
  public static long copyPageable(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource onDevice,
      long device,
      MemorySegment host,
      CopyKind kind) {
    long sequence;
    synchronized (engine.lock) {
      queue.handover.awaitCall();
      requirePageable(queue, host);
    }
    awaitUnpinned(engine, host);
    touch(queue, host);
    synchronized (engine.lock) {
      queue.handover.awaitCall();
      requirePageable(queue, host);
      queue.handover.markCopies();
      sequence = queue.handover.begin(onDevice, null);
      // The sequence number is handed over below, outside the lock, because the driver may block
      // for the whole copy.
      queue.handover.hold(
          "a copy of ordinary memory on the driver's own path, which blocks its caller");
    }
    try {
      queue.driver.copyPageable(device, host, kind, queue.handle);
    } catch (DriverException e) {
      throw engine.raised(e);
    } catch (IllegalStateException | InternalError e) {
      throw unreachable(queue, host.byteSize(), e);
    } finally {
      queue.handover.resume(sequence, true);
    }
    if (kind == CopyKind.DEVICE_TO_HOST) {
      queue.heard(sequence); // the driver returns when the copy is done
    }
    return sequence;
  }

  /** Touches all pages: a truncated file in native code would end the process. */
  private static void touch(StreamQueue queue, MemorySegment host) {
    try {
      HostBytes.touch(host);
    } catch (IllegalStateException | InternalError e) {
      throw unreachable(queue, host.byteSize(), e);
    }
  }

  private static void requirePageable(StreamQueue queue, MemorySegment host) {
    queue.handover.requireOpen();
    if (!queue.handover.isDirect()
        || !queue.arrivals.at(host.address(), host.byteSize()).isEmpty()) {
      throw new RouteException(
          "the driver's pageable path blocks its caller and cannot be taken while earlier"
              + " operations of "
              + queue.fullTitle()
              + " are held back (a staged copy, a callback or an unrecorded event before it): await"
              + " the stream first");
    }
  }

  private static void awaitUnpinned(DeviceRuntime engine, MemorySegment host) {
    long address = host.address();
    long bytes = host.byteSize();
    PinnedRanges ranges = engine.pinned().ranges();
    PinnedBlock ending = ranges.ending(address, bytes);
    while (ending != null) {
      PinnedBlock block = ending;
      boolean _ = engine.watch().await(block::ringWhenReleased, Long.MAX_VALUE);
      ending = ranges.ending(address, bytes);
    }
  }
}
