package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import java.util.Objects;

/**
 * The notes that copies leave while their kernel is compiled, from which {@code stretto explain}
 * reports what each copy became; and the checks that copies make on virtual devices and in kernels
 * with checks. In other kernels, nothing of this is left at run time.
 */
final class CopyNotes {
  static final String TO_SHARED = "global-to-shared";
  static final String TO_GLOBAL = "shared-to-global";

  private CopyNotes() {}

  /**
   * Notes what a copy becomes. All arguments but the number of bytes have to be constants.
   *
   * @param rest how the bytes after the last whole piece are copied
   * @param bytes the number of bytes, which need not be a constant
   * @param piece the size of a whole piece in bytes
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
   * Requires a condition that has to be known when the kernel is compiled.
   *
   * @param holds a constant
   */
  static void require(boolean holds, String reason, String advice) {
    if (!holds) {
      throw new IllegalArgumentException(reason + ": " + advice);
    }
  }

  /**
   * Whether copies check their arguments, as they do on a virtual device and in kernels with
   * checks.
   */
  static boolean areChecked() {
    return true;
  }

  /** Whether this is a virtual device, to which more is reported than to a GPU. */
  static boolean areTold() {
    return true;
  }

  /** Requires, if copies are checked, that a range lies within an array. */
  static void requireSlice(long from, long count, long length) {
    Objects.checkFromIndexSize(from, count, length);
  }

  /**
   * Requires, if copies are checked, that an end of a copy is aligned as promised.
   *
   * @param place the lowest bits of its address
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
