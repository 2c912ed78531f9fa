package dev.stretto.route;

/**
 * A callback that is a step of Stretto's own and calls the program: its sources, sinks and stages.
 * Those may wait for somebody outside, a peer behind a pipe or a subscriber, for as long as they
 * like. So a step runs on a thread of its own on every device. On a seeded one, where other
 * callbacks run on the thread that waits, it would otherwise hold up whatever that thread awaits.
 */
public interface HostStep extends Runnable {
  /** {@return what to write instead of awaiting the stream that the step is on, as a clause} */
  String advice();
}
