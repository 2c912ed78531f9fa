package dev.stretto.flow;

/** Whether a flow is paused, and for how long it was. Guarded by the flow's lock. */
final class Pauses {
  private boolean isPaused;
  private long begin;
  private long before;

  boolean isPaused() {
    return isPaused;
  }

  /** {@return whether that was different before} */
  boolean set(boolean paused) {
    if (paused == isPaused) {
      return false;
    }
    before = nanos();
    isPaused = paused;
    begin = System.nanoTime();
    return true;
  }

  /** {@return how long the flow was paused} */
  long nanos() {
    return before + (isPaused ? System.nanoTime() - begin : 0);
  }
}
