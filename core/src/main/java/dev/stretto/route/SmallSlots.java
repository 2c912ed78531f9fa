package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Small pinned buffers for small copies from ordinary memory: the calling thread fills one in less
 * time than it takes to hand the copy to another thread. They are used in turn. If the next one is
 * still in flight, the copy is staged like a large one. Guarded by the driver's lock, but filled
 * without it: the program's memory may be a file that has yet to be read, and every stream would
 * wait for that.
 */
final class SmallSlots {
  /** The largest copy that takes this route: about four microseconds of copying. */
  static final int BYTES = StreamQueue.INLINE_BYTES;

  private static final int COUNT = 64;

  private final DeviceState device;
  private final Pinned pinned;
  private final SmallSlot[] slots = new SmallSlot[COUNT];

  /** The memory of all buffers, held until nobody fills one and the device is closed. */
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
   * Returns the next buffer, or null if it is still in use. The first call also returns null,
   * because pinning may wait for the device. Call {@link #used} or {@link #giveBack} afterwards.
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
      // Small copies are then staged like large ones, which report the error if they fail too.
    }
    synchronized (device.lock) {
      pinning = false;
      if (pinned == null || released || !pinned.hold()) {
        return; // closing the device releases its pinned memory
      }
      MemorySegment memory = pinned.memory();
      for (int i = 0; i < COUNT; i++) {
        slots[i] = new SmallSlot(memory.asSlice((long) i * BYTES, BYTES));
      }
      block = pinned;
    }
  }

  /**
   * Notes that a buffer is in use until an operation is done on each of two streams. Call it before
   * the first operation is handed over: from then on the buffer may be read, even if something
   * fails.
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
   * Releases the buffers when the device is closed and nothing uses them any more. If the device
   * was lost, another device may still read them, and a thread may be filling one.
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

  /**
   * Ends the hold on the memory. The device's resources, and this with them, are closed by now or
   * soon.
   */
  private void letGo(PinnedBlock last) {
    block = null;
    device.later(last::letGo);
  }
}
