package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.List;

/**
 * Runs blocks of a launch whose threads go in steps: one after the other, or some side by side if a
 * seed picks which of them goes on.
 *
 * @param kernel the launch
 * @param turns decides which block and which thread goes on
 * @param code the kernel
 * @param plan what has to be known of it
 * @param handles makes what a kernel's method gets as its thread block
 * @param arguments the kernel's arguments
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record SteppedLaunch(
    Clusters.Kernel kernel,
    TurnOrder turns,
    SteppedKernel code,
    SteppedPlan plan,
    Handles handles,
    Object[] arguments) {
  /** Makes what a kernel's method gets as its thread block. */
  public interface Handles {
    /** {@return the thread block of a thread} */
    Object of(ThreadPosition position, DeviceThread thread);
  }

  /** Blocks run side by side as long as they have fewer threads together. */
  private static final int MOST_THREADS = 1024;

  /** So many blocks are looked at closely: their threads may go on one by one. */
  private static final int CLOSE = 8;

  /** Launches of so many blocks have all of them watched. */
  private static final int FEW = 4;

  private static final int ONCE_IN = 2;
  private static final int LATER_ONCE_IN = 64;

  /** In a launch of very many blocks, only one in this part of those before. */
  private static final int PART = 16;

  /**
   * Runs blocks.
   *
   * @param numbers which, in which order
   * @throws RuntimeException if a thread failed
   */
  public void run(ClusterOrder numbers) {
    Coroutine.Seat seat = Coroutine.seat();
    Coroutine before = seat.taken;
    try {
      run(numbers, width());
    } finally {
      seat.taken = before;
    }
  }

  private long width() {
    int threads = kernel.extents().threadsPerBlock() * kernel.extents().blocksPerCluster();
    return Math.max(1, Math.min(turns.width(), MOST_THREADS / threads));
  }

  private void run(ClusterOrder numbers, long width) {
    List<SteppedThreads> running = new ArrayList<>();
    long next = 0;
    while (running.size() < width && next < numbers.count()) {
      SteppedThreads block =
          new SteppedThreads(kernel, turns, code, plan, handles, arguments, false);
      block.begin(numbers.of(next), true, goesSingly(next), isWatched(numbers.of(next)));
      running.add(block);
      next++;
    }
    while (!running.isEmpty()) {
      int which = turns.nextCluster(running.size(), 0, false);
      SteppedThreads block = running.get(which);
      if (block.goOn()) {
        continue;
      }
      if (next < numbers.count()) {
        block.begin(numbers.of(next), false, goesSingly(next), isWatched(numbers.of(next)));
        next++;
      } else {
        running.remove(which);
      }
    }
  }

  /**
   * Whether races with copies are looked for in a block, or a cluster of some. Without a seed, only
   * the first and the last one of a launch of many are watched: that takes a hundred times longer.
   */
  private boolean isWatched(long cluster) {
    long clusters = kernel.extents().shape().clusters();
    return turns.isSeeded() || clusters <= FEW || cluster == 0 || cluster == clusters - 1;
  }

  private boolean goesSingly(long nth) {
    int later = Math.clamp(nth / PART, LATER_ONCE_IN, Integer.MAX_VALUE);
    return turns.happensOnceIn(nth < CLOSE ? ONCE_IN : later);
  }
}
