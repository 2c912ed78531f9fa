package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.PinnedBudgetException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * The pinned host memory of a device's program: a budget that is never exceeded, exact sizes, and a
 * small store of blocks that were given back, for the driver takes about a third of a millisecond
 * for each mebibyte that it pins.
 */
public final class Pinned {
  private static final long MOST_STORED = 64L << 20;

  private final Engine engine;
  private final ArrayDeque<PinnedBlock> stored = new ArrayDeque<>();
  private long budget = defaultBudget();
  private long reserved;
  private long storedBytes;
  private long peak;
  private long pinnings;

  Pinned(Engine engine) {
    this.engine = engine;
  }

  /** A quarter of the machine's memory, and not less than a gibibyte. */
  private static long defaultBudget() {
    long least = 1L << 30;
    try {
      for (String line : Files.readAllLines(Path.of("/proc/meminfo"))) {
        if (line.startsWith("MemTotal:")) {
          long kibibytes = Long.parseLong(line.replaceAll("[^0-9]", ""));
          return Math.max(least, kibibytes * 1024 / 4);
        }
      }
    } catch (IOException | NumberFormatException e) {
      return least;
    }
    return least;
  }

  /** {@return how many bytes may be pinned at the same time} */
  public synchronized long budget() {
    return budget;
  }

  /** {@return how many bytes are pinned now, those that wait for their last use included} */
  public synchronized long used() {
    return reserved - storedBytes;
  }

  /** {@return how many bytes were pinned at most} */
  public synchronized long peak() {
    return peak;
  }

  /** {@return how often the driver was asked to pin memory} */
  public synchronized long pinnings() {
    return pinnings;
  }

  /** Sets how many bytes may be pinned at the same time; what is pinned already stays. */
  public synchronized void setBudget(long bytes) {
    budget = bytes;
  }

  Engine engine() {
    return engine;
  }

  /** {@return whether all of a native segment is pinned, by any device of any driver} */
  public static boolean isPinned(MemorySegment segment) {
    return PinnedRanges.process().find(segment.address(), segment.byteSize()) != null;
  }

  /**
   * {@return the open block, pinned by any device of this one's driver, that holds all of a native
   * segment, or null}
   */
  public @Nullable PinnedBlock find(MemorySegment segment) {
    PinnedBlock block = PinnedRanges.process().find(segment.address(), segment.byteSize());
    return block != null && block.isPinnedFor(engine) ? block : null;
  }

  /**
   * {@return newly pinned memory; its contents are undefined}
   *
   * @throws PinnedBudgetException if the budget would be exceeded, or the driver has no more
   */
  public PinnedBlock allocate(long bytes) {
    return engine.call(
        () -> {
          return keep(new PinnedBlock(this, take(bytes), bytes, false));
        });
  }

  /** The address of memory that is pinned, anew or still. */
  long take(long bytes) {
    PinnedBlock again = takeStored(bytes);
    return again != null ? again.address() : pin(bytes);
  }

  /** Gives memory back that {@link #take} gave and nothing uses. */
  void giveBack(long address, long bytes, Runnable gone) {
    PinnedBlock block = new PinnedBlock(this, address, bytes, false);
    block.whenReleased(gone);
    release(block);
  }

  /** A block of memory that a lender took, and that goes back to it; if this throws, it did not. */
  PinnedBlock lend(long address, long bytes, PinnedLeases lender) {
    PinnedBlock block = new PinnedBlock(this, address, bytes, false, lender);
    PinnedRanges.process().add(block);
    if (!engine.adopt(block)) {
      PinnedRanges.process().remove(block);
      engine.released(block);
      throw engine.closedException();
    }
    return block;
  }

  private long pin(long bytes) {
    reserve(bytes);
    try {
      return engine.driver().allocatePinned(bytes);
    } catch (RuntimeException e) {
      unreserve(bytes);
      throw e;
    }
  }

