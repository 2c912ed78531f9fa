package dev.stretto.route;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostBytes;
import dev.stretto.driver.Volume;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Small copies from ordinary host memory to the device: the calling thread reads the bytes, into a
 * small buffer if there is one, in less time than it takes to hand the copy to another thread.
 */
public final class SmallCopies {
  private static final Layout.Cut IN_ONE_PIECE =
      new Layout.Cut(1, SmallSlots.BYTES, SmallSlots.BYTES);

  private SmallCopies() {}

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
   * Enqueues a small copy of rows with gaps from ordinary memory, if it is small and need not be
   * staged.
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param to the block that is written
   * @param dst the address in it
   * @param dstPitch bytes from row to row there
   * @param host the rows, from the first byte to the last; read before this returns
   * @param hostPitch bytes from row to row there
   * @param width bytes of a row
   * @param rows how many
   * @return the operation's sequence number, or -1 if it has to be staged
   */
  public static long enqueueRows(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource to,
      long dst,
      long dstPitch,
      MemorySegment host,
      long hostPitch,
      long width,
      long rows) {
    return isSmall(host, width, rows)
        ? enqueue(
            engine, queue, to, dst, host, Layout.of(rows, width, hostPitch, dstPitch, IN_ONE_PIECE))
        : -1;
  }

  /**
   * The same for planes.
   *
   * @param engine the stream's device
   * @param queue the stream
   * @param to the block that is written
   * @param dst the address in it
   * @param host the planes, from the first byte to the last; read before this returns
   * @param shape the planes
   * @return the operation's sequence number, or -1 if it has to be staged
   */
  public static long enqueuePlanes(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource to,
      long dst,
      MemorySegment host,
      Volume shape) {
    return isSmall(host, shape.width(), shape.rows() * shape.planes())
        ? enqueue(engine, queue, to, dst, host, Layout.of(shape, true, IN_ONE_PIECE))
        : -1;
  }

  /**
   * Many short rows take the driver longer than as many bytes in a row. Each row of a file may be
   * in a page that has yet to be read, and the caller must not wait for hundreds of them.
   */
  private static boolean isSmall(MemorySegment host, long width, long rows) {
    return !host.isMapped()
        && width <= SmallSlots.BYTES
        && rows <= SmallSlots.BYTES / StreamQueue.LEAST_ROW
        && rows * Math.max(width, StreamQueue.LEAST_ROW) <= SmallSlots.BYTES;
  }

  private static long enqueue(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource to,
      long dst,
      MemorySegment host,
      Layout rows) {
    Layout layout = rows.rows() == 1 ? null : rows;
    SmallSlot slot = readIntoSlot(engine, queue, host, layout);
    long sequence = slot == null ? -1 : enqueueInline(engine, queue, to, dst, host, layout, slot);
    return sequence < 0 ? enqueueAside(engine, queue, to, dst, host, layout) : sequence;
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
    return readIntoSlot(engine, queue, host, null);
  }

  private static @Nullable SmallSlot readIntoSlot(
      DeviceRuntime engine, StreamQueue queue, MemorySegment host, @Nullable Layout layout) {
    SmallSlot slot;
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      slot = mayBeReadNow(engine, queue, host) ? take(engine, host, layout) : null;
    }
    if (slot == null) {
      return null;
    }
    assert !Thread.holdsLock(engine.lock) : "the program's memory is read without the lock";
    boolean filled = false;
    try {
      read(queue, host, layout, slot.block(), slot.offset());
      filled = true;
      return slot;
    } finally {
      if (!filled) {
        giveBack(engine, slot);
      }
    }
  }

  /** The driver reads rows from pinned memory only in the order of the stream. */
  private static @Nullable SmallSlot take(
      DeviceRuntime engine, MemorySegment host, @Nullable Layout layout) {
    SmallSlots slots = engine.smallSlots();
    return layout == null ? slots.take(host.byteSize()) : slots.takePinned(layout.bytes());
  }

  private static long bytes(MemorySegment host, @Nullable Layout layout) {
    return layout == null ? host.byteSize() : layout.bytes();
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
    return enqueueInline(engine, queue, to, dst, host, null, slot);
  }

  private static long enqueueInline(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource to,
      long dst,
      MemorySegment host,
      @Nullable Layout layout,
      SmallSlot slot) {
    long bytes = bytes(host, layout);
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
            submit(queue, dst, layout, slot.address(), bytes);
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
        submit(queue, dst, layout, slot.address(), bytes);
      } catch (DriverException e) {
        throw engine.raised(e);
      } finally {
        queue.handover.calledToCopy(sequence, true, cost);
      }
    }
    return sequence;
  }

  /** Hands a copy of bytes that lie in a small buffer to the driver. */
  static void submit(
      StreamQueue queue, long dst, @Nullable Layout layout, long buffer, long bytes) {
    if (layout == null) {
      queue.driver.copy(dst, buffer, bytes, CopyKind.HOST_TO_DEVICE, queue.handle);
    } else {
      Pieces.handOver(queue, layout, 0, dst, buffer, true);
    }
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
    return enqueueAside(engine, queue, to, dst, host, null);
  }

  private static long enqueueAside(
      DeviceRuntime engine,
      StreamQueue queue,
      Resource to,
      long dst,
      MemorySegment host,
      @Nullable Layout layout) {
    long size = bytes(host, layout);
    boolean pinned = layout != null;
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      if (!mayBeReadAside(engine, queue, host, size, pinned)) {
        return -1;
      }
    }
    byte[] bytes = new byte[(int) size];
    read(queue, host, layout, MemorySegment.ofArray(bytes), 0);
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      if (!mayBeReadAside(engine, queue, host, size, pinned)) {
        return -1;
      }
      long sequence = queue.handover.begin(to, null);
      queue.handover.changesNoOtherMemory(sequence);
      engine.smallSlots().readAside(size);
      queue.handover.deferCopy(
          sequence,
          true,
          SmallSlots.mostCost(size),
          new AsideCopy(engine, queue, sequence, dst, layout, bytes));
      queue.handover.goOn();
      return sequence;
    }
  }

  private static boolean mayBeReadAside(
      DeviceRuntime engine, StreamQueue queue, MemorySegment host, long bytes, boolean pinned) {
    return queue.deferrable
        && engine.smallSlots().mayReadAside(bytes, pinned)
        && queue.handover.isHostMemoryReady()
        && queue.arrivals.in(host).isEmpty()
        && !OrdinaryCopies.mayStillBeWritten(engine, queue, host);
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
        && !OrdinaryCopies.mayStillBeWritten(engine, queue, host);
  }

  /**
   * {@return a copy of the bytes that host memory has now}
   *
   * @param queue the stream whose modelled host time it takes
   * @param host readable by the calling thread
   */
  public static MemorySegment readNow(StreamQueue queue, MemorySegment host) {
    MemorySegment aside = MemorySegment.ofArray(new byte[Math.toIntExact(host.byteSize())]);
    read(queue, host, null, aside, 0);
    return aside;
  }

  private static void read(
      StreamQueue queue, MemorySegment host, @Nullable Layout layout, MemorySegment into, long at) {
    long bytes = bytes(host, layout);
    try {
      if (layout == null) {
        HostBytes.copy(host, 0, into, at, bytes);
      } else {
        Pieces.move(layout, 0, host, into, at, true);
      }
    } catch (IllegalStateException | InternalError e) {
      throw OrdinaryCopies.unreachable(queue, bytes, e);
    }
    var clock = queue.driver.clock();
    if (clock.isModelled()) {
      clock.set(clock.now() + clock.copyNanos(bytes));
    }
  }
}
