package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Small pinned buffers for small copies out of ordinary memory: cheaper to fill by the calling
 * thread than to hand to another. Used in turn; where the next is still in flight, the copy is
 * staged like a large one. Guarded by the driver's lock, but not filled under it: the program's
 * memory may be a file that has yet to be read, and every stream would wait for that.
 */
final class SmallSlots {
  /** The largest copy that goes this way: about four microseconds of copying. */
  static final int BYTES = StreamQueue.INLINE_BYTES;

  private static final int COUNT = 64;

  private final DeviceState device;
  private final Pinned pinned;
  private final SmallSlot[] slots = new SmallSlot[COUNT];

  /** The memory of all of them, held until nobody fills one and the device is closed. */
  private @Nullable PinnedBlock block;

  private int next;
  private int taken;
  private boolean pinning;
  private boolean released;

  SmallSlots(DeviceState device, Pinned pinned) {
    this.device = device;
    this.pinned = pinned;
  }

  /**
   * The next buffer if nothing uses it any more, or null; the first time, too, for pinning may wait
   * for the device. To be followed by {@link #used} or {@link #giveBack}.
   */
  @Nullable SmallSlot take() {
    if (block == null || released) {
      if (!pinning && !released) {
        pinning = true;
        device.later(this::pin);
      }
      return null;
    }
    SmallSlot slot = slots[next];
    if (!slot.isFree()) {
      return null;
    }
    next = (next + 1) % COUNT;
    slot.take();
    taken++;
    return slot;
  }

  private void pin() {
    PinnedBlock pinned = null;
    try {
      pinned = this.pinned.allocate((long) BYTES * COUNT);
    } catch (RuntimeException e) {
      // Small copies are staged as large ones are, which report it if that is impossible too.
    }
    synchronized (device.lock) {
      pinning = false;
      if (pinned == null || released || !pinned.hold()) {
        return; // closing the device releases what it has pinned
      }
      MemorySegment memory = pinned.memory();
      for (int i = 0; i < COUNT; i++) {
        slots[i] = new SmallSlot(memory.asSlice((long) i * BYTES, BYTES));
      }
      block = pinned;
    }
  }

  /**
   * Notes that a buffer is in use until an operation is done on each of two streams. To be called
   * before the first of them is handed over: whatever goes wrong behind that, it may be read.
   */
  void used(SmallSlot slot, Completion one, long sequence, Completion other, long otherSequence) {
    slot.use(one, sequence, other, otherSequence);
    giveBack(slot);
  }

  /** Ends what {@link #take} began. */
  void giveBack(SmallSlot slot) {
    slot.giveBack();
    taken--;
    PinnedBlock last = block;
    if (released && taken == 0 && last != null) {
      letGo(last);
    }
  }

  /**
   * Gives the buffers back, when the device is closed and nothing uses them any more. If it was
   * lost, another device may be about to read them still, and a thread may be filling one.
   */
  void release() {
    synchronized (device.lock) {
      PinnedBlock last = block;
      released = true;
      if (last == null) {
        return;
      }
      for (SmallSlot slot : slots) {
        slot.noteUses(last);
      }
      if (taken == 0) {
        letGo(last);
      }
    }
  }

  /** The device's other resources are closed by then, or soon will be, and this with them. */
  private void letGo(PinnedBlock last) {
    block = null;
    device.later(last::letGo);
  }
}
