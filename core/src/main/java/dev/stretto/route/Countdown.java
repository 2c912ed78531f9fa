package dev.stretto.route;

import java.util.concurrent.atomic.AtomicInteger;

/** Runs an action once it has itself been run a number of times. */
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
