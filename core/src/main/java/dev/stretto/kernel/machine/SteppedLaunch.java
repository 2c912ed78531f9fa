package dev.stretto.kernel.machine;

import dev.stretto.driver.KernelTwin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs a launch, or a part of one, whose threads go in steps: one cluster after the other, or some
 * side by side if a seed picks which of them goes on.
 *
 * <p>As in {@link Clusters}, when all threads of the running clusters look in vain for what others
 * do, the next cluster begins beside them, as long as the device has room. When no further one can
 * begin, a launch on a seeded device reports that it waits, and another one pauses and looks again.
 */
public final class SteppedLaunch implements KernelTwin.Run {
  /** Makes what a kernel's method gets as its thread block. */
  public interface Handles {
    /** {@return the thread block of a thread} */
    Object of(ThreadPosition position, DeviceThread thread);
  }

  /**
   * The compiled kernel of a launch.
   *
   * @param launch the launch
   * @param code the kernel
   * @param plan what has to be known of it
   * @param handles makes what a kernel's method gets as its thread block
   * @param arguments the kernel's arguments
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Compiled(
      Clusters.Kernel launch,
      SteppedKernel code,
      SteppedPlan plan,
      Handles handles,
      Object[] arguments) {}

  /** Clusters run side by side from the beginning as long as they have fewer threads together. */
  private static final int MOST_THREADS = 1024;

  /** So many clusters are looked at closely: their threads may go on one by one. */
  private static final int CLOSE = 8;

  private static final int ONCE_IN = 2;
  private static final int LATER_ONCE_IN = 64;

  /** In a launch of very many clusters, only one in this part of those before. */
  private static final int PART = 16;

  /** The number of turns after which a launch that runs a while at a time lets others run. */
  private static final int LONGEST_WHILE = 20_000;

  private final Compiled kernel;
  private final TurnOrder turns;
  private final ClusterQueue queue;
  private final KernelTwin.DeviceMemory room;
  private final boolean advances;
  private final boolean asks;
  private final List<SteppedThreads> running = new ArrayList<>();
  private final VainLooks looks = new VainLooks();

  /** Null if the launch does not run a while at a time. */
  private @Nullable Tears tears;

  private boolean begun;
  private int which;
  private int admitted;
  private int returned;
  private int sinceNews;

  /**
   * Creates a launch that has not begun.
   *
   * @param kernel what to run
   * @param turns decides which cluster and which thread goes on
   * @param queue hands out clusters
   * @param room admits clusters that run beside the first, if the device has room for them
   * @param advances whether the launch runs a while at a time
   */
  public SteppedLaunch(
      Compiled kernel,
      TurnOrder turns,
      ClusterQueue queue,
      KernelTwin.DeviceMemory room,
      boolean advances) {
    this.kernel = kernel;
    this.turns = turns;
    this.queue = queue;
    this.room = room;
    this.advances = advances;
    this.asks = kernel.plan().asks();
  }

  /**
   * Runs the whole launch.
   *
   * @throws RuntimeException if a thread failed
   */
  public void run() {
    Progress now = advance();
    assert now == Progress.OVER : now + " of a launch that does not run a while at a time";
  }

  @Override
  public Progress advance() {
    Coroutine.Seat seat = Coroutine.seat();
    Coroutine before = seat.taken;
    boolean goesOn = false;
    try {
      running.forEach(cluster -> cluster.sit(seat));
      begin();
      Progress now = goOn();
      goesOn = now != Progress.OVER;
      return now;
    } finally {
      seat.taken = before;
      if (!goesOn) {
        abandon();
      }
    }
  }

  @Override
  public void abandon() {
    for (; admitted > 0; admitted--) {
      room.dismiss();
    }
  }

  @Override
  public String waitsFor() {
    return Clusters.waitsFor(
        running.stream()
            .limit(Clusters.MOST_REPORTED)
            .map(SteppedThreads::whereThreadsAre)
            .toList(),
        running.size(),
        returned,
        queue.left());
  }

  private void begin() {
    if (begun) {
      return;
    }
    begun = true;
    tears = advances ? new Tears(turns) : null;
    long width = width();
    long first = queue.take();
    if (first >= 0) {
      beginOne(first);
    }
    while (!running.isEmpty() && running.size() < width && beginsOneMore()) {
      // until there are enough, or there is no room
    }
  }

