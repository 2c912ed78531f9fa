package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Small buffers of any size out of one block of memory. They become free in the order in which they
 * were taken. Guarded by the driver's lock.
 */
final class SlotRing {
  private static final long ALIGNMENT = 256;

  private final long bytes;
  private final SmallSlot[] slots;
  private int oldest;
  private int count;

  /** Where the buffer that was taken last ends. */
  private long end;

  /**
   * Creates one without buffers.
   *
   * @param most how many buffers there are at most
   */
  SlotRing(MemorySegment block, boolean pinned, int most) {
    bytes = block.byteSize();
    slots = new SmallSlot[most];
    for (int i = 0; i < most; i++) {
      slots[i] = new SmallSlot(block, pinned);
    }
  }

  /** {@return whether there is a buffer of so many bytes} */
  boolean hasRoom(long wanted) {
    return makeRoom(wanted) >= 0;
  }

  /** Sees to it that it becomes known when the oldest buffer is free. */
  void watchOldest() {
    if (count > 0) {
      slots[oldest].ensureMarked();
    }
  }

  /** {@return where there is room, or -1 if the oldest buffers are still in use} */
  private long makeRoom(long wanted) {
    long size = sizeFor(wanted);
    long at = place(size);
    while (at < 0 || count == slots.length) {
      if (count == 0 || !slots[oldest].isFree()) {
        return -1;
      }
      oldest = (oldest + 1) % slots.length;
      count--;
      at = place(size);
    }
    return at;
  }

  private static long sizeFor(long wanted) {
    return (wanted + ALIGNMENT - 1) & -ALIGNMENT;
  }

  /** {@return a buffer, or null if the oldest ones are still in use} */
  @Nullable SmallSlot take(long wanted) {
    long size = sizeFor(wanted);
    long at = makeRoom(wanted);
    if (at < 0) {
      return null;
    }
    SmallSlot slot = slots[(oldest + count) % slots.length];
    count++;
    end = at + size;
    slot.take(at, size);
    return slot;
  }

  /** {@return where there is room for so many bytes, or -1} */
  private long place(long size) {
    if (count == 0) {
      return size <= bytes ? 0 : -1;
    }
    long begin = slots[oldest].offset();
    if (end <= begin) {
      return size <= begin - end ? end : -1; // what is in use goes over the end of the memory
    }
    if (size <= bytes - end) {
      return end;
    }
    return size <= begin ? 0 : -1;
  }

  void noteUses(PinnedBlock block) {
    for (SmallSlot slot : slots) {
      slot.noteUses(block);
    }
  }
}
