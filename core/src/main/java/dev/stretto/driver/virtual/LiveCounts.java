package dev.stretto.driver.virtual;

/**
 * Counts of the resources of a device that are held, for leak tests.
 *
 * @param openings openings that are not closed
 * @param allocations allocations of device memory
 * @param pinned allocations of pinned memory
 * @param registered registrations of host memory
 * @param streams created streams
 * @param events events
 * @param modules loaded modules
 * @param graphs graphs that can be launched
 * @param pools pools of the program's own
 */
public record LiveCounts(
    int openings,
    int allocations,
    int pinned,
    int registered,
    int streams,
    int events,
    int modules,
    int graphs,
    int pools) {
  /** No resources. */
  public static final LiveCounts NONE = new LiveCounts(0, 0, 0, 0, 0, 0, 0, 0, 0);
}
