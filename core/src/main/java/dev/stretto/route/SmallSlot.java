package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/**
 * A small pinned buffer, and the two streams that use it, which may be the same. Guarded by the
 * engine's lock, but for the memory: from {@link SmallSlots#take} to {@link SmallSlots#used} or
 * {@link SmallSlots#giveBack} that belongs to who has taken the buffer.
 */
public final class SmallSlot {
  private final MemorySegment memory;
  private boolean taken;
  private @Nullable StreamQueue one;
  private long sequence;
  private @Nullable StreamQueue other;
  private long otherSequence;

  SmallSlot(MemorySegment memory) {
    this.memory = memory;
  }

  MemorySegment memory() {
    return memory;
  }

  /**
   * {@return a copy of the first bytes} To be called by who holds the lock since the slot was his.
   *
   * @param count how many
   */
  public MemorySegment bytes(long count) {
    return MemorySegment.ofArray(memory.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE));
  }

  long address() {
    return memory.address();
  }

  boolean isFree() {
    return !taken && isDone(one, sequence) && isDone(other, otherSequence);
  }

  private static boolean isDone(@Nullable StreamQueue queue, long sequence) {
    return queue == null || !queue.engine().isUsable() || queue.isSurelyDone(sequence);
  }

  void take() {
    taken = true;
  }

  void giveBack() {
    taken = false;
  }

  void use(StreamQueue queue, long number, StreamQueue second, long secondNumber) {
    one = queue;
    sequence = number;
    other = queue == second ? null : second;
    otherSequence = secondNumber;
  }

  /** Has the memory of all buffers stay for as long as this one is used. */
  void noteUses(PinnedBlock block) {
    noteUse(block, one, sequence);
    noteUse(block, other, otherSequence);
  }

  private static void noteUse(PinnedBlock block, @Nullable StreamQueue queue, long sequence) {
    if (queue != null) {
      boolean _ = block.use(queue, sequence);
    }
  }
}
