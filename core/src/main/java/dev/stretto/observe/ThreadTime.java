package dev.stretto.observe;

import dev.stretto.driver.HostClock;
import dev.stretto.route.DeviceRuntime;

/** The time by which a diagnosis tells how long a thread was held up. */
final class ThreadTime {
  private ThreadTime() {}

  /**
   * {@return the calling thread's time; of the model, if time is modelled: the same on every run}
   */
  static long nanos(DeviceRuntime engine) {
    HostClock clock = engine.driver().clock();
    return clock.isModelled() ? clock.now() : System.nanoTime();
  }
}
