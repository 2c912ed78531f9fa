package dev.stretto.observe;

import dev.stretto.route.OpenStream;
import dev.stretto.route.TimedMark;

/** Receives every operation of a device's streams and passes it on to an observer. */
public interface Listener {
  /**
   * Called when an operation was enqueued.
   *
   * @param stream the stream of the operation
   * @param work the operation
   * @param begin reached when all earlier operations are done; the listener closes it
   * @param end reached when the operation is done; the listener closes it
   * @param hostNanos the time of the enqueue, by {@link System#nanoTime()}
   */
  void enqueued(OpenStream stream, Work work, TimedMark begin, TimedMark end, long hostNanos);

  /**
   * Called when an operation was enqueued but its end could not be marked.
   *
   * @param stream the stream of the operation
   * @param work the operation
   * @param cause the exception that refused the mark
   */
  void missed(OpenStream stream, Work work, RuntimeException cause);

  /** {@return whether it wants to know when the nodes of a graph that is launched now ran} */
  boolean looksInsideGraphs();

  /** Called when a thread of the host has read or written bytes for copies. */
  void worked(HostTask task);

  /** {@return the program's observer, for messages} */
  @Override
  String toString();
}
