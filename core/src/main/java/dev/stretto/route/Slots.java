package dev.stretto.route;

import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.settings.Settings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pinned buffers through which ordinary memory is staged. Transfers take turns, and each holds
 * a bounded number, so that none starves. The buffers are pinned when they are first needed, on a
 * host thread of the device, because pinning may wait for the device.
 */
final class Slots {
  /** The size of a slot in bytes, whole pages; docs/experiments.md says how it was chosen. */
  static final long SLOT_BYTES = Settings.SLOT_BYTES.value() & -4096;

  /**
   * The size of the half of a slot in bytes, whole pages: that of the largest piece on its way to a
   * device. Two of them for each thread stay in the caches; on the way back, where each piece costs
   * the host more, whole slots are faster.
   */
  static final long HALF_BYTES = SLOT_BYTES / 2 & -4096;

  /** While each thread fills one half and another one is on its way, so many more are to be had. */
  private static final int SPARE_HALVES = 4;

  private static final int MOST_SLOTS = Settings.SLOTS.value().intValue();
  private static final int SLOTS_IN_BLOCK = 4;

  /** The part of the slots, as a divisor, that copies whose turn has not come leave alone. */
  private static final int RESERVED = 4;

  /** After pinning was refused: how often slots may run short before the next attempt. */
  private static final int PATIENCE = 64;

  /** Parts begin at multiples of this, which is enough for every kind of copy. */
  private static final long ALIGNMENT = 256;

  /** Pinned memory for one piece: a slot or a part of one. */
  record Part(Slot slot, MemorySegment memory, long address) {}

  /** One pinned buffer or half of one, which pieces share if they are smaller. */
  static final class Slot {
    private final MemorySegment memory;
    private final @Nullable Slot whole;
    private @Nullable Slot first;
    private @Nullable Slot second;
    private long used;
    private int parts;

    /** Whether it is a half that nobody uses. */
    boolean isFree;

    /** The thread that has filled it last. */
    @Nullable Thread filler;

    Slot(MemorySegment memory, @Nullable Slot whole) {
      this.memory = memory;
      this.whole = whole;
    }

    /** {@return the slot that this is half of, if it is one} */
    @Nullable Slot whole() {
      return whole;
    }

    /** {@return the other half of the slot that this is half of} */
    Slot otherHalf() {
      Slot all = Objects.requireNonNull(whole);
      return all.firstHalf() == this ? all.secondHalf() : all.firstHalf();
    }

    Slot firstHalf() {
      Slot half = first;
      if (half == null) {
        half = new Slot(memory.asSlice(0, HALF_BYTES), this);
        first = half;
      }
      return half;
    }

    Slot secondHalf() {
      Slot half = second;
      if (half == null) {
        half = new Slot(memory.asSlice(HALF_BYTES, HALF_BYTES), this);
        second = half;
      }
      return half;
    }

    boolean hasRoom(long bytes) {
      return used + bytes <= memory.byteSize();
    }

    Part cut(long bytes) {
      MemorySegment part = memory.asSlice(used, bytes);
      used += (bytes + ALIGNMENT - 1) & -ALIGNMENT;
      parts++;
      return new Part(this, part, part.address());
    }

    /** {@return whether that was its last part} */
    boolean giveBack() {
      parts--;
      if (parts == 0) {
        used = 0;
      }
      return parts == 0;
    }
  }

  private final DeviceState device;
  private final Pinned pinned;
  private final LockedActions locked;
  private final FreeSlots free;
  private final boolean isOrdered;

  /** The slot from which transfers whose turn has come get parts, if it has any left. */
  private @Nullable Slot open;

  /** The same for transfers whose turn has not come. */
  private @Nullable Slot openAhead;

  private final ArrayDeque<SlotTaker> waiting = new ArrayDeque<>();

  /** Transfers whose turn in their streams has not come, in order. */
  private final ArrayDeque<SlotTaker> ahead = new ArrayDeque<>();

  private final List<PinnedBlock> blocks = new ArrayList<>();

  private int slots;

  /** How many pieces host threads fill now, or will fill soon; possibly more than counted here. */
  private int filling;

