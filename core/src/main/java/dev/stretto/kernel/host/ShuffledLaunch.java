package dev.stretto.kernel.host;

import dev.stretto.driver.KernelTwin;
import dev.stretto.kernel.machine.ClusterOrder;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Queue;
import java.util.function.LongConsumer;

/**
 * A launch whose threads neither wait for each other nor communicate. A seed has picked the order
 * of the first ones; the other clusters follow in pieces. If a thread fails, those of lower ranks
 * that have not run do so in the order of their ranks, so that the report names the first thread
 * that fails, whatever the seed. None runs twice: it would read what it has written.
 */
final class ShuffledLaunch implements KernelTwin.Run {
  /** The first clusters of a launch. */
  interface First extends KernelTwin.Run {
    /**
     * Runs the threads of lower ranks than the one that has failed, in their order, if they have
     * not run.
     *
     * @param others runs a cluster that is none of these
     */
    void runEarlierOnes(LongConsumer others);
  }

  private final First first;
  private final long firstOnes;
  private final Queue<ClusterOrder> rest;
  private final ClusterOrder order;
  private final LongConsumer plain;
  private boolean isFirstOver;
  private long begun;

  /**
   * Creates a launch.
   *
   * @param first the first clusters
   * @param firstOnes how many these are
   * @param order the order of all clusters, those of {@code first} before the others
   * @param plain runs a cluster thread by thread
   */
  ShuffledLaunch(
      First first,
      long firstOnes,
      Collection<ClusterOrder> rest,
      ClusterOrder order,
      LongConsumer plain) {
    this.first = first;
    this.firstOnes = firstOnes;
    this.rest = new ArrayDeque<>(rest);
    this.order = order;
    this.plain = plain;
  }

  @Override
  public Progress advance() {
    try {
      return advanceAPiece();
    } catch (IllegalStateException e) {
      runEarlierOnes();
      throw e;
    }
  }

  private Progress advanceAPiece() {
    if (!isFirstOver) {
      Progress progress = first.advance();
      if (progress != Progress.OVER) {
        return progress;
      }
      isFirstOver = true;
      begun = firstOnes;
    }
    ClusterOrder piece = rest.poll();
    if (piece != null) {
      for (long nth = 0; nth < piece.count(); nth++) {
        begun++;
        plain.accept(piece.of(nth));
      }
    }
    return rest.isEmpty() ? Progress.OVER : Progress.GOES_ON;
  }

  private void runEarlierOnes() {
    if (!isFirstOver) {
      first.runEarlierOnes(plain);
      return;
    }
    long failed = order.of(begun - 1);
    for (long cluster = 0; cluster < failed; cluster++) {
      if (order.position(cluster) >= begun) {
        plain.accept(cluster);
      }
    }
  }

  @Override
  public void abandon() {
    first.abandon();
  }

  @Override
  public String waitsFor() {
    return first.waitsFor();
  }
}
