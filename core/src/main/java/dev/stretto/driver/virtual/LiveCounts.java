package dev.stretto.driver.virtual;

/**
 * What of a device is held at a moment, for tests of leaks.
 *
 * @param openings openings that were not closed
 * @param allocations allocations of device memory
 * @param pinned allocations of pinned memory
 * @param registered registrations of host memory
 * @param streams created streams
 * @param events events
 * @param modules loaded modules
 * @param graphs graphs that can be launched
 */
public record LiveCounts(
    int openings,
    int allocations,
    int pinned,
    int registered,
    int streams,
    int events,
    int modules,
    int graphs) {
  /** Nothing at all. */
  public static final LiveCounts NONE = new LiveCounts(0, 0, 0, 0, 0, 0, 0, 0);
}
