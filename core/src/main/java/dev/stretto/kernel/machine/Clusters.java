package dev.stretto.kernel.machine;

import dev.stretto.driver.KernelTwin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Runs a launch, or a part of one, whose threads wait for each other: each is a coroutine, and of
 * all of them exactly one runs at a time. It begins with one cluster, or as many as its order
 * wants. Where threads do nothing but look again and again for what others are to do, the next
 * cluster begins beside them, as long as the device has room: so blocks may wait for each other as
 * they may on a GPU.
 *
 * <p>Where no more can begin, and all of them only look, something else has to happen: another
 * kernel, a copy, the host. Then a launch of a seeded device says so, and is gone on with later;
 * one of a device whose threads run looks on, with pauses.
 */
public final class Clusters implements KernelTwin.Run {
  /** After so many passes a launch that runs a while at a time lets others go on. */
  private static final int LONGEST_WHILE = 20_000;

  /** How often each thread may look in vain before that says something. */
  private static final int LOOKS = 2;

  private static final int FEW_LOOKS = 8;
  private static final long SHORTEST_PAUSE_NANOS = 20_000;
  private static final long LONGEST_PAUSE_NANOS = 1_000_000;
  private static final int MOST_REPORTED = 4;

  /** Threads that a seed has run at the same time of several clusters, at most. */
  private static final int WIDE_THREADS = 1024;

  /**
   * What runs.
   *
   * @param watches whether memory is watched from the beginning, since what threads store there may
   *     be multiplied by their warp group, or read by bulk copies
   */
  public record Kernel(
      KernelFaults faults, LaunchExtents extents, BlockThreads.Body body, boolean watches) {}

  private final Kernel kernel;
  private final TurnOrder turns;
  private final KernelTwin.DeviceMemory room;
  private final ClusterOrder order;
  private final boolean advances;
  private final boolean keepsLines;
  private final List<BlockThreads> running = new ArrayList<>();
  private final List<BlockThreads> all = new ArrayList<>();
  private final Semaphore news = new Semaphore(0);
  private long next;
  private long last;
  private boolean begun;
  private int returned;
  private int passes;
  private int sinceNews;
  private long pauseNanos = SHORTEST_PAUSE_NANOS;
  private boolean pausedBefore;
  private boolean saidSo;
  private boolean changed;

  /** Whether anything has changed since the launch was gone on with. */
  private boolean moved = true;

  private @Nullable Coroutine paused;
  private volatile @Nullable Progress progress;
  private volatile @Nullable Throwable failure;
  private long failed = -1;

  /**
   * Clusters of a launch.
   *
   * @param turns which thread runs
   * @param order which cluster begins
   * @param room has it for clusters that run beside the first
   * @param advances whether it runs a while at a time
   */
  public Clusters(
      Kernel kernel,
      TurnOrder turns,
      ClusterOrder order,
      KernelTwin.DeviceMemory room,
      boolean advances) {
    this(kernel, turns, order, room, advances, false);
  }

  private Clusters(
      Kernel kernel,
      TurnOrder turns,
      ClusterOrder order,
      KernelTwin.DeviceMemory room,
      boolean advances,
      boolean keepsLines) {
    this.kernel = kernel;
    this.turns = turns;
    this.order = order;
    this.room = room;
    this.advances = advances;
    this.keepsLines = keepsLines;
    this.last = order.count();
  }

  /**
   * Runs all of it.
   *
   * @throws RuntimeException if a thread failed
   */
  public void run() {
    Progress now = advance();
    assert now == Progress.OVER : now + " of a launch that does not run a while at a time";
  }

  // --- for the thread that has it run

  @Override
  public Progress advance() {
    progress = null;
    Coroutine thread = paused;
    if (begun && thread != null) {
      paused = null;
      thread.giveTurn();
    } else {
      begun = true;
      begin();
    }
    Progress now = awaitNews();
    if (now == Progress.OVER) {
      join();
      throwFailure();
    }
    return now;
  }

  private void begin() {
    long width = Math.min(turns.width(), WIDE_THREADS / Math.max(1, threadsPerCluster()));
    beginOne(false);
    while (running.size() < width && next < last && room.admit()) {
      beginOne(true);
    }
    running.getFirst().giveTurn();
  }

  private int threadsPerCluster() {
    return extents().threadsPerBlock() * extents().blocksPerCluster();
  }

  private void beginOne(boolean admitted) {
    BlockThreads cluster = new BlockThreads(this, admitted);
    running.add(cluster);
    all.add(cluster);
    cluster.begin(order.of(next++));
  }

  private Progress awaitNews() {
    news.acquireUninterruptibly();
    Progress now = progress;
    while (now == null) {
      // Its threads look for what other parts of the launch may have to do, which wait for a
      // worker.
      awaitAsOneThatBlocks();
      now = progress;
    }
    return now;
  }

  private void awaitAsOneThatBlocks() {
    try {
      ForkJoinPool.managedBlock(
          new ForkJoinPool.ManagedBlocker() {
            private boolean came;

            @Override
            public boolean block() {
              news.acquireUninterruptibly();
              came = true;
              return true;
            }

            @Override
            public boolean isReleasable() {
              came = came || news.tryAcquire();
              return came;
            }
          });
    } catch (InterruptedException e) {
      throw new AssertionError("the blocker is not interrupted", e);
    }
  }

