package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Small pinned buffers for small copies from ordinary memory: the calling thread fills one in less
 * time than it takes to hand the copy to another thread. They have two sizes, so that there can be
 * many for the smallest copies, and those of a size are used in turn. If the next one is still in
 * flight, the copy is staged like a large one. Guarded by the driver's lock, but filled without it:
 * the program's memory may be a file that has yet to be read, and every stream would wait for that.
 */
final class SmallSlots {
  /** The largest copy that takes this route: about four microseconds of copying. */
  static final int BYTES = StreamQueue.INLINE_BYTES;

  private static final int COUNT = 128;
  private static final int TINY_BYTES = 4 << 10;
  private static final int TINY_COUNT = 512;

  /** The buffers of one size, used in turn. */
  private static final class Ring {
    private final SmallSlot[] slots;
    private int next;

    Ring(MemorySegment memory, int count) {
      long bytes = memory.byteSize() / count;
      slots = new SmallSlot[count];
      for (int i = 0; i < count; i++) {
        slots[i] = new SmallSlot(memory.asSlice(i * bytes, bytes));
      }
    }

    @Nullable SmallSlot take() {
      SmallSlot slot = slots[next];
      if (!slot.isFree()) {
        return null;
      }
      next = (next + 1) % slots.length;
      slot.take();
      return slot;
    }

    void noteUses(PinnedBlock block) {
      for (SmallSlot slot : slots) {
        slot.noteUses(block);
      }
    }
  }

  private final DeviceState device;
  private final Pinned pinned;
  private @Nullable Ring tiny;
  private @Nullable Ring small;

  /** The memory of all buffers, held until nobody fills one and the device is closed. */
  private @Nullable PinnedBlock block;

  private int taken;
  private boolean pinning;
  private boolean released;

  SmallSlots(DeviceState device, Pinned pinned) {
    this.device = device;
    this.pinned = pinned;
  }

  /**
   * Returns the next buffer for so many bytes, or null if it is still in use. The first call also
   * returns null, because pinning may wait for the device. Call {@link #used} or {@link #giveBack}
   * afterwards.
   */
  @Nullable SmallSlot take(long bytes) {
    Ring ring = bytes <= TINY_BYTES ? tiny : small;
    if (ring == null || released) {
      if (!pinning && !released) {
        pinning = true;
        device.later(this::pin);
      }
      return null;
    }
    SmallSlot slot = ring.take();
    taken += slot == null ? 0 : 1;
    return slot;
  }

  private void pin() {
    PinnedBlock pinned = null;
    try {
      pinned = this.pinned.allocate((long) BYTES * COUNT + (long) TINY_BYTES * TINY_COUNT);
    } catch (RuntimeException e) {
      // Small copies are then staged like large ones, which report the error if they fail too.
    }
    synchronized (device.lock) {
      pinning = false;
      if (pinned == null || released || !pinned.hold()) {
        return; // closing the device releases its pinned memory
      }
      MemorySegment memory = pinned.memory();
      small = new Ring(memory.asSlice(0, (long) BYTES * COUNT), COUNT);
      tiny = new Ring(memory.asSlice((long) BYTES * COUNT), TINY_COUNT);
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
      if (small != null && tiny != null) {
        small.noteUses(last);
        tiny.noteUses(last);
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
