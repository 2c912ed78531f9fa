package dev.stretto.route;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** What a staged copy takes as one sequence of bytes: host memory in many places, or a file. */
public interface Scattered {
  /** What the bytes are in. */
  enum Place {
    /** In arrays. */
    HEAP,
    /** In memory of any kind, which may be pinned. */
    ANY_MEMORY,
    /** In a file: a thread that moves them may have to wait for a disk. */
    FILE
  }

  /** {@return what the bytes are in} */
  Place place();

  /**
   * Moves bytes between there and a buffer.
   *
   * @param at the first byte, among all
   * @param bytes how many
   * @param buffer whose bytes no other thread accesses
   * @param offset of the first byte in the buffer
   * @param intoBuffer the direction
   */
  void move(long at, long bytes, MemorySegment buffer, long offset, boolean intoBuffer);

  /**
   * {@return the form that a device can give to the elements; null if their form is that which they
   * have on the host}
   */
  default @Nullable DeviceForm deviceForm() {
    return null;
  }

  /**
   * Moves bytes to a buffer in the form that they have on the host.
   *
   * @param at the first byte, among all of that form
   * @param bytes how many
   * @param buffer whose bytes no other thread accesses
   * @param offset of the first byte in the buffer
   */
  default void moveUnconverted(long at, long bytes, MemorySegment buffer, long offset) {
    move(at, bytes, buffer, offset, true);
  }
}
