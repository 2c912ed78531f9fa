package dev.stretto.driver.virtual;

import org.jspecify.annotations.Nullable;

/** Decides which of the things that can happen happens next. Guarded by the platform's lock. */
interface Chooser {
  /** The choice that the program goes on. */
  int PROGRAM = -1;

  /**
   * {@return the index of what happens next, or {@link #PROGRAM}} It may be the index of something
   * that is over: the caller drops that and asks again.
   *
   * @param ready what can happen, at least one thing
   * @param within the operation whose enqueuing this is, so that the program may go on instead; or
   *     null, and the program waits
   */
  int choose(Ready ready, @Nullable OpName within);

  /** {@return how often something else than what was asked for happened; 0 unless it replays} */
  default int misfits() {
    return 0;
  }
}