  private void join() {
    boolean interrupted = false;
    for (BlockThreads cluster : List.copyOf(all)) {
      boolean joined = false;
      while (!joined) {
        try {
          cluster.join();
          joined = true;
        } catch (InterruptedException _) {
          // The memory that the threads use may not be let go of before they have ended.
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    running.stream().filter(BlockThreads::isAdmitted).forEach(_ -> room.dismiss());
    running.clear();
  }

  private void throwFailure() {
    Throwable thrown = failure;
    if (thrown != null && thrown.getCause() instanceof CopyMisuse misuse && misuse.lacksLine()) {
      againWithLines();
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    } else if (thrown instanceof Error e) {
      throw e;
    }
  }

  /**
   * The launch has failed anyway: what the cluster does to memory a second time does not matter. If
   * it waits for others that do not run again, the report has to do without the line.
   */
  private void againWithLines() {
    Clusters again = new Clusters(kernel, turns, ClusterOrder.only(failed), room, true, true);
    Progress now = Progress.GOES_ON;
    while (now == Progress.GOES_ON) {
      now = again.advance();
    }
    if (now == Progress.WAITS) {
      again.abandon();
    }
  }

  @Override
  public void abandon() {
    if (begun) {
      all.forEach(BlockThreads::end);
      join();
    }
  }

  @Override
  public String waitsFor() {
    String where =
        running.stream()
            .limit(MOST_REPORTED)
            .map(BlockThreads::whereThreadsAre)
            .collect(Collectors.joining("; "));
    StringBuilder report = new StringBuilder(where);
    if (running.size() > MOST_REPORTED) {
      report.append("; and ").append(running.size() - MOST_REPORTED).append(" more");
    }
    if (returned > 0) {
      report.append("; ").append(returned).append(" have returned");
    }
    if (next < last) {
      report
          .append("; ")
          .append(last - next)
          .append(" have not begun, as the device has room for no more at the same time");
    }
    return report.toString();
  }

  // --- for the thread that has the turn

  /** Something has changed that other threads may wait for. */
  void progresses() {
    changed = true;
    moved = true;
  }

  /** The next cluster that begins in the place of one that has ended, or -1. */
  long next() {
    returned++;
    return next < last ? order.of(next++) : -1;
  }

  /** Who gets the turn when a cluster's thread gives it up. */
  BlockThreads next(BlockThreads after, boolean passes) {
    return running.size() == 1
        ? after
        : running.get(turns.nextCluster(running.size(), running.indexOf(after), passes));
  }

  /** A thread of a cluster has looked in vain, or been at it for long. */
  void passes(BlockThreads cluster, Coroutine thread) {
    sinceNews++;
    if (changed) {
      changed = false;
      passes = 0;
      pauseNanos = SHORTEST_PAUSE_NANOS;
    }
    warn(cluster);
    passes++;
    if (next < last && passes > looks(running.getLast().readyThreads()) && room.admit()) {
      passes = 0;
      beginOne(true);
    } else if (passes > looks(running.stream().mapToInt(BlockThreads::readyThreads).sum())) {
      passes = 0;
      pause(thread);
    } else if (advances && sinceNews > LONGEST_WHILE) {
      pause(thread, Progress.GOES_ON);
    }
  }

  private static int looks(int threads) {
    return LOOKS * threads + FEW_LOOKS;
  }

  /** All that run look in vain: it is for others to do something. */
  private void pause(Coroutine thread) {
    if (advances) {
      pause(thread, moved ? Progress.GOES_ON : Progress.WAITS);
      return;
    }
    if (!pausedBefore) {
      pausedBefore = true;
      news.release();
    }
    thread.pause(pauseNanos);
    pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
  }

  private void pause(Coroutine thread, Progress now) {
    sinceNews = 0;
    moved = false;
    paused = thread;
    progress = now;
    news.release();
    thread.awaitTurn();
  }

  private void warn(BlockThreads cluster) {
    long nanos = System.nanoTime() - cluster.progressNanos();
    if (!saidSo && nanos > BlockThreads.longNanos) {
      saidSo = true;
      System.getLogger("dev.stretto")
          .log(
              System.Logger.Level.WARNING,
              ("for %d s no thread of a block has returned or got past a barrier, in kernel %s:"
                      + " %s. That never ends if what they look for never happens")
                  .formatted(nanos / 1_000_000_000, kernel.faults().kernel(), waitsFor()));
    }
  }

  /** A cluster's last thread has returned, and no other cluster begins in its place. */
  void retire(BlockThreads cluster) {
    running.remove(cluster);
    if (cluster.isAdmitted()) {
      room.dismiss();
    }
    cluster.end();
    if (running.isEmpty()) {
      progress = Progress.OVER;
      news.release();
    } else {
      running.get(turns.nextCluster(running.size(), 0, false)).giveTurn();
    }
  }

  /** A thread has failed, which ends all of them. */
  synchronized void fail(BlockThreads cluster, Throwable e) {
    if (failure == null) {
      failure = e;
      failed = cluster.number();
      all.forEach(BlockThreads::end);
      progress = Progress.OVER;
      news.release();
    }
  }

  // --- what its clusters have in common

  LaunchExtents extents() {
    return kernel.extents();
  }

  BlockThreads.Body body() {
    return kernel.body();
  }

  KernelFaults faults() {
    return kernel.faults();
  }

  boolean watches() {
    return kernel.watches();
  }

  TurnOrder turns() {
    return turns;
  }

  boolean keepsLines() {
    return keepsLines;
  }
}
