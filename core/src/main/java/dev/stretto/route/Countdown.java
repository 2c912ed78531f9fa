package dev.stretto.route;

import java.util.concurrent.atomic.AtomicInteger;

/** Runs an action once a number of things have happened. */
final class Countdown {
  private final AtomicInteger remaining;
  private final Runnable action;

  Countdown(int things, Runnable action) {
    this.remaining = new AtomicInteger(things);
    this.action = action;
  }

  void down() {
    if (remaining.decrementAndGet() == 0) {
      action.run();
    }
  }
}
