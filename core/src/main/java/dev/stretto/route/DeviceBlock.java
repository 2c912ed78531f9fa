package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.OutOfDeviceMemoryException;
import dev.stretto.order.Accesses;
import dev.stretto.order.Footprint;
import dev.stretto.order.Issue;
import org.jspecify.annotations.Nullable;

/**
 * A run of device memory. If Stretto owns it, it is freed after the last operation that uses it: in
 * the order of a stream if one can do so, else when the host has seen that operation done.
 */
public final class DeviceBlock extends Resource {
  /** Where the memory comes from. */
  private enum Kind {
    /** The driver, out of a pool if it has one. */
    ALLOCATED(" bytes on "),
    /** The driver, out of no pool. */
    UNPOOLED(" bytes on "),
    /** Host memory that is pinned. */
    VIEW(" pinned bytes, viewed by "),
    /** The driver, out of no pool; other processes can open it. */
    SHARED(" shared bytes on "),
    /** Another block, which a graph keeps and no longer uses otherwise. */
    REUSED(" bytes that a graph uses again on "),
    /** Another process. */
    OPENED(" bytes of another process on "),
    /** A pool of another process. */
    OPENED_POOLED(" bytes of another process's pool on "),
    /** Other code of the process. */
    ADOPTED(" adopted bytes on ");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private static final Kind[] KINDS = Kind.values();

  private final DeviceRuntime engine;
  private final long address;
  private final long byteSize;

  /** Guarded by the block itself; first set before any other thread can see the block. */
  private @Nullable StreamQueue freeing;

  /** The accesses to the memory, on devices whose order is checked; guarded by the block itself. */
  private @Nullable Accesses accesses;

  /**
   * What else there is to the memory, in one field, as a block should be small: a {@link Runnable}
   * that runs after the release, if the memory belongs to other code; the {@link OwnPool} that it
   * comes from, until it is freed; a {@link Lease} of both; else null.
   */
  private @Nullable Object keeper;

  /** The number of its {@link Kind}: a block is made for each allocation, and should be small. */
  private final byte kind;

  /**
   * What memory of another process's pool holds.
   *
   * @param pool the pool
   * @param owner runs after the release
   */
  private record Lease(OwnPool pool, Runnable owner) {}

  private DeviceBlock(
      DeviceRuntime engine, long address, long byteSize, @Nullable Runnable owner, Kind kind) {
    this.kind = (byte) kind.ordinal();
    this.engine = engine;
    this.address = address;
    this.byteSize = byteSize;
    this.keeper = owner;
  }

  /** {@return the accesses to the memory, on devices whose order is checked} */
  public synchronized Accesses accesses() {
    Accesses known = accesses;
    if (known == null) {
      known = new Accesses(this::describe);
      accesses = known;
    }
    return known;
  }

  /**
   * {@return newly allocated device memory; its contents are undefined}
   *
   * @param engine the device
   * @param bytes at least 1
   */
  public static DeviceBlock allocate(DeviceRuntime engine, long bytes) {
    return allocate(engine, bytes, Kind.ALLOCATED);
  }

  /** {@return the same out of no pool, which may wait for work that is enqueued} */
  public static DeviceBlock allocateUnpooled(DeviceRuntime engine, long bytes) {
    return allocate(engine, bytes, Kind.UNPOOLED);
  }

  /** {@return the same for memory that other processes can open} */
  public static DeviceBlock allocateShared(DeviceRuntime engine, long bytes) {
    return allocate(engine, bytes, Kind.SHARED);
  }

  /**
   * {@return device memory of another process} Call {@link #keep()} afterwards. A driver that
   * refuses it is a {@link dev.stretto.fault.NoSharingException}.
   *
   * @param engine the device
   * @param handle what opens it at the driver
   * @param bytes at least 1
   * @param owner runs on a virtual thread once the memory is closed and no operation uses it any
   *     more
   */
  public static DeviceBlock open(DeviceRuntime engine, byte[] handle, long bytes, Runnable owner) {
    engine.requireUsable();
    return engine.call(
        () ->
            new DeviceBlock(
                engine,
                OwnPool.shared(engine, () -> engine.driver().openMemory(handle)),
                bytes,
                owner,
                Kind.OPENED));
  }

