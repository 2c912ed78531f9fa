package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.fault.PinnedBudgetException;
import java.lang.foreign.MemorySegment;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The pinned host memory of a program on a device: a budget that is never exceeded, and a small
 * store of blocks for reuse, because pinning takes 50 to 300 µs for each mebibyte.
 */
public final class Pinned {
  /** How often, a millisecond apart, unpinning may seem impossible on a seeded device. */
  private static final int MOST_ATTEMPTS = 50;

  private static final long MOST_STORED = 64L << 20;

  private final DeviceState device;
  private final DeviceResources resources;
  private final CompletionPoller watch;
  private final PinnedRanges ranges;

  @GuardedBy("this")
  private final ArrayDeque<PinnedBlock> stored = new ArrayDeque<>();

  private long budget = HostMemory.bytes() / 4;

  @GuardedBy("this")
  private long reserved;

  @GuardedBy("this")
  private long storedBytes;

  @GuardedBy("this")
  private long peak;

  @GuardedBy("this")
  private long pinnings;

  Pinned(DeviceState device, DeviceResources resources, CompletionPoller watch) {
    this.device = device;
    this.resources = resources;
    this.watch = watch;
    this.ranges = PinnedRanges.of(device.lock);
  }

  /** {@return how many bytes may be pinned at the same time} */
  public synchronized long budget() {
    return budget;
  }

  /** {@return how many bytes are pinned now, including those that wait for their last use} */
  public synchronized long used() {
    return reserved - storedBytes;
  }

  /** {@return the most bytes that were pinned at the same time} */
  public synchronized long peak() {
    return peak;
  }

  /** {@return how often the driver was asked to pin memory} */
  public synchronized long pinnings() {
    return pinnings;
  }

  /** Sets how many bytes may be pinned at the same time; memory that is pinned already stays so. */
  public synchronized void setBudget(long bytes) {
    budget = bytes;
  }

  DeviceState device() {
    return device;
  }

  DeviceResources resources() {
    return resources;
  }

  /** {@return which host memory the driver has pinned} */
  PinnedRanges ranges() {
    return ranges;
  }

  /** {@return whether all of a native segment is pinned, by any device of any driver} */
  public static boolean isPinned(MemorySegment segment) {
    return PinnedRanges.isPinnedByAny(segment.address(), segment.byteSize());
  }

  /**
   * {@return the open block, pinned by any device of this one's driver, that holds all of a native
   * segment, or null}
   */
  public @Nullable PinnedBlock find(MemorySegment segment) {
    return ranges.find(segment.address(), segment.byteSize());
  }

  /**
   * {@return newly pinned memory; {@linkplain PinnedBlock#isZero zero} or undefined} It counts with
   * the size of the whole pages that it takes.
   *
   * @throws PinnedBudgetException if the budget would be exceeded, or the driver cannot pin more
   */
  public PinnedBlock allocate(long bytes) {
    return device.call(
        () -> {
          PinnedBlock again = takeStored(bytes);
          return keep(
              again != null
                  ? new PinnedBlock(this, again.address(), bytes)
                  : PinnedBlock.allocated(this, pin(bytes), bytes));
        });
  }

  /**
   * {@return newly pinned, write-combined memory, which is zero} It is never stored for reuse.
   *
   * @throws PinnedBudgetException if the budget would be exceeded, or the driver cannot pin more
   */
  public PinnedBlock allocateWriteCombined(long bytes) {
    return device.call(
        () ->
            keep(
                PinnedBlock.writeCombined(
                    this, pin(bytes, device.driver()::allocateWriteCombined), bytes)));
  }

  /** {@return the address of pinned memory: a stored block, or newly pinned} */
  long take(long bytes) {
    PinnedBlock again = takeStored(bytes);
    return again != null ? again.address() : pin(bytes);
  }

  /** Gives back memory of {@link #take} that no operation uses any more. */
  void giveBack(long address, long bytes, Runnable gone) {
    PinnedBlock block = new PinnedBlock(this, address, bytes);
    block.whenReleased(gone);
    release(block);
  }

  /** Makes a block of memory that belongs to a lender and goes back to it, unless this throws. */
  PinnedBlock lend(long address, long bytes, PinnedLeases lender) {
    PinnedBlock block = new PinnedBlock(this, address, bytes, lender);
    ranges.add(block);
    if (!resources.adopt(block)) {
      ranges.remove(block);
      resources.released(block);
      throw device.closedException();
    }
    return block;
  }

  private long pin(long bytes) {
    return pin(bytes, device.driver()::allocatePinned);
  }

  private long pin(long bytes, LongUnaryOperator allocate) {
    long pages = HostPages.whole(bytes);
    reserve(pages, bytes);
    boolean pinned = false;
    try {
      long address = allocate.applyAsLong(bytes);
      pinned = true;
      return address;
    } finally {
      if (!pinned) {
        unreserve(pages);
      }
    }
  }

