package dev.stretto.kernel.host;

import dev.stretto.driver.KernelTwin;
import dev.stretto.kernel.machine.ClusterOrder;
import dev.stretto.kernel.machine.KernelFaults;
import dev.stretto.kernel.machine.LaunchExtents;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.function.LongConsumer;

/**
 * Runs the threads of some clusters, which do not wait for each other, in an order that a seed
 * picks.
 */
final class ShuffledThreads implements ShuffledLaunch.First {
  private static final int MOST_PIECES = 3;

  private final KernelFaults faults;
  private final LaunchExtents extents;
  private final TightLoop loop;
  private final Object[] arguments;
  private final ClusterOrder order;
  private final SplittableRandom random;
  private int[] shuffled = {};
  private int next;

  /** How many more pieces there may be behind the next one. */
  private int left;

  ShuffledThreads(
      KernelFaults faults,
      LaunchExtents extents,
      TightLoop loop,
      Object[] arguments,
      ClusterOrder order,
      SplittableRandom random) {
    this.faults = faults;
    this.extents = extents;
    this.loop = loop;
    this.arguments = arguments;
    this.order = order;
    this.random = random;
  }

  /**
   * {@return an order in as many pieces as the seed picks} Other operations happen between them.
   */
  static List<ClusterOrder> pieces(ClusterOrder order, SplittableRandom random) {
    List<ClusterOrder> pieces = new ArrayList<>();
    ClusterOrder rest = order;
    for (int left = random.nextInt(MOST_PIECES); left > 0 && rest.count() > 1; left--) {
      ClusterOrder head = rest.head(1 + random.nextLong(rest.count() - 1));
      pieces.add(head);
      rest = rest.behind(head);
    }
    pieces.add(rest);
    return pieces;
  }

  /** A launch whose first part runs a while at a time, and whose rest follows in pieces. */
  static final class Before implements KernelTwin.Run {
    private final KernelTwin.Run first;
    private final Queue<Runnable> rest;
    private boolean isFirstOver;

    Before(KernelTwin.Run first, List<Runnable> rest) {
      this.first = first;
      this.rest = new ArrayDeque<>(rest);
    }

    @Override
    public Progress advance() {
      if (!isFirstOver) {
        Progress progress = first.advance();
        if (progress != Progress.OVER) {
          return progress;
        }
        isFirstOver = true;
      }
      Runnable piece = rest.poll();
      if (piece != null) {
        piece.run();
      }
      return rest.isEmpty() ? Progress.OVER : Progress.GOES_ON;
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

  @Override
  public Progress advance() {
    int each = extents.threadsPerBlock() * extents.blocksPerCluster();
    if (next == 0) {
      shuffled = shuffled((int) order.count() * each);
      left = random.nextInt(MOST_PIECES);
    }
    for (int end = end(); next < end; next++) {
      run(order.of(shuffled[next] / each), shuffled[next] % each);
    }
    return next < shuffled.length ? Progress.GOES_ON : Progress.OVER;
  }

  @Override
  public void runEarlierOnes(LongConsumer others) {
    int each = extents.threadsPerBlock() * extents.blocksPerCluster();
    BitSet ran = new BitSet();
    for (int i = 0; i < next; i++) {
      ran.set(shuffled[i]);
    }
    long failed = order.of(shuffled[next] / each);
    for (long cluster = 0; cluster <= failed; cluster++) {
      if (order.position(cluster) >= order.count()) {
        others.accept(cluster);
        continue;
      }
      int first = (int) order.position(cluster) * each;
      int end = cluster == failed ? shuffled[next] % each : each;
      for (int thread = 0; thread < end; thread++) {
        if (!ran.get(first + thread)) {
          run(cluster, thread);
        }
      }
    }
  }

  /** The end of the next piece: other operations happen behind it. */
  private int end() {
    int rest = shuffled.length - next;
    return left-- > 0 && rest > 1 ? next + 1 + random.nextInt(rest - 1) : shuffled.length;
  }

  private int[] shuffled(int count) {
    int[] numbers = new int[count];
    for (int i = 0; i < count; i++) {
      int at = random.nextInt(i + 1);
      numbers[i] = numbers[at];
      numbers[at] = i;
    }
    return numbers;
  }

  private void run(long cluster, int thread) {
    int block = thread / extents.threadsPerBlock();
    int rank = thread % extents.threadsPerBlock();
    int x = extents.blockX();
    int y = extents.blockY();
    loop.run(
        faults,
        extents,
        extents.x(cluster, block),
        extents.y(cluster, block),
        extents.z(cluster, block),
        rank % x,
        rank / x % y,
        rank / x / y,
        1,
        arguments);
  }

  @Override
  public void abandon() {}

  @Override
  public String waitsFor() {
    return "";
  }
}
