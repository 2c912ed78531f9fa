package dev.stretto.collective;

import dev.stretto.Event;
import dev.stretto.Stream;
import java.util.Optional;

/** The turn of a graph's launches among the operations of a communicator. */
interface Turns {
  /** {@return the communicator} */
  Object owner();

  /**
   * Begins the turn of a launch, behind everything before. Others wait until it {@link #end ends}.
   *
   * @throws RuntimeException if a rank has failed; then it does not begin
   */
  void begin(Stream stream);

  /**
   * Ends a turn.
   *
   * @param event the end of the launch, if it was enqueued
   */
  void end(Optional<Event> event);

  /** The operation's graphs are gone. */
  void released();
}