  /**
   * Refuses a request that can never fit, before any of it is pinned.
   *
   * @param bytesEach how many bytes each piece has
   * @param count how many there are
   */
  void requireWithinBudget(long bytesEach, int count) {
    long pages = HostPages.whole(bytesEach);
    long most = budget();
    if (pages > most / count) {
      throw new PinnedBudgetException(
          "%d pieces of %d bytes each cannot be pinned: in whole pages of %d bytes they take %s bytes, and the budget is %d; ask for fewer, or raise the budget with Device.pinnedBudget(long)"
              .formatted(
                  count,
                  bytesEach,
                  HostPages.BYTES,
                  BigInteger.valueOf(pages).multiply(BigInteger.valueOf(count)),
                  most));
    }
  }

  /**
   * Pins memory in place; for devices to read only, if the segment is read-only. If the same memory
   * was registered until just now and is not unpinned yet, it stays pinned. If another device, or a
   * registration with other bounds or for other accesses, still has to unpin it, this waits for
   * that.
   *
   * @throws PinnedBudgetException if the budget would be exceeded, or the driver cannot pin it
   * @throws IllegalArgumentException if some of it is pinned
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted while it waits
   */
  public PinnedBlock register(MemorySegment segment) {
    while (true) {
      PinnedBlock leaving = ranges.leaving(segment.address(), segment.byteSize());
      if (leaving == null) {
        return device.call(() -> registerAnew(segment));
      }
      PinnedBlock again = isOf(leaving, segment) ? device.call(() -> takeOver(leaving)) : null;
      if (again != null) {
        return again;
      }
      awaitUnpinned(leaving);
    }
  }