  /**
   * {@return memory of another process's pool} Call {@link #keep()} afterwards.
   *
   * @param pool the pool
   * @param handle what opens the memory at the driver
   * @param bytes at least 1
   * @param owner runs on a virtual thread once the memory is closed and no operation uses it any
   *     more
   */
  public static DeviceBlock openPooled(OwnPool pool, byte[] handle, long bytes, Runnable owner) {
    DeviceRuntime engine = pool.engine();
    pool.requireHeld();
    boolean complete = false;
    try {
      DeviceBlock block =
          engine.call(
              () ->
                  new DeviceBlock(
                      engine,
                      OwnPool.shared(
                          engine, () -> engine.driver().openPooled(pool.handle(), handle)),
                      bytes,
                      owner,
                      Kind.OPENED_POOLED));
      block.keeper = new Lease(pool, owner);
      complete = true;
      return block;
    } finally {
      if (!complete) {
        pool.letGo();
      }
    }
  }

  /** {@return the pool of this process that it comes from, or null} */
  public synchronized @Nullable OwnPool pool() {
    return keeper instanceof OwnPool pool ? pool : null;
  }

  private static DeviceBlock allocate(DeviceRuntime engine, long bytes, Kind kind) {
    engine.requireUsable();
    return engine.call(
        () -> {
          long address =
              switch (kind) {
                case UNPOOLED -> engine.driver().allocateUnpooled(bytes);
                case SHARED -> engine.driver().allocateShared(bytes);
                default -> engine.driver().allocate(bytes);
              };
          DeviceBlock block = new DeviceBlock(engine, address, bytes, null, kind);
          if (!engine.resources().adopt(block)) {
            block.closeAfterLastUse();
            throw engine.device().closedException();
          }
          return block;
        });
  }

  /**
   * {@return device memory that is allocated in the order of a stream; its contents are undefined}
   * It is freed in the order of the same stream, unless that is a thread's own default stream.
   *
   * <p>If operations are held back, the memory is allocated at once and for all streams instead,
   * because its address has to be known when this returns. If there is too little memory for that,
   * this waits for what the stream frees before it, unless that may depend on the program.
   *
   * @param engine the device
   * @param stream a stream of it
   * @param pool the pool, of the same opening of the device; null for the device's own
   * @param bytes at least 1
   * @param issue the allocation, if the order of the stream's operations is known; else null
   * @throws ClosedException if the pool is closed
   */
  public static DeviceBlock allocate(
      DeviceRuntime engine,
      StreamQueue stream,
      @Nullable OwnPool pool,
      long bytes,
      @Nullable Issue issue) {
    DeviceBlock block;
    try {
      block =
          pool == null ? allocate(engine, stream, null, bytes) : outOf(pool, engine, stream, bytes);
    } catch (RuntimeException e) {
      Issue.end(issue, -1);
      throw e;
    }
    if (issue != null) {
      issue.writes(block.accesses(), Footprint.of(block.address, bytes));
      issue.ready();
      issue.enqueued(block.firstUse()); // nobody else knows the block yet
    }
    return block;
  }

  private static DeviceBlock outOf(
      OwnPool pool, DeviceRuntime engine, StreamQueue stream, long bytes) {
    pool.requireHeld();
    try {
      return allocate(engine, stream, pool, bytes);
    } finally {
      pool.letGo(); // the block holds it too
    }
  }

  private static DeviceBlock allocate(
      DeviceRuntime engine, StreamQueue stream, @Nullable OwnPool pool, long bytes) {
    while (true) {
      long point;
      synchronized (engine.lock) {
        boolean direct = stream.handover.isDirectUncounted();
        try {
          return allocate(engine, stream, pool, bytes, direct);
        } catch (DriverException e) {
          if (e.kind() != DriverException.Kind.OUT_OF_MEMORY || direct) {
            throw engine.raised(e);
          }
          boolean held = stream.handover.isHeld();
          if (held && !stream.handover.isHeldByStaging()) {
            throw new OutOfDeviceMemoryException(
                "%s: %s; %s, and so are the frees of the stream before this allocation: await the stream first"
                    .formatted(engine.name(), e.getMessage(), stream.handover.describeHold()),
                e);
          }
          long submitted = stream.completion.submitted();
          point = held ? submitted + 1 : submitted;
        }
      }
      awaitWithoutTheProgram(stream, point);
    }
  }

