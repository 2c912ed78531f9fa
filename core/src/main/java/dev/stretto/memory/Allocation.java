package dev.stretto.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A run of device memory that is owned, and freed, as one. Arrays and their slices are views of it.
 * Programs obtain arrays from a device rather than allocations; this type is what the arrays of one
 * allocation have in common.
 */
public abstract class Allocation {
  /** Creates an allocation. */
  protected Allocation() {}

  /** {@return the device address of the first byte} */
  public abstract long address();

  /** {@return the size in bytes} */
  public abstract long byteSize();

  /** {@return whether the memory may still be used} */
  public abstract boolean isOpen();

  /** {@return which memory this is, for messages: its device and its size} */
  public abstract String describe();

  /**
   * {@return the memory itself where the calling code can reach it, which is only inside a kernel
   * of a virtual device}
   */
  protected Optional<MemorySegment> resident() {
    return Optional.empty();
  }

  /**
   * {@return whether {@link #stored} is to be called, on a virtual device whose kernels need it}
   */
  protected boolean isWatched() {
    return false;
  }

  /**
   * A kernel of a virtual device stores.
   *
   * @param at the first byte, from the beginning of the allocation
   * @param bytes how many
   */
  protected void stored(long at, long bytes) {}

  /**
   * Ends the use of the memory at once, and frees it after the last enqueued operation that uses
   * it. Does not block. Again, it has no further effect.
   */
  protected abstract void release();
}