  /**
   * Waits until a closed block is unpinned. On a seeded device another thread may be about to bring
   * that about, between closing the block and enqueuing its release: only after a while is it a
   * deadlock.
   */
  private void awaitUnpinned(PinnedBlock leaving) {
    for (int attempt = 1; ; attempt++) {
      try {
        boolean _ = watch.await(leaving::ringWhenReleased, Deadline.NEVER);
        return;
      } catch (DeadlockException e) {
        if (attempt == MOST_ATTEMPTS) {
          throw e;
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  /** Whether a closed block of this device covers exactly this memory, and is as writable. */
  private boolean isOf(PinnedBlock leaving, MemorySegment segment) {
    return leaving.device() == device
        && leaving.address() == segment.address()
        && leaving.byteSize() == segment.byteSize()
        && leaving.isReadOnly() == segment.isReadOnly();
  }

  /**
   * Passes the memory of a block that is about to be unpinned to a new registration. The new one
   * lasts at least until the last use of the old one.
   *
   * @return the new block, or null if the memory is being unpinned already
   */
  private @Nullable PinnedBlock takeOver(PinnedBlock leaving) {
    if (!leaving.leave()) {
      return null;
    }
    PinnedBlock block =
        PinnedBlock.registered(this, leaving.address(), leaving.byteSize(), leaving.isReadOnly());
    for (Resource.Use use : leaving.lastUses()) {
      boolean noted = block.use(use.stream, use.sequence);
      assert noted : "no other thread knows the block yet";
    }
    try {
      return keep(block);
    } finally {
      ended(leaving);
    }
  }

  /**
   * Runs one at a time, because after a driver's refusal it looks for the memory that is in the
   * way.
   */
  private PinnedBlock registerAnew(MemorySegment segment) {
    ReentrantLock registering = ranges.registering();
    registering.lock();
    try {
      return registerAlone(segment);
    } finally {
      registering.unlock();
    }
  }

  private PinnedBlock registerAlone(MemorySegment segment) {
    long address = segment.address();
    long bytes = segment.byteSize();
    requireUnpinned(address, bytes, null);
    long pages = HostPages.around(address, bytes);
    reserve(pages, bytes);
    boolean registered = false;
    try {
      if (segment.isReadOnly()) {
        device.driver().registerReadOnly(address, bytes);
      } else {
        device.driver().registerHost(address, bytes);
      }
      registered = true;
    } catch (DriverException e) {
      if (e.kind() == DriverException.Kind.INVALID) {
        requireUnpinned(address, bytes, e);
        throw new PinnedBudgetException(device.name() + ": " + e.getMessage(), e);
      }
      throw e;
    } finally {
      if (!registered) {
        unreserve(pages);
      }
    }
    return keep(PinnedBlock.registered(this, address, bytes, segment.isReadOnly()));
  }

  /**
   * Refuses memory that is pinned.
   *
   * @param refusal the driver's error, or null if the driver was not asked
   */
  private void requireUnpinned(long address, long bytes, @Nullable DriverException refusal) {
    PinnedBlock before = ranges.inTheWay(address, bytes);
    if (before == null || (refusal == null && !before.overlaps(address, bytes))) {
      return; // the driver decides whether two ranges may share a page
    }
    throw new IllegalArgumentException(
        "%d bytes at 0x%x cannot be registered, because %s %s of %s at 0x%x: close that first, or use it"
            .formatted(
                bytes,
                address,
                before.overlaps(address, bytes)
                    ? "some of them are pinned already, as part of the"
                    : "they share a page with the",
                before.describe(),
                before.device().name(),
                before.address()),
        refusal);
  }

  private PinnedBlock keep(PinnedBlock block) {
    ranges.add(block);
    if (!resources.adopt(block)) {
      ranges.remove(block);
      free(block); // at once: the driver is closed as soon as this call ends
      throw device.closedException();
    }
    return block;
  }

  void awaitReleased(PinnedBlock block) {
    block.lastUses().forEach(use -> use.stream.heard(use.sequence));
    CountDownLatch gone = new CountDownLatch(1);
    block.whenReleased(gone::countDown);
    watch.awaitUninterruptibly(gone);
  }

  private synchronized @Nullable PinnedBlock takeStored(long bytes) {
    for (Iterator<PinnedBlock> i = stored.iterator(); i.hasNext(); ) {
      PinnedBlock block = i.next();
      if (block.byteSize() == bytes) {
        i.remove();
        storedBytes -= block.pinnedBytes();
        return block;
      }
    }
    return null;
  }

  /**
   * Takes a part of the budget.
   *
   * @param bytes whole pages
   * @param asked how many bytes were requested
   */
  private void reserve(long bytes, long asked) {
    PinnedBlock spare;
    while ((spare = reserveOrTakeSpare(bytes, asked)) != null) {
      unpin(spare); // outside the monitor, because it may wait for the device
    }
  }

  /** Reserves, or returns a stored block that has to be unpinned first. */
  private synchronized @Nullable PinnedBlock reserveOrTakeSpare(long bytes, long asked) {
    if (bytes <= budget - reserved) {
      reserved += bytes;
      peak = Math.max(peak, reserved);
      pinnings++;
      return null;
    }
    PinnedBlock spare = bytes <= budget - used() ? takeSpare() : null;
    if (spare == null) {
      throw new PinnedBudgetException(
          asked
              + " bytes"
              + (bytes == asked ? "" : ", " + bytes + " in whole pages,")
              + " cannot be pinned: "
              + used()
              + " of the budget of "
              + budget
              + " bytes are in use; close pinned memory, or raise the budget with"
              + " Device.pinnedBudget(long)");
    }
    return spare;
  }

  private synchronized @Nullable PinnedBlock takeSpare() {
    PinnedBlock spare = stored.poll();
    if (spare != null) {
      storedBytes -= spare.pinnedBytes();
    }
    return spare;
  }

  private synchronized void unreserve(long bytes) {
    reserved -= bytes;
  }

  /** Gives back the memory of a block after its last use. */
  void release(PinnedBlock block) {
    if (block.isRegistered()) {
      releaseRegistered(block);
      return;
    }
    ranges.remove(block);
    PinnedLeases lender = block.lender();
    if (lender != null && lender.takeBack(block.address())) {
      ended(block);
      return;
    }
    if (device.isLost()) {
      unreserve(block.pinnedBytes()); // the driver has refused to unpin it
      ended(block);
    } else if (!device.isClosed() && !block.isWriteCombined() && store(block)) {
      ended(block);
    } else {
      device.hostWork().submitBlocking(() -> free(block)); // the driver waits for all enqueued work
    }
  }

  /** Unpins registered memory after a while, unless it is registered again before that. */
  private void releaseRegistered(PinnedBlock block) {
    if (device.isLost()) {
      if (block.leave()) {
        ranges.remove(block);
        unreserve(block.pinnedBytes()); // the driver has refused to unpin it
        ended(block);
      }
      return;
    }
    device
        .hostWork()
        .submitBlocking(
            () -> {
              if (block.leave()) {
                free(block);
              }
            });
  }

  private synchronized boolean store(PinnedBlock block) {
    if (storedBytes + block.pinnedBytes() > MOST_STORED) {
      return false;
    }
    stored.add(block);
    storedBytes += block.pinnedBytes();
    return true;
  }

  private void free(PinnedBlock block) {
    try {
      if (block.isRegistered()) {
        device.driver().unregisterHost(block.address());
      } else {
        device.driver().freePinned(block.address());
      }
    } catch (DriverException e) {
      device.report(block.describe() + " could not be released", e);
    } finally {
      ranges.remove(block);
      unreserve(block.pinnedBytes());
      ended(block);
    }
  }

  private void ended(PinnedBlock block) {
    resources.released(block);
    block.gone();
  }

  /** Unpins a block that was stored. */
  private void unpin(PinnedBlock block) {
    try {
      if (!device.isLost()) {
        device.driver().freePinned(block.address());
      }
    } catch (DriverException e) {
      device.report(block.describe() + " could not be released", e);
    } finally {
      unreserve(block.pinnedBytes());
    }
  }

  /** Unpins everything that is stored. */
  void trim() {
    PinnedBlock spare;
    while ((spare = takeSpare()) != null) {
      unpin(spare);
    }
  }
}
