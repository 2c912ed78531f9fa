package dev.stretto.driver.virtual;

import java.util.Arrays;

/** For how long the clusters of a launch have waited by the timer. */
final class LaunchWaits {
  /** For so many clusters it is kept by itself; further ones count as if these repeated. */
  private static final int MOST = 1 << 12;

  private static final long[] NONE = {};

  private final long clusters;
  private long[] nanos = NONE;

  LaunchWaits(long clusters) {
    this.clusters = clusters;
  }

  /** Notes that a cluster has waited; called by any thread. */
  synchronized void add(long cluster, long waited) {
    if (waited == 0) {
      return;
    }
    if (nanos.length == 0) {
      nanos = new long[(int) Math.min(MOST, clusters)];
    }
    int at = (int) (cluster % nanos.length);
    nanos[at] = Math.max(nanos[at], waited);
  }

  /** {@return the longest wait} */
  synchronized long longest() {
    return Arrays.stream(nanos).max().orElse(0);
  }

  /** {@return the waits by the clusters' numbers; nothing if there were none} */
  synchronized long[] byCluster() {
    return Arrays.copyOf(nanos, nanos.length);
  }
}
