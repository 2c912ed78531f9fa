package dev.stretto.route;

import org.jspecify.annotations.Nullable;

/** The outcome of a copy that consists of several driver operations. */
public interface Outcome {
  /** {@return why the copy failed, or null} */
  @Nullable RuntimeException failure();

  /**
   * {@return how long host threads have moved its bytes so far, added over all of them; 0 if they
   * do not}
   */
  default long hostNanos() {
    return 0;
  }

  /**
   * {@return the stream on which the last byte arrives, or null if that is the program's stream} If
   * the program's stream is the sender, an event reports the arrival to it, so this stream knows it
   * sooner.
   */
  default @Nullable StreamQueue arrivalQueue() {
    return null;
  }

  /** {@return the copy's number on that stream} */
  default long arrivalSequence() {
    return 0;
  }
}
