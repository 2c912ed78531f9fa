package dev.stretto.flow;

import dev.stretto.driver.HostClock;

/**
 * The time since a flow began, as one of its devices sees it. If all devices are virtual, the time
 * is modelled, and the flow begins at the same time for all of them, although the clocks of two
 * drivers are independent; otherwise it is real time.
 */
final class FlowClock {
  private final HostClock host;
  private final boolean modelled;
  private final long hostBegin;
  private final long wallBegin = System.nanoTime();

  /**
   * Starts a clock.
   *
   * @param modelled whether the time of all the flow's devices is modelled
   */
  FlowClock(HostClock host, boolean modelled) {
    this.host = host;
    this.modelled = modelled;
    this.hostBegin = host.now();
  }

  HostClock host() {
    return host;
  }

  boolean isModelled() {
    return modelled;
  }

  /** {@return nanoseconds since the flow began, to compare devices by} */
  long now() {
    return modelled ? hostNanos() : System.nanoTime() - wallBegin;
  }

  /** {@return modelled nanoseconds of the calling thread since the flow began; 0 on a GPU} */
  long hostNanos() {
    return host.now() - hostBegin;
  }

  /**
   * {@return a time of {@link #now()} as observers of the device count it; -1 if they count
   * modelled time, and the flow does not}
   */
  long observed(long nanos) {
    if (modelled) {
      return hostBegin + nanos;
    }
    return host.isModelled() ? -1 : wallBegin + nanos;
  }

  /** Moves the calling thread's modelled time forward to this, never backwards. */
  void atLeast(long hostNanos) {
    host.atLeast(hostBegin + hostNanos);
  }

  /**
   * Runs an action that begins at a modelled time, whatever the calling thread's time is: that time
   * may come from another device, with another clock.
   */
  void from(long hostNanos, Runnable body) {
    if (!host.isModelled()) {
      body.run();
      return;
    }
    long own = host.now();
    host.set(hostBegin + hostNanos);
    try {
      body.run();
    } finally {
      host.set(own);
    }
  }
}
