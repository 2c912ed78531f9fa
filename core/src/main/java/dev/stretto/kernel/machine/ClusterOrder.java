package dev.stretto.kernel.machine;

import java.util.SplittableRandom;

/**
 * The order in which clusters begin. A device promises none.
 *
 * @param first the lowest number of a cluster
 * @param among the number of clusters that the order goes round
 * @param start the cluster that begins first, counted from {@code first}; the last cluster is
 *     followed by the first
 * @param backwards whether the order goes down rather than up
 * @param from the number of clusters to skip at the beginning of the order
 * @param count the number of clusters that begin
 */
public record ClusterOrder(
    long first, long among, long start, boolean backwards, long from, long count) {
  /** Clusters in ascending order. */
  public static ClusterOrder of(long first, long last) {
    return new ClusterOrder(first, last - first, 0, false, 0, last - first);
  }

  /** Clusters in ascending order, but the last one first: it may take longer than others. */
  public static ClusterOrder lastFirst(long count) {
    return new ClusterOrder(0, count, count - 1, false, 0, count);
  }

  static ClusterOrder only(long number) {
    return of(number, number + 1);
  }

  /** A seed picks the first cluster and the direction; neighbours stay neighbours. */
  public static ClusterOrder seeded(long first, long last, SplittableRandom random) {
    long among = last - first;
    return new ClusterOrder(first, among, random.nextLong(among), random.nextBoolean(), 0, among);
  }

  /** The number of the nth cluster that begins. */
  public long of(long nth) {
    return first + Math.floorMod(backwards ? start - from - nth : start + from + nth, among);
  }

  /** How many clusters begin before this one. */
  public long position(long cluster) {
    long number = cluster - first;
    return Math.floorMod(backwards ? start - from - number : number - start - from, among);
  }

  /** The beginning of this order: at most {@code most} clusters. */
  public ClusterOrder head(long most) {
    return new ClusterOrder(first, among, start, backwards, from, Math.min(most, count));
  }

  /** The rest of this order, after {@code head}. */
  public ClusterOrder behind(ClusterOrder head) {
    return new ClusterOrder(first, among, start, backwards, from + head.count, count - head.count);
  }
}
