package dev.stretto.memory;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A run of device memory that is owned and freed as a whole. Arrays and their slices are views of
 * it. Programs obtain arrays from a device, not allocations; an allocation is what the arrays of
 * the same memory share.
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

  /** {@return a description of this memory for messages: its device and its size} */
  public abstract String describe();

  /**
   * {@return the memory itself if the calling code can reach it, which is possible only inside a
   * kernel of a virtual device}
   */
  protected Optional<MemorySegment> resident() {
    return Optional.empty();
  }

  /**
   * {@return whether {@link #stored} and {@link #loaded} have to be called; only on a virtual
   * device whose kernels need it}
   */
  protected boolean isWatched() {
    return false;
  }

  /**
   * Reports that a kernel of a virtual device stores to this memory.
   *
   * @param at the first byte, counted from the beginning of the allocation
   * @param bytes how many bytes
   */
  protected void stored(long at, long bytes) {}

  /**
   * Reports that a kernel of a virtual device reads this memory.
   *
   * @param at the first byte, counted from the beginning of the allocation
   * @param bytes how many bytes
   */
  protected void loaded(long at, long bytes) {}

  /**
   * Ends the use of the memory at once, and frees it after the last enqueued operation that uses
   * it. Does not block. A second call has no further effect.
   */
  protected abstract void release();
}
