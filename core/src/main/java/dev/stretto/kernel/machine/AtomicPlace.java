package dev.stretto.kernel.machine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What threads have made known through atomic operations on one element. Host threads that run
 * other clusters may use it at the same time.
 */
final class AtomicPlace {
  private final Map<Long, Known> byCluster = new HashMap<>();
  private @Nullable OtherClusters wide;

  /** A store that makes known what its thread has done; what others made known before is gone. */
  synchronized void release(long cluster, Known known, boolean isWide) {
    byCluster.clear();
    wide = null;
    join(cluster, known, false);
    if (isWide) {
      join(cluster, known, true);
    }
  }

  /** An operation that makes known what a thread had done, beside what others made known. */
  synchronized void join(long cluster, Known known, boolean isWide) {
    if (isWide) {
      OtherClusters own = OtherClusters.of(cluster, known.shared());
      wide = OtherClusters.joined(OtherClusters.joined(wide, own), known.others());
    } else {
      byCluster.computeIfAbsent(cluster, _ -> new Known()).add(known);
    }
  }

  /** What threads of a cluster have made known to each other; null if nothing. */
  synchronized @Nullable Known known(long cluster) {
    Known known = byCluster.get(cluster);
    return known == null ? null : known.now();
  }

  /** What threads have made known to all threads of the device; null if nothing. */
  synchronized @Nullable OtherClusters known() {
    return wide;
  }
}
