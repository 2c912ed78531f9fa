package dev.stretto.kernel.machine;

/**
 * How much modelled time has passed for a thread since its block began, as far as the thread itself
 * lets it pass: by reading the time and by sleeping. What it computes takes no time here.
 *
 * <p>A thread that looks for what others do, and reads the time or sleeps between two looks, waits
 * for them. How often it looks depends on how fast the virtual device is, so that is no modelled
 * time: its timer goes on with the host's, so that a wait with a deadline ends.
 */
public final class ThreadTime {
  /** The cluster of a thread, in a launch. */
  interface Cluster {
    /** Notes that a thread of the cluster lets time pass. */
    void keepsTime();

    /** {@return when the launch begins at the earliest, in modelled nanoseconds} */
    long beginNanos();

    /** {@return how many thousand cycles the clock has in a second} */
    long clockKilohertz();
  }

  /**
   * Time from one reading of {@code %globaltimer} to the next in a loop: that of an H200 changes
   * every 32 ns.
   */
  private static final long TIMER_NANOS = 32;

  /** Time from one reading of {@code %clock64} to the next in a loop; some 40 cycles. */
  private static final long CLOCK_NANOS = 20;

  private final Cluster cluster;
  private long elapsedNanos;
  private long waitedNanos;
  private long lastLook;
  private boolean looked;

  ThreadTime(Cluster cluster) {
    this.cluster = cluster;
  }

  void begin() {
    elapsedNanos = 0;
    waitedNanos = 0;
    looked = false;
  }

  /** How much time has passed, without waits for others. */
  long elapsedNanos() {
    return elapsedNanos;
  }

  /** Lets time pass until others have come that far. */
  void atLeast(long nanos) {
    elapsedNanos = Math.max(elapsedNanos, nanos);
  }

  /** Notes that the thread looks for what others do. */
  void looks() {
    looked = true;
  }

  /** {@return the modelled time of the device in nanoseconds} */
  public long timer() {
    pass(TIMER_NANOS);
    return cluster.beginNanos() + elapsedNanos + waitedNanos;
  }

  /** {@return the cycles of the multiprocessor} */
  public long cycles() {
    pass(CLOCK_NANOS);
    long nanos = cluster.beginNanos() + elapsedNanos + waitedNanos;
    return Math.round(nanos * (cluster.clockKilohertz() / 1e6));
  }

  /** Sleeps. */
  void sleeps(long nanos) {
    if (!looked) {
      cluster.keepsTime();
      elapsedNanos += nanos;
    }
    looked = false;
  }

  private void pass(long nanos) {
    cluster.keepsTime();
    long now = looked ? System.nanoTime() : 0;
    if (!looked) {
      elapsedNanos += nanos;
    } else if (lastLook != 0) {
      waitedNanos += now - lastLook;
    }
    lastLook = now;
    looked = false;
  }
}
