package dev.stretto.route;

import java.lang.foreign.MemorySegment;

/** Host memory in many places, which a staged copy takes as one sequence of bytes. */
public interface Scattered {
  /** {@return whether some of it may be outside the heap, and so may be pinned} */
  boolean mayBeNative();

  /**
   * Moves bytes between the memory and a buffer.
   *
   * @param at the first byte, among all
   * @param bytes how many
   * @param buffer as long as no other thread accesses the same bytes of it
   * @param offset of the first byte in the buffer
   * @param intoBuffer the direction
   */
  void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer);
}
