package dev.stretto.route;

import org.jspecify.annotations.Nullable;

/** What another process records, as those see it who have waited for it. */
interface Recorded {
  /** {@return why a wait for a recording has ended too early, or null if it has not} */
  @Nullable RuntimeException failure(long number);

  /** {@return whether a recording has happened, which nothing can change any more} */
  boolean hasHappened(long number);
}
