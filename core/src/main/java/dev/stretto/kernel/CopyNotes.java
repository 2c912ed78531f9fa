package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import java.util.Objects;

/**
 * What the copies of kernels say of themselves while they are compiled, so that {@code stretto
 * explain} can tell which copy became what; and what they look at on virtual devices, or where a
 * kernel has checks. Nothing of it is left when another kernel runs.
 */
final class CopyNotes {
  static final String TO_SHARED = "global-to-shared";
  static final String TO_GLOBAL = "shared-to-global";

  private CopyNotes() {}

  /**
   * Notes what a copy becomes. All but the number of bytes have to be constants.
   *
   * @param rest how the bytes go that are left over behind whole pieces
   * @param bytes how many, which need not be known
   * @param piece how many bytes a whole piece has
   */
  static void note(
      String direction,
      String mechanism,
      String completion,
      String reason,
      String rest,
      int bytes,
      int piece,
      int alignment) {}

  /**
   * Requires what has to be known when the kernel is compiled.
   *
   * @param holds a constant
   */
  static void require(boolean holds, String reason, String advice) {
    if (!holds) {
      throw new IllegalArgumentException(reason + ": " + advice);
    }
  }

  /** Whether copies look at their numbers: on a virtual device, and where a kernel has checks. */
  static boolean areChecked() {
    return true;
  }

  /** Whether this is a virtual device, to which more is reported than to a GPU. */
  static boolean areTold() {
    return true;
  }

  /** Requires, where copies are checked, that a range lies within an array. */
  static void requireSlice(long from, long count, long length) {
    Objects.checkFromIndexSize(from, count, length);
  }

  /**
   * Requires, where copies are checked, that an end lies where it was promised.
   *
   * @param place the last bits of its address
   * @param alignment a power of two
   */
  static void requireAligned(int place, int alignment) {
    if ((place & (alignment - 1)) != 0) {
      throw new IllegalArgumentException(
          CopyRule.MISALIGNED.title()
              + ": an end of memcpyAsync lies "
              + (place & (alignment - 1))
              + " bytes behind a multiple of the "
              + alignment
              + " bytes that are promised");
    }
  }
}
