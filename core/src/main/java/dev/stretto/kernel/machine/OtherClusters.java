package dev.stretto.kernel.machine;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a thread knows of other clusters of its launch: their threads' clocks, by the cluster's
 * number. Objects do not change; most threads know nothing, which is null.
 *
 * <p>The clocks are the leaves of a tree. What two threads know shares the branches that are the
 * same: in a launch whose clusters each wait for the one before, the last of many thousands knows
 * all others, and each of them knows nearly as many.
 */
final class OtherClusters {
  private static final int BITS = 4;
  private static final int WIDTH = 1 << BITS;

  /** The branches: arrays of branches, or of clocks at level 0. */
  private final @Nullable Object[] root;

  private final int level;

  private OtherClusters(@Nullable Object[] root, int level) {
    this.root = root;
    this.level = level;
  }

  /** What is known of one cluster. */
  static OtherClusters of(long cluster, int[] clock) {
    int level = 0;
    Object branch = clock;
    long number = cluster;
    while (true) {
      @Nullable Object[] node = new Object[WIDTH];
      node[(int) number & (WIDTH - 1)] = branch;
      number >>>= BITS;
      if (number == 0) {
        return new OtherClusters(node, level);
      }
      branch = node;
      level++;
    }
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
    OtherClusters high = a.level >= b.level ? a : b;
    OtherClusters low = a.level >= b.level ? b : a;
    @Nullable Object[] both = joined(high.root, high.level, low.root, low.level);
    return both == high.root
        ? high
        : both == low.root && high.level == low.level ? low : new OtherClusters(both, high.level);
  }

  /** What a branch knows, and one of as many levels or fewer that belongs at its beginning. */
  @SuppressWarnings("ReferenceEquality") // most often nothing is new
  private static @Nullable Object[] joined(
      @Nullable Object[] high, int level, @Nullable Object[] low, int lowLevel) {
    if (level == lowLevel) {
      return joined(high, low, level);
    }
    Object first = high[0];
    @Nullable Object[] both =
        first == null
            ? raised(low, lowLevel, level - 1)
            : joined((Object[]) first, level - 1, low, lowLevel);
    if (both == first) {
      return high;
    }
    @Nullable Object[] copy = high.clone();
    copy[0] = both;
    return copy;
  }

  /** The same as a branch of more levels. */
  private static @Nullable Object[] raised(@Nullable Object[] low, int from, int to) {
    @Nullable Object[] node = low;
    for (int i = from; i < to; i++) {
      @Nullable Object[] above = new Object[WIDTH];
      above[0] = node;
      node = above;
    }
    return node;
  }

  /** One of the two branches if it has all. */
  @SuppressWarnings("ReferenceEquality") // what is shared is not looked at
  private static @Nullable Object[] joined(@Nullable Object[] a, @Nullable Object[] b, int level) {
    if (a == b) {
      return a;
    }
    @Nullable Object[] both = new Object[WIDTH];
    boolean isA = true;
    boolean isB = true;
    for (int i = 0; i < WIDTH; i++) {
      Object mine = a[i];
      Object theirs = b[i];
      Object joined =
          theirs == null || mine == theirs
              ? mine
              : mine == null
                  ? theirs
                  : level == 0
                      ? joined((int[]) mine, (int[]) theirs)
                      : joined((Object[]) mine, (Object[]) theirs, level - 1);
      isA &= joined == mine;
      isB &= joined == theirs;
      both[i] = joined;
    }
    return isA ? a : isB ? b : both;
  }

  private static int[] joined(int[] a, int[] b) {
    boolean isA = true;
    boolean isB = true;
    for (int i = 0; i < Math.max(a.length, b.length); i++) {
      int mine = LearningHistory.at(a, i);
      int theirs = LearningHistory.at(b, i);
      isA &= mine >= theirs;
      isB &= theirs >= mine;
    }
    if (isA || isB) {
      return isA ? a : b;
    }
    int[] both = Arrays.copyOf(a, Math.max(a.length, b.length));
    for (int i = 0; i < b.length; i++) {
      both[i] = Math.max(both[i], b[i]);
    }
    return both;
  }

  /** What is known of a cluster; null if nothing is. */
  int @Nullable [] clock(long cluster) {
    int bits = BITS * (level + 1);
    if (bits < Long.SIZE && cluster >>> bits != 0) {
      return null;
    }
    Object branch = root;
    for (int i = level; i >= 0 && branch != null; i--) {
      branch = ((Object[]) branch)[(int) (cluster >>> (BITS * i)) & (WIDTH - 1)];
    }
    return (int[]) branch;
  }

  boolean knows(long cluster, int rank, int number) {
    int[] clock = clock(cluster);
    return clock != null && LearningHistory.at(clock, rank) >= number;
  }
}
