package dev.stretto.kernel.host;

import dev.stretto.driver.KernelTwin;
import dev.stretto.kernel.machine.ClusterOrder;
import dev.stretto.kernel.machine.KernelFaults;
import dev.stretto.kernel.machine.LaunchExtents;
import java.util.SplittableRandom;

/**
 * Runs the threads of some clusters, which do not wait for each other, in an order that a seed
 * picks.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record ShuffledThreads(
    KernelFaults faults,
    LaunchExtents extents,
    TightLoop loop,
    Object[] arguments,
    ClusterOrder order,
    SplittableRandom random)
    implements KernelTwin.Run {
  /** A launch whose first part runs a while at a time, and whose rest then runs as a whole. */
  record Before(KernelTwin.Run first, Runnable rest) implements KernelTwin.Run {
    @Override
    public Progress advance() {
      Progress progress = first.advance();
      if (progress == Progress.OVER) {
        rest.run();
      }
      return progress;
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

  /**
   * A launch whose threads do not communicate. If one of them fails, all run again in the order of
   * their ranks, so that the report names the first thread that fails, whatever the seed. The
   * launch has failed anyway, so it does not matter what the second run does to memory.
   */
  record Whole(KernelTwin.Run launch, Runnable inOrder) implements KernelTwin.Run {
    @Override
    public Progress advance() {
      try {
        return launch.advance();
      } catch (IllegalStateException e) {
        inOrder.run();
        throw e;
      }
    }

    @Override
    public void abandon() {
      launch.abandon();
    }

    @Override
    public String waitsFor() {
      return launch.waitsFor();
    }
  }

  @Override
  public Progress advance() {
    int each = extents.threadsPerBlock() * extents.blocksPerCluster();
    int[] shuffled = shuffled((int) order.count() * each);
    for (int thread : shuffled) {
      run(order.of(thread / each), thread % each);
    }
    return Progress.OVER;
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