  /** Waits for operations that the driver has, or for the staged copy after them. */
  private static void awaitWithoutTheProgram(StreamQueue stream, long point) {
    boolean _ =
        stream
            .watch()
            .await(
                bell -> {
                  Runnable reached = stream.whenReached(point, bell);
                  return () -> stream.forget(reached);
                },
                Long.MAX_VALUE);
  }

  private static DeviceBlock allocate(
      DeviceRuntime engine,
      StreamQueue stream,
      @Nullable OwnPool pool,
      long bytes,
      boolean direct) {
    stream.handover.requireOpen();
    if (direct) {
      stream.handover.markCopies();
    }
    long from = pool == null ? DriverDevice.DEFAULT_POOL : pool.handle();
    long address =
        direct
            ? engine.driver().allocateAsync(bytes, from, stream.handle)
            : engine.driver().allocate(bytes, from);
    DeviceBlock block = new DeviceBlock(engine, address, bytes, null, Kind.ALLOCATED);
    if (pool != null && pool.hold()) {
      block.keeper = pool;
    }
    block.freeing = stream.isOfThread() ? null : stream;
    long sequence = stream.handover.begin(null, null);
    stream.handover.changesNoOtherMemory(sequence);
    block.usedFirst(stream.completion, sequence);
    boolean adopted = engine.resources().adoptLocked(block);
    assert adopted : "streams are destroyed before resources are released";
    if (!direct) {
      stream.handover.defer(sequence, false, () -> {});
      return block;
    }
    try {
      stream.handover.handedOverUncounted(sequence);
    } catch (RuntimeException e) {
      boolean _ = block.closeAfterLastUse();
      throw e;
    }
    return block;
  }

  /**
   * Makes the block, when it is closed, be freed in the order of a stream, after all operations
   * that use it.
   *
   * @param stream a stream of the same device, but not a thread's own default stream
   */
  public void freeOn(StreamQueue stream) {
    if (!is(Kind.ALLOCATED)) {
      throw new IllegalArgumentException(describe() + " are freed by their owner, not by a stream");
    }
    synchronized (this) {
      freeing = stream;
    }
  }

  /**
   * {@return device memory that other code in the process has allocated and frees} Call {@link
   * #keep()} afterwards.
   *
   * @param engine the device
   * @param address its first byte
   * @param bytes at least 1
   * @param owner runs on a virtual thread once the memory is closed and no operation uses it any
   *     more
   */
  public static DeviceBlock foreign(
      DeviceRuntime engine, long address, long bytes, Runnable owner) {
    return new DeviceBlock(engine, address, bytes, owner, Kind.ADOPTED);
  }

  /**
   * {@return a block at the same address as one that has been closed and is held}
   *
   * @param held the other block, which has to be held as long as this one is used
   * @param bytes at most as many as the other one has
   */
  public static DeviceBlock again(DeviceBlock held, long bytes) {
    DeviceBlock block = new DeviceBlock(held.engine, held.address, bytes, null, Kind.REUSED);
    block.keep();
    return block;
  }

  /**
   * {@return pinned memory as kernels of a device address it, open until it is closed or the memory
   * is} Call {@link #keep()} afterwards.
   *
   * @param engine the device
   * @param pinned holds the memory; it is kept until the view is released
   * @param address its first byte
   * @param bytes at least 1
   * @param accesses those to the memory, on devices whose order is checked
   * @throws ClosedException if the memory is closed
   */
  public static DeviceBlock view(
      DeviceRuntime engine, PinnedBlock pinned, long address, long bytes, Accesses accesses) {
    DeviceBlock block = new DeviceBlock(engine, address, bytes, null, Kind.VIEW);
    block.accesses = accesses;
    if (!pinned.lend(block)) {
      throw new ClosedException(pinned.describe() + " is closed");
    }
    return block;
  }

  private boolean is(Kind one) {
    return kind == one.ordinal();
  }

  /** {@return whether this is host memory that kernels address} */
  public boolean isView() {
    return is(Kind.VIEW);
  }

