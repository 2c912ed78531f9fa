package dev.stretto.route;

import dev.stretto.settings.Settings;

/**
 * For how long threads that report completions stay awake after the last: to wake takes a thread
 * longer than most of what others wait for, and a sleep of some microseconds takes as long. They
 * keep a core each busy meanwhile, for a while only, as a thread does that spins in {@code
 * cuEventSynchronize}.
 */
final class Awake {
  /** For how long, 0 for not at all. */
  static final long NANOS = Settings.AWAKE_NANOS.value();

  private Awake() {}
}
