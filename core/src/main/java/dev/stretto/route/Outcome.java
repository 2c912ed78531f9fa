package dev.stretto.route;

import org.jspecify.annotations.Nullable;

/** What came of a copy that more than one operation of a driver's makes. */
public interface Outcome {
  /** {@return why the copy failed, or null} */
  @Nullable RuntimeException failure();

  /**
   * {@return the stream on which the last byte arrives, or null if that is the program's} That it
   * has is known there sooner than on the program's stream, which is told by an event if it sends.
   */
  default @Nullable StreamQueue arrivalQueue() {
    return null;
  }

  /** {@return the copy's number on that stream} */
  default long arrivalSequence() {
    return 0;
  }
}
