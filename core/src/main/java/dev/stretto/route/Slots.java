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
 * The pinned buffers through which ordinary memory is staged. Transfers take turns at them, each
 * holding a bounded number, so that none starves. They are pinned when first needed, on a thread of
 * the engine's, because pinning may wait for the device.
 */
final class Slots {
  /** Bytes of a slot; docs/performance.md tells how the size was measured. */
  static final long SLOT_BYTES = Settings.SLOT_BYTES.value();

  private static final int MOST_SLOTS = Settings.SLOTS.value().intValue();
  private static final int SLOTS_IN_BLOCK = 4;

  /** How often slots may be short after pinning was refused before it is tried again. */
  private static final int PATIENCE = 64;

  /** One pinned buffer. */
  record Slot(MemorySegment memory, long address) {}

  private final DeviceState device;
  private final Pinned pinned;
  private final ArrayDeque<Slot> free = new ArrayDeque<>();
  private final ArrayDeque<Staged> waiting = new ArrayDeque<>();
  private final List<PinnedBlock> blocks = new ArrayList<>();

  private int slots;

  /** Whether there is any; changed under the driver's lock. */
  private volatile boolean anySlot;

  /**
   * Held while memory for slots is pinned: a thread that would find none left waits for the one
   * that is about to have some. Not taken with the driver's lock held.
   */
  private final ReentrantLock pinning = new ReentrantLock();

  private int patience;
  private boolean growing;

  Slots(DeviceState device, Pinned pinned) {
    this.device = device;
    this.pinned = pinned;
  }

  /** How many slots one transfer holds at most. */
  static int depth(int width) {
    return Math.min(MOST_SLOTS * 3 / 4, 2 * width);
  }

  /**
   * Sees to it that there is a buffer at all, so that what is staged from here on can be: a copy
   * that is enqueued is not refused any more for want of memory. The first time this pins one. To
   * be called without the driver's lock.
   *
   * @throws PinnedBudgetException if the budget would be exceeded, or the driver has no more
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
   * Has the transfer granted slots, in turn with others, as long as it wants more. Called under the
   * driver's lock.
   */
  void request(Staged transfer) {
    waiting.add(transfer);
    grant();
  }

  /** Takes a slot back and grants it to the next: what was used last is still in the caches. */
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
      } catch (Throwable e) { // an Error too: the copies that wait for slots would wait for ever
        refusal = refusal == null ? refusal(e) : refusal;
        wanted = wanted > 1 ? 1 : 0; // a single one is better than none
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
    // With some slots already there, less depth is slower and nothing else.
  }

  /** Gives the buffers back, when the device is closed and nothing is staged any more. */
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
