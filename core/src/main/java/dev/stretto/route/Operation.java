package dev.stretto.route;

/**
 * Hands one operation to the driver; runs under the driver's lock, when all operations before it
 * have been handed over.
 */
@FunctionalInterface
interface Operation {
  /**
   * Hands the operation over, or holds the queue with {@link Handover#hold} and lets it go on
   * later.
   *
   * @throws dev.stretto.driver.DriverException if the driver refuses
   */
  void submit();
}
