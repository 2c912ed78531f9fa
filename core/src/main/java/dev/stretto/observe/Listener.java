package dev.stretto.observe;

import dev.stretto.route.OpenStream;
import dev.stretto.route.StreamQueue;

/** Hears of every operation of a device's streams. */
public interface Listener {
  /**
   * Called before an operation is enqueued.
   *
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   */
  Begun begin(OpenStream stream);

  /** {@return whether it wants to know when the nodes of a graph that is launched now ran} */
  boolean looksInsideGraphs();

  /** {@return whether it wants to know the line of the program that enqueues an operation} */
  default boolean wantsLines() {
    return false;
  }

  /** Called when a thread of the host has read or written bytes for copies. */
  void worked(HostTask task);

  /** Called when a call of the program has ended. Locks may be held. */
  default void called(HostCall call) {}

  /**
   * Called before a stream waits for another one.
   *
   * @param queue the stream that waits
   * @param other the stream that is awaited
   * @param point the number of the last operation that is awaited
   */
  default void waiting(StreamQueue queue, StreamQueue other, long point) {}

  /** Called before the device is closed, if it was traced until then. */
  default void deviceCloses() {}

  /** {@return the program's observer, for messages} */
  @Override
  String toString();
}
