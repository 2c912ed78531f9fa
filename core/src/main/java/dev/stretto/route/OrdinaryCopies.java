package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostBytes;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.RouteException;
import java.lang.foreign.MemorySegment;

/**
 * Copies of ordinary host memory that need no staging buffer of their own: small ones, those within
 * the host, and those that the driver makes by itself. All others are {@link Transfer}s.
 */
public final class OrdinaryCopies {
  private OrdinaryCopies() {}

  /**
   * Enqueues a small copy out of ordinary memory, if that can be done at once.
   *
   * @param queue the stream
   * @param to the block that is written
   * @param dst the address in it
   * @param host at most {@link StreamQueue#INLINE_BYTES} bytes; read before this returns
   * @return the operation's sequence number, or -1 if it has to be staged
   */
  public static long enqueueInline(StreamQueue queue, Resource to, long dst, MemorySegment host) {
    Engine engine = queue.engine;
    synchronized (engine.lock) {
      queue.requireOpen();
      if (!queue.deferrable
          || !queue.isDirect()
          || !queue.arrivals.isEmpty()
          || mayStillBeWritten(queue, host)) {
        return -1;
      }
      MemorySegment slot = engine.smallSlots().take();
      if (slot == null) {
        return -1;
      }
      read(queue, host, slot);
      long sequence = queue.begin(to, null);
      try {
        queue.markCopies();
        queue.driver.copy(
            dst, slot.address(), host.byteSize(), CopyKind.HOST_TO_DEVICE, queue.handle);
      } catch (DriverException e) {
        throw engine.raised(e);
      } finally {
        queue.handedOver(sequence, true);
      }
      engine.smallSlots().used(queue, sequence, queue, sequence);
      return sequence;
    }
  }

  /**
   * {@return whether copies of a stream that are under way may write this memory directly: it is
   * pinned, or was until just now}
   *
   * @param queue the stream
   * @param host any segment
   */
  public static boolean mayStillBeWritten(StreamQueue queue, MemorySegment host) {
    return queue.completed < queue.lastIssued()
        && host.isNative()
        && queue.engine.lock.pinnedRanges().touches(host.address(), host.byteSize());
  }

  /**
   * {@return whether an earlier staged copy of a stream has still to bring bytes to this memory}
   *
   * @param queue the stream
   * @param host any segment
   */
  public static boolean isArriving(StreamQueue queue, MemorySegment host) {
    synchronized (queue.engine.lock) {
      return queue.arrivals.before(Long.MAX_VALUE).stream()
          .anyMatch(transfer -> transfer.concerns(host));
    }
  }

  /**
   * {@return the bytes of host memory as they are now, in memory of their own}
   *
   * @param queue the stream, whose host's time it takes
   * @param host readable by the calling thread
   */
  public static MemorySegment readNow(StreamQueue queue, MemorySegment host) {
    MemorySegment aside = MemorySegment.ofArray(new byte[Math.toIntExact(host.byteSize())]);
    read(queue, host, aside);
    return aside;
  }

  private static void read(StreamQueue queue, MemorySegment host, MemorySegment into) {
    long bytes = host.byteSize();
    try {
      HostBytes.copy(host, 0, into, 0, bytes);
      MappedFaults.throwHere(host);
    } catch (IllegalStateException | InternalError e) {
      throw unreachable(bytes, e);
    }
    var clock = queue.driver.clock();
    if (clock.isModelled()) {
      clock.set(clock.now() + clock.copyNanos(bytes));
    }
  }

  /**
   * Enqueues a copy between two places of ordinary memory, done by a host thread.
   *
   * @param queue the stream
   * @param dst what is written
   * @param src what is read
   * @return the operation's sequence number
   */
  public static long enqueueOnHost(StreamQueue queue, MemorySegment dst, MemorySegment src) {
    return Callback.enqueue(
        queue,
        false,
        () -> {
          try {
            HostBytes.copy(src, 0, dst, 0, src.byteSize());
            MappedFaults.throwHere(src);
            MappedFaults.throwHere(dst);
          } catch (IllegalStateException | InternalError e) {
            throw unreachable(src.byteSize(), e);
          }
          var clock = queue.driver.clock();
          clock.atLeast(clock.now() + clock.copyNanos(src.byteSize()));
        },
        queue.engine::later);
  }

  private static CopyFailedException unreachable(long bytes, Throwable cause) {
    return new CopyFailedException(
        "the host memory of a copy of "
            + bytes
            + " bytes could not be accessed while it was under way ("
            + cause.getMessage()
            + "): keep its arena or mapped file open until the copy is done",
        cause);
  }

  /**
   * Enqueues a copy on the driver's own pageable path, which may block the caller. Memory whose
   * registration has ended and that is not unpinned yet is waited for: the driver would still take
   * it as pinned, have the device read or write it, and unpin it meanwhile.
   *
   * @param queue the stream
   * @param onDevice the block on the device
   * @param device the address in it
   * @param host the other end
   * @param kind which way
   * @return the operation's sequence number
   */
  public static long copyPageable(
      StreamQueue queue, Resource onDevice, long device, MemorySegment host, CopyKind kind) {
    Engine engine = queue.engine;
    long sequence;
    synchronized (engine.lock) {
      requirePageable(queue, host);
    }
    awaitUnpinned(engine, host);
    synchronized (engine.lock) {
      requirePageable(queue, host);
      queue.markCopies();
      sequence = queue.begin(onDevice, null);
      // The sequence number is handed over below, outside the lock: the driver may block for the
      // whole copy.
      queue.held = true;
    }
    try {
      queue.driver.copyPageable(device, host, kind, queue.handle);
    } catch (DriverException e) {
      throw engine.raised(e);
    } finally {
      queue.resume(sequence, true);
    }
    return sequence;
  }

  private static void requirePageable(StreamQueue queue, MemorySegment host) {
    queue.requireOpen();
    if (!queue.isDirect() || !queue.arrivals.at(host.address(), host.byteSize()).isEmpty()) {
      throw new RouteException(
          "the driver's pageable path blocks its caller and cannot be taken while earlier"
              + " operations of the stream are held back (a staged copy, a callback or an"
              + " unrecorded event before it): await the stream first");
    }
  }

  private static void awaitUnpinned(Engine engine, MemorySegment host) {
    long address = host.address();
    long bytes = host.byteSize();
    PinnedRanges ranges = engine.lock.pinnedRanges();
    PinnedBlock ending = ranges.ending(address, bytes);
    while (ending != null) {
      PinnedBlock block = ending;
      boolean ignored = engine.watch().await(block::ringWhenReleased, Long.MAX_VALUE);
      ending = ranges.ending(address, bytes);
    }
  }
}