  private long width() {
    LaunchExtents extents = kernel.launch().extents();
    int threads = extents.threadsPerBlock() * extents.blocksPerCluster();
    return Math.max(1, Math.min(turns.width(), MOST_THREADS / threads));
  }

  private boolean beginsOneMore() {
    if (queue.left() == 0 || !room.admit()) {
      return false;
    }
    long nth = queue.take();
    if (nth < 0) {
      room.dismiss();
      return false;
    }
    admitted++;
    beginOne(nth);
    return true;
  }

  private void beginOne(long nth) {
    LookedPlaces looked = kernel.launch().extents().areAllThere() ? null : queue.looked();
    SteppedThreads cluster = new SteppedThreads(kernel, turns, looks, looked, false);
    begin(cluster, nth, true);
    running.add(cluster);
  }

  private void begin(SteppedThreads cluster, long nth, boolean first) {
    long number = queue.number(nth);
    cluster.begin(number, first, goesSingly(nth), kernel.launch().isWatched(number, turns));
  }

  private Progress goOn() {
    boolean vain = false;
    while (!running.isEmpty()) {
      which = turns.nextCluster(running.size(), Math.min(which, running.size() - 1), vain);
      SteppedThreads cluster = running.get(which);
      if (!cluster.goOn()) {
        returned++;
        kernel.launch().grid().hasReturned(cluster.number());
        cluster.tellTime();
        long nth = queue.take();
        if (nth >= 0) {
          begin(cluster, nth, false);
        } else {
          running.remove(which);
        }
      }
      if (tears != null && tears.isNow() && !running.isEmpty()) {
        return Progress.GOES_ON;
      }
      if (asks) {
        vain = looks.areMany(cluster.readyThreads());
        Progress now = vain || advances ? look(cluster) : Progress.OVER;
        if (now != Progress.OVER) {
          return now;
        }
      }
    }
    return Progress.OVER;
  }

  /** {@return whether the launch waits, or shall let others run, or OVER if it simply goes on} */
  private Progress look(SteppedThreads cluster) {
    sinceNews++;
    if (looks.areMany(cluster.readyThreads()) && beginsOneMore()) {
      looks.restart();
    } else if (advances) {
      boolean waits = looks.areMany(readyThreads()) && allLookInVain();
      if (waits || sinceNews > LONGEST_WHILE) {
        sinceNews = 0;
        return waits || !looks.hasMoved() ? Progress.WAITS : Progress.GOES_ON;
      }
    } else if (looks.areMany(readyThreads())) {
      looks.restart();
      cluster.pass();
      pause(looks.nextPauseNanos());
      requireNoFailure();
    }
    return Progress.OVER;
  }

  /** Requires that no other host thread has failed, since what failed may be looked for. */
  private void requireNoFailure() {
    switch (queue.failure()) {
      case RuntimeException e -> throw e;
      case Error e -> throw e;
      case null, default -> {}
    }
  }

  private boolean allLookInVain() {
    for (SteppedThreads cluster : running) {
      if (!cluster.allLookInVain()) {
        return false;
      }
    }
    looks.allLookedInVain();
    return true;
  }

  private int readyThreads() {
    int threads = 0;
    for (SteppedThreads cluster : running) {
      threads += cluster.readyThreads();
    }
    return threads;
  }

  /** Waits as one that blocks: other parts of the launch may need its worker. */
  private static void pause(long nanos) {
    long until = System.nanoTime() + nanos;
    try {
      ForkJoinPool.managedBlock(
          new ForkJoinPool.ManagedBlocker() {
            @Override
            public boolean block() {
              LockSupport.parkNanos(this, until - System.nanoTime());
              return isReleasable();
            }

            @Override
            public boolean isReleasable() {
              return System.nanoTime() - until >= 0;
            }
          });
    } catch (InterruptedException e) {
      throw new AssertionError("the blocker is not interrupted", e);
    }
  }

  private boolean goesSingly(long nth) {
    int later = Math.clamp(nth / PART, LATER_ONCE_IN, Integer.MAX_VALUE);
    return turns.happensOnceIn(nth < CLOSE ? ONCE_IN : later);
  }
}
