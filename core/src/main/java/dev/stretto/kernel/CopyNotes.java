package dev.stretto.kernel;

/**
 * What the copies of kernels say of themselves while they are compiled, so that {@code stretto
 * explain} can tell which copy became what. Nothing of it is left when a kernel runs.
 */
final class CopyNotes {
  static final String TO_SHARED = "global-to-shared";
  static final String TO_GLOBAL = "shared-to-global";

  private CopyNotes() {}

  /**
   * Notes what a copy becomes. All but the number of bytes have to be constants.
   *
   * @param bytes how many, which need not be known
   */
  static void note(
      String direction,
      String mechanism,
      String completion,
      String reason,
      int bytes,
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
}
