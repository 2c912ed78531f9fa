package dev.stretto.route;

/**
 * How many operations a driver is given of each stream of a device before more are held back: it
 * blocks its caller where its queue is full, which all streams share. Guarded by the driver's lock.
 */
final class LaunchBacklog {
  /**
   * Copies that a driver takes, over all streams of a device, before it blocks its caller, with
   * some to spare (H200: 4,080).
   */
  private static final int DRIVER_QUEUE = 3600;

  private static final int DRIVER_QUEUE_OF_STREAM = 900;
  private static final int LEAST_UNMARKED = 32;
  private static final int MOST_UNMARKED = 128;

  private int most = DRIVER_QUEUE_OF_STREAM;
  private int mostUnmarked = MOST_UNMARKED;

  LaunchBacklog() {}

  /** So many streams share the driver's queue. */
  void share(int streams) {
    most = Math.min(DRIVER_QUEUE_OF_STREAM, DRIVER_QUEUE / Math.max(1, streams));
    mostUnmarked = Math.clamp(most / 4, LEAST_UNMARKED, MOST_UNMARKED);
  }

  /** {@return how many operations of one stream may be in flight before more are held back} */
  int most() {
    return most;
  }

  /**
   * {@return how many operations of a stream in a row may go unmarked, so that its backlog can be
   * measured} A mark takes as long as a small copy.
   */
  int mostUnmarked() {
    return mostUnmarked;
  }
}
