package dev.stretto.route;

import org.jspecify.annotations.Nullable;

/** What came of a copy that more than one operation of a driver's makes. */
public interface Outcome {
  /** {@return why the copy failed, or null} */
  @Nullable RuntimeException failure();
}
