package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A small buffer, and the two streams that use it, which may be the same. Guarded by the driver's
 * lock, except for the memory: it belongs to the taker from {@link SmallSlots#take} to {@link
 * SmallSlots#used} or {@link SmallSlots#giveBack}.
 */
public final class SmallSlot {
  private final MemorySegment block;
  private final boolean pinned;
  private long offset;
  private long size;
  private boolean taken;
  private @Nullable Completion one;
  private long sequence;
  private @Nullable Completion other;
  private long otherSequence;

  SmallSlot(MemorySegment block, boolean pinned) {
    this.block = block;
    this.pinned = pinned;
  }

  /** {@return the memory in which the buffer lies} */
  MemorySegment block() {
    return block;
  }

  /** {@return where it begins there} */
  long offset() {
    return offset;
  }

  /** {@return the end of the buffer in its memory} */
  long end() {
    return offset + size;
  }

  /**
   * {@return a copy of the first bytes} The caller must have held the lock since it had the slot.
   *
   * @param count how many
   */
  public MemorySegment bytes(long count) {
    return MemorySegment.ofArray(block.asSlice(offset, count).toArray(ValueLayout.JAVA_BYTE));
  }

  long address() {
    return block.address() + offset;
  }

  /** {@return whether a device can access it} */
  boolean isPinned() {
    return pinned;
  }

  boolean isFree() {
    return !taken && isDone(one, sequence) && isDone(other, otherSequence);
  }

  private static boolean isDone(@Nullable Completion stream, long sequence) {
    return stream == null || !stream.device().isUsable() || stream.isSurelyDone(sequence);
  }

  /** Has the streams that use it marked, so that their end is seen. */
  void ensureMarked() {
    ensureMarked(one, sequence);
    ensureMarked(other, otherSequence);
  }

  private static void ensureMarked(@Nullable Completion stream, long sequence) {
    if (stream != null && stream.device().isUsable() && stream.isHandedOver(sequence)) {
      boolean _ = stream.isSurelyMarked(sequence);
    }
  }

  void take(long at, long bytes) {
    offset = at;
    size = bytes;
    taken = true;
    one = null;
    other = null;
  }

  void giveBack() {
    taken = false;
  }

  void use(Completion stream, long number, Completion second, long secondNumber) {
    one = stream;
    sequence = number;
    other = stream == second ? null : second;
    otherSequence = secondNumber;
  }

  /** Keeps the memory of all buffers as long as this one is in use. */
  void noteUses(PinnedBlock block) {
    noteUse(block, one, sequence);
    noteUse(block, other, otherSequence);
  }

  private static void noteUse(PinnedBlock block, @Nullable Completion stream, long sequence) {
    if (stream != null) {
      boolean _ = block.use(stream, sequence);
    }
  }
}
