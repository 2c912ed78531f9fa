package dev.stretto.route;

import java.util.concurrent.atomic.AtomicInteger;

/** Runs an action once it has been run a given number of times itself. */
final class Countdown implements Runnable {
  private final AtomicInteger remaining;
  private final Runnable action;

  Countdown(int times, Runnable action) {
    this.remaining = new AtomicInteger(times);
    this.action = action;
  }

  @Override
  public void run() {
    if (remaining.decrementAndGet() == 0) {
      action.run();
    }
  }
}
