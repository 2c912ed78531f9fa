package dev.stretto.route;

/**
 * Hands one operation to the driver. Runs with the driver's lock held, when all earlier operations
 * have been handed over.
 */
@FunctionalInterface
interface Operation {
  /** An operation that can be held back until the library has what it needs. */
  interface Prepared extends Operation {
    /** {@return whether it can be handed over now} If not, it is asked again soon. */
    boolean isReady();

    /** Notes that the operation was handed over, refused or abandoned, and is needed no longer. */
    void dropped();
  }

  /**
   * Hands the operation over, or holds the stream with {@link Handover#hold} and lets it go on
   * later.
   *
   * @throws dev.stretto.driver.DriverException if the driver refuses
   */
  void submit();

  /**
   * Notes that an operation that was held back could not be handed over.
   *
   * @return whether it passes the failure on by itself
   */
  default boolean refused(RuntimeException cause) {
    return false;
  }
}