  /**
   * Pins memory where it lies.
   *
   * @throws PinnedBudgetException if the budget would be exceeded, or the driver cannot pin it
   */
  public PinnedBlock register(MemorySegment segment) {
    long bytes = segment.byteSize();
    return engine.call(
        () -> {
          reserve(bytes);
          try {
            engine.driver().registerHost(segment.address(), bytes);
          } catch (DriverException e) {
            unreserve(bytes);
            if (e.kind() == DriverException.Kind.INVALID) {
              throw new PinnedBudgetException(engine.name() + ": " + e.getMessage(), e);
            }
            throw e;
          }
          return keep(new PinnedBlock(this, segment.address(), bytes, true));
        });
  }

  private PinnedBlock keep(PinnedBlock block) {
    PinnedRanges.process().add(block);
    if (!engine.adopt(block)) {
      PinnedRanges.process().remove(block);
      free(block); // at once: the driver is closed as soon as this call is over
      throw engine.closedException();
    }
    return block;
  }

  void awaitReleased(PinnedBlock block) {
    CountDownLatch gone = new CountDownLatch(1);
    block.whenReleased(gone::countDown);
    engine.watch().awaitUninterruptibly(gone);
  }

  private synchronized @Nullable PinnedBlock takeStored(long bytes) {
    for (Iterator<PinnedBlock> i = stored.iterator(); i.hasNext(); ) {
      PinnedBlock block = i.next();
      if (block.byteSize() == bytes) {
        i.remove();
        storedBytes -= bytes;
        return block;
      }
    }
    return null;
  }

  private void reserve(long bytes) {
    PinnedBlock spare;
    while ((spare = reserveOrTakeSpare(bytes)) != null) {
      unpin(spare); // outside the monitor, for it may wait for the device
    }
  }

  /** Reserves, or gives a stored block that has to go first. */
  private synchronized @Nullable PinnedBlock reserveOrTakeSpare(long bytes) {
    if (bytes <= budget - reserved) {
      reserved += bytes;
      peak = Math.max(peak, reserved);
      pinnings++;
      return null;
    }
    PinnedBlock spare = takeSpare();
    if (spare == null) {
      throw new PinnedBudgetException(
          bytes
              + " bytes cannot be pinned: "
              + reserved
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
      storedBytes -= spare.byteSize();
    }
    return spare;
  }

  private synchronized void unreserve(long bytes) {
    reserved -= bytes;
  }

  /** Gives back the memory of a block after its last use. */
  void release(PinnedBlock block) {
    if (!block.isRegistered() || engine.isLost()) {
      PinnedRanges.process().remove(block); // else the memory stays, and stays pinned for a while
    }
    PinnedLeases lender = block.lender();
    if (lender != null && lender.takeBack(block.address())) {
      ended(block);
      return;
    }
    if (engine.isLost()) {
      unreserve(block.byteSize()); // the driver refuses to unpin it
      ended(block);
      return;
    }
    if (!block.isRegistered() && !engine.isClosed() && store(block)) {
      ended(block);
    } else {
      engine.hostWork().submitBlocking(() -> free(block)); // the driver waits for all enqueued work
    }
  }

  private synchronized boolean store(PinnedBlock block) {
    if (storedBytes + block.byteSize() > MOST_STORED) {
      return false;
    }
    stored.add(block);
    storedBytes += block.byteSize();
    return true;
  }

  private void free(PinnedBlock block) {
    try {
      if (block.isRegistered()) {
        engine.driver().unregisterHost(block.address());
      } else {
        engine.driver().freePinned(block.address());
      }
    } catch (DriverException e) {
      engine.report(block.describe() + " could not be given back", e);
    } finally {
      PinnedRanges.process().remove(block);
      unreserve(block.byteSize());
      ended(block);
    }
  }

  private void ended(PinnedBlock block) {
    engine.released(block);
    block.gone();
  }

  /** Unpins a block that was stored. */
  private void unpin(PinnedBlock block) {
    try {
      if (!engine.isLost()) {
        engine.driver().freePinned(block.address());
      }
    } catch (DriverException e) {
      engine.report(block.describe() + " could not be given back", e);
    } finally {
      unreserve(block.byteSize());
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
