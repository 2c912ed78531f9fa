package dev.stretto.route;

/**
 * Hands one operation to the driver. Runs with the driver's lock held, when all earlier operations
 * have been handed over.
 */
@FunctionalInterface
interface Operation {
  /**
   * Hands the operation over, or holds the stream with {@link Handover#hold} and lets it go on
   * later.
   *
   * @throws dev.stretto.driver.DriverException if the driver refuses
   */
  void submit();
}