  /** Whether there is any slot; changed with the driver's lock held. */
  private volatile boolean anySlot;

  /**
   * Held while memory for slots is pinned: a thread that finds no slot waits for the thread that is
   * pinning some. Not taken with the driver's lock held.
   */
  private final ReentrantLock pinning = new ReentrantLock();

  private int patience;
  private boolean growing;

  /** Whether copies wait for slots, and there will be no more than there are. */
  private volatile boolean scarce;

  Slots(DeviceState device, Pinned pinned, LockedActions locked) {
    this.device = device;
    this.pinned = pinned;
    this.locked = locked;
    this.free = new FreeSlots(2 * device.hostWork().width() + SPARE_HALVES);
    this.isOrdered =
        device.driver().clock().isModelled() || device.driver().cooperation().isPresent();
  }

  /** {@return the most parts of slots that one transfer holds} */
  static int depth(int width) {
    return Math.min(MOST_SLOTS * 3 / 4, 2 * width);
  }

  /**
   * Makes sure that there is at least one slot, so that a copy cannot fail for lack of pinned
   * memory after it was enqueued. The first call pins one. Call it without the driver's lock.
   *
   * @throws PinnedBudgetException if the budget would be exceeded, or the driver cannot pin more
   */
  void requireOne() {
    if (anySlot || device.isClosed()) {
      return;
    }
    pinning.lock();
    try {
      if (anySlot) {
        return;
      }
      PinnedBlock block = pinned.allocate(SLOT_BYTES);
      synchronized (device.lock) {
        add(block, 1);
      }
    } finally {
      pinning.unlock();
    }
  }

  /**
   * Grants slots to the transfer, in turn with others, as long as it wants more. Called with the
   * driver's lock held.
   */
  void request(SlotTaker transfer) {
    waiting.add(transfer);
    grantSoon();
  }

  /**
   * Grants slots to a transfer whose turn has not come, as far as the others leave some. Called
   * with the driver's lock held, by the thread that enqueues: while host threads are at work, the
   * next of them that has moved a piece grants the slots, and wakes others.
   */
  void requestAhead(SlotTaker transfer) {
    ahead.add(transfer);
    if (filling == 0) {
      grantSoon();
    }
  }

  /** {@return whether those who have slots should leave some to others} */
  boolean areScarce() {
    return scarce;
  }

  /** The thread that enqueues need not make the driver's calls if another one is about to. */
  private void grantSoon() {
    if (locked.isAttended()) {
      locked.run(this::grant);
    } else {
      grant();
    }
  }

  /** Notes that a host thread will fill a part. Called with the driver's lock held. */
  void fills() {
    filling++;
  }

  /** Notes that a host thread has filled a part. Called with the driver's lock held. */
  void filled() {
    filling = Math.max(0, filling - 1);
    grantAhead();
  }

  /** Notes that a host thread may have died. Called with the driver's lock held. */
  void lostCount() {
    filling = 0;
    grant();
  }

  /** Notes that the turn of such a transfer has come. Called with the driver's lock held. */
  void requestNow(SlotTaker transfer) {
    boolean _ = ahead.remove(transfer);
    if (transfer.wantsSlot()) {
      request(transfer);
    }
  }

  /**
   * {@return the part that the calling thread is to fill, for one that was granted} If that is all
   * of half a slot, any other will do. Called without the driver's lock.
   */
  Part toFill(Part granted) {
    Slot given = granted.slot;
    if (isOrdered || given.whole == null || granted.memory.byteSize() < HALF_BYTES) {
      return granted;
    }
    Slot own = free.own(given);
    return own == null ? granted : own.cut(HALF_BYTES);
  }

  /**
   * Takes a part back and grants to the next transfer. The last slot used is still in the caches.
   */
  void giveBack(Part part) {
    synchronized (device.lock) {
      Slot slot = part.slot;
      if (slot.giveBack()) {
        open = open == slot ? null : open;
        openAhead = openAhead == slot ? null : openAhead;
        free.push(slot);
      }
      grant();
    }
  }

