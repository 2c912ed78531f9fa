package dev.stretto.flow;

import dev.stretto.driver.HostClock;

/**
 * The time since a flow began, as one of its devices sees it. Where all devices are virtual it is
 * modelled, and the flow begins at the same time for all of them, though the clocks of two drivers
 * know nothing of each other; otherwise it is the time that passes.
 */
final class FlowClock {
  private final HostClock host;
  private final boolean modelled;
  private final long hostBegin;
  private final long wallBegin = System.nanoTime();

  /**
   * Begins.
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

  /** {@return nanoseconds since the flow began, by which devices are compared} */
  long now() {
    return modelled ? hostNanos() : System.nanoTime() - wallBegin;
  }

  /** {@return modelled nanoseconds of the calling thread since the flow began; 0 on a GPU} */
  long hostNanos() {
    return host.now() - hostBegin;
  }

  /** Moves the calling thread's modelled time forward to this, never backwards. */
  void atLeast(long hostNanos) {
    host.atLeast(hostBegin + hostNanos);
  }

  /**
   * Does what begins at a modelled time, whatever the time of the calling thread is: it may come
   * from another device, whose clock is another.
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
