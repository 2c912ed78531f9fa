package dev.stretto.kernel.machine;

import org.jspecify.annotations.Nullable;

/**
 * A kernel as a class whose threads go on from one point to the next. The class is written by the
 * compiler.
 */
public abstract class SteppedKernel {
  /** The point of a thread that has returned. */
  static final int RETURNED = 1 << 20;

  /** The result of a step after which threads are at several points. */
  static final int MIXED = -1;

  protected SteppedKernel() {}

  /**
   * Lets threads go on from a point, each until it has to wait or returns.
   *
   * @param point the point at which all of them are
   * @param block their block
   * @param order the threads' ranks, in the order in which they go on; null if they go on by rank
   * @param from the first of those
   * @param to one behind the last
   * @return the point at which all of them are now; or {@link #MIXED}, and each thread's point is
   *     set in the block
   */
  public abstract int step(int point, SteppedBlock block, int @Nullable [] order, int from, int to);

  /**
   * Lets a thread meet others before it goes on from a point.
   *
   * @param thread its rank
   */
  public abstract void meet(int point, SteppedBlock block, int thread);
}