  private void grant() {
    grantToWaiting();
    grantAhead();
  }

  /**
   * A copy whose turn has come must never wait for slots of those whose turn has not: they may wait
   * for that copy.
   */
  private void grantAhead() {
    while (!ahead.isEmpty()) {
      SlotTaker first = ahead.peek();
      if (!first.wantsSlot()) {
        ahead.remove();
        continue;
      }
      long bytes = first.nextBytes();
      if (openAhead == null || !openAhead.hasRoom(bytes)) {
        if (!free.leavesSome(bytes)) {
          return;
        }
        if (free.size() <= Math.max(1, slots / RESERVED)) {
          if (slots > 0 && patience == 0) {
            grow();
          }
          return;
        }
        openAhead = free.poll(bytes);
        if (openAhead == null) {
          return;
        }
      }
      Slot slot = openAhead;
      Part part = slot.cut(bytes);
      openAhead = slot.hasRoom(1) ? slot : null;
      first.granted(part);
    }
  }

  private void grantToWaiting() {
    scarce = false;
    while (!waiting.isEmpty()) {
      SlotTaker transfer = waiting.peek();
      if (!transfer.wantsSlot()) {
        waiting.remove();
        continue;
      }
      long bytes = transfer.nextBytes();
      if (open == null || !open.hasRoom(bytes)) {
        Slot next = free.poll(bytes);
        if (next == null) {
          if (!free.isLimit(bytes)) {
            scarce = slots >= MOST_SLOTS || patience > 0;
            grow();
          }
          return;
        }
        open = next;
      }
      waiting.remove();
      Slot slot = open;
      Part part = slot.cut(bytes);
      open = slot.hasRoom(1) ? slot : null;
      transfer.granted(part);
      if (transfer.wantsSlot()) {
        waiting.add(transfer);
      }
    }
  }

  private void grow() {
    if (growing || slots >= MOST_SLOTS) {
      return;
    }
    if (slots > 0 && patience > 0) {
      patience--;
      return;
    }
    growing = true;
    device.later(this::pinMore);
  }

  private void pinMore() {
    pinning.lock();
    try {
      pinMoreAlone();
    } finally {
      pinning.unlock();
    }
  }

  private void pinMoreAlone() {
    int wanted = Math.min(SLOTS_IN_BLOCK, MOST_SLOTS - slots);
    PinnedBlock block = null;
    RuntimeException refusal = null;
    while (block == null && wanted > 0) {
      try {
        block = pinned.allocate(SLOT_BYTES * wanted);
      } catch (
          Throwable e) { // even an Error: otherwise copies that wait for slots would wait for ever
        refusal = refusal == null ? refusal(e) : refusal;
        wanted = wanted > 1 ? 1 : 0; // a single slot is better than none
      }
    }
    synchronized (device.lock) {
      growing = false;
      if (block == null) {
        refused(refusal);
      } else {
        add(block, wanted);
      }
    }
  }

  private static RuntimeException refusal(Throwable e) {
    return e instanceof RuntimeException refusal
        ? refusal
        : new PinnedBudgetException("no memory can be pinned for staging: " + e, e);
  }

  private void add(PinnedBlock block, int count) {
    blocks.add(block);
    for (int i = 0; i < count; i++) {
      free.add(new Slot(block.memory().asSlice(i * SLOT_BYTES, SLOT_BYTES), null));
    }
    slots += count;
    anySlot = true;
    grant();
  }

  private void refused(@Nullable RuntimeException refusal) {
    patience = PATIENCE;
    if (slots == 0 && refusal != null) {
      List<SlotTaker> failing = List.copyOf(waiting);
      waiting.clear();
      failing.forEach(transfer -> transfer.refused(refusal));
    }
    // If there are some slots already, having fewer only makes copies slower.
  }

  /** Releases the buffers when the device is closed and nothing is staged any more. */
  void release() {
    synchronized (device.lock) {
      blocks.forEach(PinnedBlock::closeAfterLastUse);
      blocks.clear();
      free.clear();
      open = null;
      openAhead = null;
      slots = 0;
      anySlot = false;
    }
  }
}
