package dev.stretto.observe;

import dev.stretto.route.OpenStream;

/** An operation that is being enqueued, as a {@link Listener} hears of it. */
public interface Begun {
  /** {@return who listens} */
  Listener listener();

  /**
   * Called directly after the operation was enqueued, so that a mark can come directly behind it.
   * Locks may be held. Throws nothing: the operation is enqueued, and its caller has done nothing
   * wrong.
   */
  void end(OpenStream stream);

  /**
   * Called when the thread holds no lock.
   *
   * @param stream the stream of the operation
   * @param work the operation
   * @param hostNanos the time of the enqueue, by {@link System#nanoTime()}
   */
  void report(OpenStream stream, Work work, long hostNanos);

  /** Called instead if the operation was refused, or nobody listens any more. */
  void letGo();
}
