package dev.stretto.observe;

import dev.stretto.route.Loss;
import dev.stretto.route.OpenStream;
import dev.stretto.route.ProgramLog;
import dev.stretto.route.TimedMark;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The mark after an operation that was enqueued. If it cannot be recorded, the operation continues
 * without it: the caller has done nothing wrong.
 *
 * @param event the mark, or null if it was refused
 * @param cause the exception that refused the mark, or null
 */
record ObservedEnd(@Nullable TimedMark event, @Nullable RuntimeException cause) {
  /** {@return the mark} */
  static ObservedEnd record(OpenStream stream) {
    try {
      return new ObservedEnd(stream.recordTimed(), null);
    } catch (RuntimeException e) {
      Loss.kept(e); // the operation was enqueued, so its caller gets no exception
      ProgramLog.warn("the times of an operation of " + stream + " are unknown", e);
      return new ObservedEnd(null, e);
    }
  }

  RuntimeException refusal() {
    return Objects.requireNonNull(cause, "the event was recorded");
  }

  void close() {
    if (event != null) {
      event.close();
    }
  }
}
