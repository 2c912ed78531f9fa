package dev.stretto.route;

import dev.stretto.fault.PinnedBudgetException;
import dev.stretto.settings.Settings;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The pinned buffers through which ordinary memory is staged. Transfers take turns, and each holds
 * a bounded number, so that none starves. The buffers are pinned when they are first needed, on a
 * host thread of the device, because pinning may wait for the device.
 */
final class Slots {
  /** The size of a slot in bytes; docs/experiments.md says how it was chosen. */
  static final long SLOT_BYTES = Settings.SLOT_BYTES.value();

  private static final int MOST_SLOTS = Settings.SLOTS.value().intValue();
  private static final int SLOTS_IN_BLOCK = 4;

  /** After pinning was refused: how often slots may run short before the next attempt. */
  private static final int PATIENCE = 64;

  /** One pinned buffer. */
  record Slot(MemorySegment memory, long address) {}

  private final DeviceState device;
  private final Pinned pinned;
  private final ArrayDeque<Slot> free = new ArrayDeque<>();
  private final ArrayDeque<Staged> waiting = new ArrayDeque<>();
  private final List<PinnedBlock> blocks = new ArrayList<>();

  private int slots;

  /** Whether there is any slot; changed with the driver's lock held. */
  private volatile boolean anySlot;

  /**
   * Held while memory for slots is pinned: a thread that finds no slot waits for the thread that is
   * pinning some. Not taken with the driver's lock held.
   */
  private final ReentrantLock pinning = new ReentrantLock();

  private int patience;
  private boolean growing;

  Slots(DeviceState device, Pinned pinned) {
    this.device = device;
    this.pinned = pinned;
  }

  /** {@return the most slots that one transfer holds} */
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
  void request(Staged transfer) {
    waiting.add(transfer);
    grant();
  }

  /**
   * Takes a slot back and grants it to the next transfer. The last one used is still in the caches.
   */
  void giveBack(Slot slot) {
    synchronized (device.lock) {
      free.push(slot);
      grant();
    }
  }

  private void grant() {
    while (!waiting.isEmpty()) {
      if (free.isEmpty()) {
        grow();
        return;
      }
      Staged transfer = waiting.remove();
      if (transfer.wantsSlot()) {
        transfer.granted(free.remove());
        if (transfer.wantsSlot()) {
          waiting.add(transfer);
        }
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
    int wanted = SLOTS_IN_BLOCK;
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
      MemorySegment memory = block.memory().asSlice(i * SLOT_BYTES, SLOT_BYTES);
      free.add(new Slot(memory, memory.address()));
    }
    slots += count;
    anySlot = true;
    grant();
  }

  private void refused(@Nullable RuntimeException refusal) {
    patience = PATIENCE;
    if (slots == 0 && refusal != null) {
      List<Staged> failing = List.copyOf(waiting);
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
      slots = 0;
      anySlot = false;
    }
  }
}
