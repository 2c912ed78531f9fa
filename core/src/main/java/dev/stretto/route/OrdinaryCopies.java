package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostBytes;
import dev.stretto.fault.CopyFailedException;
import dev.stretto.fault.RouteException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Copies of ordinary host memory that need no staging slots: small ones, those within the host, and
 * those that the driver makes by itself. All others are {@link Transfer}s.
 */
public final class OrdinaryCopies {
  private OrdinaryCopies() {}

  /**
   * Enqueues a small copy from ordinary memory, if that is possible at once.
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param to the block that is written
   * @param dst the address in it
   * @param host at most {@link StreamQueue#INLINE_BYTES} bytes; read before this returns
   * @return the operation's sequence number, or -1 if it has to be staged
   */
  public static long enqueueInline(
      DeviceRuntime engine, StreamQueue queue, Resource to, long dst, MemorySegment host) {
    SmallSlot slot = readIntoSlot(engine, queue, host);
    return slot == null ? -1 : enqueueInline(engine, queue, to, dst, host, slot);
  }

  /**
   * {@return a small buffer with the bytes of ordinary memory, or null if none is free or the
   * stream may still write the memory} Must not be called with the driver's lock held: the memory
   * may be slow, such as a file that has yet to be read.
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param host at most {@link StreamQueue#INLINE_BYTES} bytes
   */
  public static @Nullable SmallSlot readIntoSlot(
      DeviceRuntime engine, StreamQueue queue, MemorySegment host) {
    SmallSlot slot;
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      slot = mayBeReadNow(engine, queue, host) ? engine.smallSlots().take(host.byteSize()) : null;
    }
    if (slot == null) {
      return null;
    }
    assert !Thread.holdsLock(engine.lock) : "the program's memory is read without the lock";
    boolean filled = false;
    try {
      read(queue, host, slot.block(), slot.offset());
      filled = true;
      return slot;
    } finally {
      if (!filled) {
        giveBack(engine, slot);
      }
    }
  }

  /**
   * Enqueues a small copy whose bytes have been read.
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param to the block that is written
   * @param dst the address in it
   * @param host the memory whose bytes they are
   * @param slot a slot of {@link #readIntoSlot}; it is given back
   * @return the operation's sequence number, or -1 if it has to be staged after all: other threads
   *     have enqueued something meanwhile
   */
  public static long enqueueInline(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource to,
      long dst,
      MemorySegment host,
      SmallSlot slot) {
    long bytes = host.byteSize();
    long cost = SmallSlots.cost(slot, bytes);
    boolean used = false;
    boolean alone = true;
    long sequence;
    try {
      synchronized (engine.lock) {
        queue.handover.requireOpen();
        if (!mayBeReadNow(engine, queue, host)) {
          return -1;
        }
        sequence = queue.handover.begin(to, null);
        queue.handover.changesNoOtherMemory(sequence);
        engine.smallSlots().used(slot, queue.completion, sequence, queue.completion, sequence);
        used = true;
        try {
          queue.handover.beforeCopy(true);
          alone = !queue.handover.callsWithoutLock();
          if (alone) {
            submit(queue, dst, slot, bytes);
          }
        } catch (DriverException e) {
          throw engine.raised(e);
        } finally {
          if (alone) {
            queue.handover.copied(sequence, true, cost);
          }
        }
      }
    } finally {
      if (!used) {
        giveBack(engine, slot);
      }
    }
    if (!alone) {
      try {
        submit(queue, dst, slot, bytes);
      } catch (DriverException e) {
        throw engine.raised(e);
      } finally {
        queue.handover.calledToCopy(sequence, true, cost);
      }
    }
    return sequence;
  }

  private static void submit(StreamQueue queue, long dst, SmallSlot slot, long bytes) {
    queue.driver.copy(dst, slot.address(), bytes, CopyKind.HOST_TO_DEVICE, queue.handle);
  }

  /**
   * Enqueues a small copy from ordinary memory that has to be held back, and reads the memory now,
   * if it has its contents already.
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param to the block that is written
   * @param dst the address in it
   * @param host at most {@link StreamQueue#INLINE_BYTES} bytes
   * @return the operation's sequence number, or -1 if it has to be staged
   */
  public static long enqueueAside(
      DeviceRuntime engine, StreamQueue queue, Resource to, long dst, MemorySegment host) {
    long size = host.byteSize();
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      if (!mayBeReadAside(engine, queue, host)) {
        return -1;
      }
    }
    byte[] bytes = new byte[(int) size];
    read(queue, host, MemorySegment.ofArray(bytes), 0);
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      if (!mayBeReadAside(engine, queue, host)) {
        return -1;
      }
      long sequence = queue.handover.begin(to, null);
      queue.handover.changesNoOtherMemory(sequence);
      engine.smallSlots().readAside(size);
      queue.handover.deferCopy(
          sequence,
          true,
          SmallSlots.mostCost(size),
          new AsideCopy(engine, queue, sequence, dst, bytes));
      queue.handover.goOn();
      return sequence;
    }
  }

  private static boolean mayBeReadAside(
      DeviceRuntime engine, StreamQueue queue, MemorySegment host) {
    return queue.deferrable
        && engine.smallSlots().mayReadAside(host.byteSize())
        && queue.handover.isHostMemoryReady()
        && queue.arrivals.in(host).isEmpty()
        && !mayStillBeWritten(engine, queue, host);
  }

  /**
   * Gives back a small buffer that was filled but not needed.
   *
   * @param engine the device that owns it
   * @param slot a slot of {@link #readIntoSlot}
   */
  public static void giveBack(DeviceRuntime engine, SmallSlot slot) {
    synchronized (engine.lock) {
      engine.smallSlots().giveBack(slot);
    }
    engine.finishIfClosed();
  }

  /** Whether host memory already has the contents that it has in the order of the stream. */
  private static boolean mayBeReadNow(DeviceRuntime engine, StreamQueue queue, MemorySegment host) {
    return queue.deferrable
        && queue.handover.isDirect()
        && queue.arrivals.in(host).isEmpty()
        && !mayStillBeWritten(engine, queue, host);
  }

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
   * {@return a copy of the bytes that host memory has now}
   *
   * @param queue the stream whose modelled host time it takes
   * @param host readable by the calling thread
   */
  public static MemorySegment readNow(StreamQueue queue, MemorySegment host) {
    MemorySegment aside = MemorySegment.ofArray(new byte[Math.toIntExact(host.byteSize())]);
    read(queue, host, aside, 0);
    return aside;
  }

  private static void read(StreamQueue queue, MemorySegment host, MemorySegment into, long at) {
    long bytes = host.byteSize();
    try {
      HostBytes.copy(host, 0, into, at, bytes);
    } catch (IllegalStateException | InternalError e) {
      throw unreachable(queue, bytes, e);
    }
    var clock = queue.driver.clock();
    if (clock.isModelled()) {
      clock.set(clock.now() + clock.copyNanos(bytes));
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

  private static CopyFailedException unreachable(StreamQueue queue, long bytes, Throwable cause) {
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
