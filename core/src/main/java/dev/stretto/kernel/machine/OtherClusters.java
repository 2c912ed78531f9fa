package dev.stretto.kernel.machine;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a thread knows of other clusters of its launch: their threads' clocks, by the cluster's
 * number. Objects do not change; most threads know nothing, which is null.
 */
final class OtherClusters {
  private final Map<Long, int[]> clocks;

  private OtherClusters(Map<Long, int[]> clocks) {
    this.clocks = clocks;
  }

  /** What is known of one cluster. */
  static OtherClusters of(long cluster, int[] clock) {
    return new OtherClusters(Map.of(cluster, clock));
  }

  /** What either knows. */
  @SuppressWarnings("ReferenceEquality") // most often nothing is new
  static @Nullable OtherClusters joined(@Nullable OtherClusters a, @Nullable OtherClusters b) {
    if (b == null || a == b) {
      return a;
    }
    if (a == null) {
      return b;
    }
    Map<Long, int[]> joined = null;
    for (Map.Entry<Long, int[]> entry : b.clocks.entrySet()) {
      int[] before = a.clocks.get(entry.getKey());
      int[] now = joined(before, entry.getValue());
      if (isOther(now, before)) {
        if (joined == null) {
          joined = new HashMap<>(a.clocks);
        }
        joined.put(entry.getKey(), now);
      }
    }
    return joined == null ? a : new OtherClusters(joined);
  }

  private static int[] joined(int @Nullable [] a, int[] b) {
    if (a == null || !isOther(b, a)) {
      return b;
    }
    boolean isNew = false;
    for (int i = 0; i < b.length && !isNew; i++) {
      isNew = b[i] > LearningHistory.at(a, i);
    }
    if (!isNew) {
      return a;
    }
    int[] both = java.util.Arrays.copyOf(a, Math.max(a.length, b.length));
    for (int i = 0; i < b.length; i++) {
      both[i] = Math.max(both[i], b[i]);
    }
    return both;
  }

  /** What is known of a cluster; null if nothing is. */
  int @Nullable [] clock(long cluster) {
    return clocks.get(cluster);
  }

  boolean knows(long cluster, int rank, int number) {
    int[] clock = clocks.get(cluster);
    return clock != null && LearningHistory.at(clock, rank) >= number;
  }

  @SuppressWarnings("ReferenceEquality") // arrays are never changed
  private static boolean isOther(int[] now, int @Nullable [] before) {
    return now != before;
  }
}
