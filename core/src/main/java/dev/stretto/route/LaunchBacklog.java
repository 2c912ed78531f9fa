package dev.stretto.route;

/**
 * How many operations of each stream the driver gets before more are held back. All streams of a
 * device share the driver's queue, and the driver blocks its caller if that queue is full. Guarded
 * by the driver's lock.
 */
final class LaunchBacklog {
  /**
   * How many copies a driver takes, over all streams of a device, before it blocks its caller,
   * minus a reserve (H200: 4,080).
   */
  private static final int DRIVER_QUEUE = 3600;

  private static final int DRIVER_QUEUE_OF_STREAM = 900;
  private static final int LEAST_UNMARKED = 32;
  private static final int MOST_UNMARKED = 128;

  private int most = DRIVER_QUEUE_OF_STREAM;
  private int mostUnmarked = MOST_UNMARKED;

  LaunchBacklog() {}

  /** Sets how many streams share the driver's queue. */
  void share(int streams) {
    most = Math.min(DRIVER_QUEUE_OF_STREAM, DRIVER_QUEUE / Math.max(1, streams));
    mostUnmarked = Math.clamp(most / 4, LEAST_UNMARKED, MOST_UNMARKED);
  }

  /** {@return how many operations of one stream may be in flight before more are held back} */
  int most() {
    return most;
  }

  /**
   * {@return how many operations of a stream in a row may go unmarked} Marks show how long the
   * backlog is, but each takes as long as a small copy.
   */
  int mostUnmarked() {
    return mostUnmarked;
  }
}
