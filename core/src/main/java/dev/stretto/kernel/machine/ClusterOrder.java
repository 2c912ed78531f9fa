package dev.stretto.kernel.machine;

import java.util.SplittableRandom;

/**
 * In which order clusters begin: a device promises none.
 *
 * @param first the least of their numbers
 * @param among how many there are
 * @param start which of them begins first, and after the last comes the first
 * @param backwards whether the one before comes next, rather than the one behind
 * @param from how many are left out at the beginning of the order
 * @param count how many begin
 */
public record ClusterOrder(
    long first, long among, long start, boolean backwards, long from, long count) {
  /** One after the other. */
  public static ClusterOrder of(long first, long last) {
    return new ClusterOrder(first, last - first, 0, false, 0, last - first);
  }

  static ClusterOrder only(long number) {
    return of(number, number + 1);
  }

  /** From one that a seed picks, in a direction that it picks; neighbours stay neighbours. */
  public static ClusterOrder seeded(long first, long last, SplittableRandom random) {
    long among = last - first;
    return new ClusterOrder(first, among, random.nextLong(among), random.nextBoolean(), 0, among);
  }

  /** The number of the nth. */
  public long of(long nth) {
    return first + Math.floorMod(backwards ? start - from - nth : start + from + nth, among);
  }

  /** The first of them. */
  public ClusterOrder head(long most) {
    return new ClusterOrder(first, among, start, backwards, from, Math.min(most, count));
  }

  /** The others. */
  public ClusterOrder behind(ClusterOrder head) {
    return new ClusterOrder(first, among, start, backwards, from + head.count, count - head.count);
  }
}
