package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The elements of global memory at which threads of an ordinary launch look again and again. Host
 * threads that run clusters of the launch share it.
 *
 * <p>A GPU lets blocks that have begun go on, but promises nothing about those that have not: they
 * may need the room of the one that waits for them. So each cluster has a number, in the order in
 * which they begin, and a thread that changes an element tells those that look there.
 */
final class LookedPlaces {
  /** A thread that looks at an element again and again. */
  interface Looking {
    /**
     * Called by the thread that changes what this one saw.
     *
     * @param cluster which cluster changes it
     * @param number the cluster's number in the order in which they begin
     * @param old what the element held before
     */
    void hasChanged(long cluster, long number, long old);
  }

  private final AtomicLong begun = new AtomicLong();
  private final Map<Long, List<Looking>> looking = new ConcurrentHashMap<>();

  /** {@return the number of a cluster that begins now} */
  long begins() {
    return begun.incrementAndGet();
  }

  /** The number of the cluster that began last. */
  long begun() {
    return begun.get();
  }

  /** Notes that a thread looks at an element again. */
  void looks(long place, Looking thread) {
    looking.compute(
        place,
        (_, before) -> {
          List<Looking> all = before == null ? new ArrayList<>() : before;
          all.add(thread);
          return all;
        });
  }

  /** Notes that a thread does something else now. */
  void forget(long place, Looking thread) {
    looking.computeIfPresent(
        place,
        (_, all) -> {
          all.removeIf(one -> one.equals(thread));
          return all.isEmpty() ? null : all;
        });
  }

  /**
   * Notes that an element changes.
   *
   * @param cluster which cluster changes it
   * @param number the cluster's number in the order in which they begin
   * @param old what the element held before
   */
  void changes(long place, long cluster, long number, long old) {
    if (!looking.isEmpty() && looking.containsKey(place)) {
      looking.computeIfPresent(
          place,
          (_, all) -> {
            all.forEach(thread -> thread.hasChanged(cluster, number, old));
            return null;
          });
    }
  }
}
