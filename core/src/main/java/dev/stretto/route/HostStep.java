package dev.stretto.route;

/**
 * A callback of Stretto itself that calls the program's sources, sinks and stages. These may wait
 * for something outside, such as the other end of a pipe or a subscriber, for any length of time.
 * So a step runs on a thread of its own on every device. On a seeded device, other callbacks run on
 * the thread that waits, and a step there would block that thread.
 */
public interface HostStep extends Runnable {
  /** {@return what to write instead of awaiting the step's own stream, as a clause} */
  String advice();

  /**
   * {@return whether the step brings data that later operations use} Then its failure is that of a
   * copy: the next await on the stream reports it. Otherwise it is that of a callback, which only
   * its own event and the stream report.
   */
  default boolean bringsData() {
    return false;
  }
}
