package dev.stretto.kernel.machine;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Hands out the clusters of a launch in the order in which they begin. Several host threads may
 * work on a launch, and each takes the next cluster when it has room for one. So clusters that look
 * for what those before them do seldom wait for one that has not begun.
 */
public final class ClusterQueue {
  private final ClusterOrder order;
  private final AtomicLong taken = new AtomicLong();
  private final LookedPlaces looked = new LookedPlaces();
  private volatile @Nullable Throwable failure;

  /** Creates a queue of all clusters of an order. */
  public ClusterQueue(ClusterOrder order) {
    this.order = order;
  }

  /** {@return how many were taken before the one that this takes, or -1 if none is left} */
  long take() {
    if (left() == 0) {
      return -1;
    }
    long nth = taken.getAndIncrement();
    return nth < order.count() ? nth : -1;
  }

  /** {@return the number of the cluster that was taken as the nth} */
  long number(long nth) {
    return order.of(nth);
  }

  /** Where threads of the launch look again and again. */
  LookedPlaces looked() {
    return looked;
  }

  /** {@return how many are left} */
  long left() {
    return Math.max(0, order.count() - taken.get());
  }

  /**
   * Hands out none any more, since the launch has failed. What other host threads run may wait for
   * what failed.
   */
  public void close(Throwable why) {
    taken.set(order.count());
    failure = why;
  }

  /** What the launch has failed with on some host thread; null if it has not. */
  @Nullable Throwable failure() {
    return failure;
  }
}
