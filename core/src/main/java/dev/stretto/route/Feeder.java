package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * One of the {@link Feeders}: a slot, the pieces in it that are on their way, oldest first, and the
 * thread that fills it. Of the thread alone while it runs, and guarded by the driver's lock while
 * it does not.
 */
final class Feeder implements SlotTaker, Runnable {
  /** Of small pieces, so many are on their way. */
  private static final int MOST_PIECES = 8;

  private static final long ALIGNMENT = 256;

  /** So many it feeds before it leaves its slot to others, if slots are scarce. */
  private static final int PIECES_OF_A_TURN = 8;

  /** How long the thread asks without pause. */
  private static final long SPIN_NANOS = 100_000;

  /** A piece that has not left after so long waits for more than the link. */
  private static final long LATE_NANOS = 2_000_000;

  private final Feeders feeders;
  private final DriverDevice driver;

  /** Whether it does not spin: the threads of a virtual device need the cores. */
  private final boolean naps;

  private final long[] events = new long[MOST_PIECES];
  private final long[] begins = new long[MOST_PIECES];
  private final @Nullable StagedIn[] owners = new StagedIn[MOST_PIECES];
  private int oldest;
  private int count;

  /** Where the next piece may begin. */
  private long next;

  private Slots.@Nullable Part slot;

  /**
   * Whether there was no room for the next piece at once. Then the link is behind the threads, and
   * had better be given fewer bytes; otherwise they should leave to the device what it can do.
   */
  private boolean waited;

  /** How many pieces it has fed through this slot. */
  private int fed;

  private @Nullable StagedIn copy;
  private long piece;

  Feeder(Feeders feeders) {
    this.feeders = feeders;
    this.driver = feeders.driver();
    this.naps = feeders.isVirtual();
  }

  // --- its slot
  // ----------------------------------------------------------------------------------------------------------

  @Override
  public boolean wantsSlot() {
    return slot == null;
  }

  @Override
  public long nextBytes() {
    return Slots.SLOT_BYTES;
  }

  @Override
  public void granted(Slots.Part part) {
    slot = part;
    feeders.run(this);
  }

  @Override
  public void refused(RuntimeException why) {
    feeders.refused(this, why);
  }

  private Slots.Part leaveSlot() {
    Slots.Part left = Objects.requireNonNull(slot);
    slot = null;
    count = 0;
    next = 0;
    fed = 0;
    Arrays.fill(owners, null); // they keep the program's memory alive
    return left;
  }

  /** {@return the copies that have pieces in the slot} */
  private List<StagedIn> using() {
    List<StagedIn> using = new ArrayList<>(2);
    for (int i = 0; i < count; i++) {
      StagedIn owner = owner(i);
      if (!using.contains(owner)) {
        using.add(owner);
      }
    }
    return using;
  }

  // --- its work
  // ----------------------------------------------------------------------------------------------------------

  /** Takes a piece. Called by {@link Feeders}. */
  void gets(StagedIn of, long number) {
    copy = of;
    piece = number;
  }

  @Override
  public void run() {
    try {
      boolean goesOn = feed();
      while (goesOn && !feeders.areOthersWaiting()) {
        goesOn = feed();
      }
      if (goesOn) {
        feeders.run(this);
      }
    } catch (Throwable e) {
      died(e);
    }
  }

  /** {@return whether it goes on; otherwise it has no slot any more} */
  private boolean feed() {
    long bytes = feeders.nextBytes();
    if (fed >= PIECES_OF_A_TURN && feeders.areSlotsScarce()) {
      List<StagedIn> using = using();
      feeders.endTurn(this, leaveSlot(), using);
      return false;
    }
    if (bytes == 0) {
      dropDone();
      end();
      return false;
    }
    long at = room(bytes);
    if (at < 0) {
      StagedIn late = owner(0);
      List<StagedIn> using = using();
      feeders.putAside(late, this, leaveSlot(), using);
      return false;
    }
    return !feeders.give(this, bytes) || fill(at);
  }

  /** {@return whether the slot may be used further} */
  private boolean fill(long at) {
    StagedIn owner = Objects.requireNonNull(copy);
    Slots.Part part = Objects.requireNonNull(slot);
    boolean unconverted = !waited && count <= 1 && owner.isConvertedByDevice();
    int place = place(count);
    if (events[place] == 0) {
      events[place] = driver.createEvent(false);
    }
    owners[place] = owner;
    begins[place] = at;
    count++; // before anything can fail: what may be in flight is not written again
    next = at + (owner.pieceBytes() + ALIGNMENT - 1 & -ALIGNMENT);
    MemorySegment memory = part.memory();
    fed++;
    boolean isSound = owner.feed(piece, memory, at, part.address(), events[place], unconverted);
    copy = null;
    if (!isSound) {
      end();
    }
    return isSound;
  }

  private void end() {
    List<StagedIn> using = using();
    feeders.end(this, leaveSlot(), using);
  }

  private StagedIn owner(int number) {
    return Objects.requireNonNull(owners[place(number)]);
  }

  private int place(int number) {
    return (oldest + number) % MOST_PIECES;
  }

  /** {@return where there is room for so many bytes; -1 if there is none for long} */
  private long room(long bytes) {
    long at = begin(bytes);
    if (at < 0) {
      dropDone();
      at = begin(bytes);
    }
    waited = at < 0;
    if (!waited) {
      return at;
    }
    long begin = System.nanoTime();
    for (long waited = 0; at < 0 && waited < LATE_NANOS; waited = System.nanoTime() - begin) {
      if (naps || waited > SPIN_NANOS) {
        LockSupport.parkNanos(this, Naps.nanos(waited));
      } else {
        Thread.onSpinWait();
      }
      dropDone();
      at = begin(bytes);
    }
    return at;
  }

  private void dropDone() {
    while (count > 0 && driver.isDone(events[oldest])) {
      owners[oldest] = null;
      oldest = place(1);
      count--;
    }
  }

  private long begin(long bytes) {
    if (count == 0) {
      return 0;
    }
    if (count == MOST_PIECES) {
      return -1;
    }
    long used = begins[oldest];
    if (next <= used) { // what is in use goes over the end of the slot
      return bytes <= used - next ? next : -1;
    }
    if (bytes <= Slots.SLOT_BYTES - next) {
      return next;
    }
    return bytes <= used ? 0 : -1;
  }

  private void died(Throwable e) {
    StagedIn owner = copy;
    copy = null;
    if (owner != null) {
      owner.notFed(feeders.raised(e));
    }
    end();
  }

  void destroyEvents() {
    for (int i = 0; i < events.length; i++) {
      if (events[i] != 0) {
        driver.destroyEvent(events[i]);
        events[i] = 0;
      }
    }
  }
}