  /**
   * {@return whether it comes out of a pool of the driver's} CUDA lets no stream write or wait for
   * numbers there.
   */
  public boolean isPooled() {
    return (is(Kind.ALLOCATED) || is(Kind.REUSED) || is(Kind.OPENED_POOLED))
        && engine.driver().hasPool();
  }

  /** Makes the device, when it is closed, also close memory of {@link #foreign}. */
  public void keep() {
    engine.requireUsable();
    if (!engine.call(() -> engine.resources().adopt(this))) {
      throw engine.device().closedException();
    }
  }

  /** {@return the device that the memory belongs to} */
  public DeviceRuntime engine() {
    return engine;
  }

  /** {@return the device address of the first byte} */
  public long address() {
    return address;
  }

  /** {@return the size in bytes} */
  public long byteSize() {
    return byteSize;
  }

  @Override
  public String describe() {
    return byteSize + KINDS[kind].words + engine.name();
  }

  @Override
  public boolean closeAfterLastUse() {
    boolean closed = super.closeAfterLastUse();
    if (!closed && engine.isLost()) {
      forget(); // the lost device's streams dropped what they held back, including the free of this
      // block
    }
    return closed;
  }

  @Override
  void releaseAfterLastUse() {
    StreamQueue stream = freeing; // the caller has just released the block's lock
    long sequence = stream == null ? -1 : OrderedFree.enqueue(this, stream);
    if (sequence < 0) {
      super.releaseAfterLastUse();
    } else if (stream != null && stream.isOrdered()) {
      stream.frees(accesses(), sequence);
    }
  }

  /** Frees the block when the host has seen the last use done, because no stream can. */
  void releaseLater() {
    engine.device().later(super::releaseAfterLastUse);
  }

  /**
   * Makes the driver free the block in the order of a stream; called with the driver's lock held.
   *
   * @param sequence the free's number there
   */
  void freeIn(StreamQueue stream, long sequence) {
    try {
      engine.driver().freeAsync(address, stream.handle());
    } catch (DriverException e) {
      noteUnfreed();
      engine.device().report(describe() + " could not be released", e);
    } finally {
      engine.resources().releasedLocked(this);
      gone();
      leavePool(stream.completion, sequence);
    }
  }

  /** Tells the pool, if there is one, that the driver still has the memory. */
  private void noteUnfreed() {
    OwnPool from = pool();
    if (from != null) {
      from.keepsMemory();
    }
  }

  /** Lets the program's pool go, if the memory comes from one, behind its free on a stream. */
  private void leavePool(@Nullable Completion stream, long sequence) {
    OwnPool left;
    synchronized (this) {
      if (keeper instanceof Lease lease) {
        left = lease.pool;
        keeper = lease.owner;
      } else {
        left = keeper instanceof OwnPool pool ? pool : null;
        keeper = left == null ? keeper : null;
      }
    }
    if (left != null) {
      if (stream != null) {
        left.freedOn(stream, sequence);
      }
      left.letGo();
    }
  }

  @Override
  protected void release() {
    try {
      if (!engine.isLost()) {
        giveUp();
      }
    } catch (DriverException e) {
      noteUnfreed();
      engine.device().report(describe() + " could not be released", e);
    } finally {
      forget();
      if (keeper instanceof Runnable) {
        Thread _ = Thread.ofVirtual().name("stretto-released").start(this::tellOwner);
      }
    }
  }

  private void giveUp() {
    if (is(Kind.OPENED)) {
      engine.driver().closeMemory(address);
    } else if (is(Kind.OPENED_POOLED)) {
      engine.driver().closePooled(address);
    } else if (!(keeper instanceof Runnable) && !is(Kind.VIEW) && !is(Kind.REUSED)) {
      engine.driver().free(address);
    }
  }

  private void tellOwner() {
    try {
      if (keeper instanceof Runnable told) {
        told.run();
      }
    } catch (Throwable e) { // there is no caller to throw it to
      ProgramLog.warn(describe() + ": the action that runs on its release threw an exception", e);
    }
  }

  private void forget() {
    engine.resources().released(this);
    gone();
    leavePool(null, 0);
  }
}
