package dev.stretto.kernel.machine;

import dev.stretto.driver.KernelTwin;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Runs a launch, or a part of one, whose threads wait for each other. Each thread is a coroutine,
 * and exactly one of them runs at a time. The launch begins with one cluster, or with as many as
 * its {@link TurnOrder} asks for. When the running threads do nothing but poll for something that
 * other threads have to do, the next cluster begins beside them, as long as the device has room. So
 * blocks may wait for each other as they may on a GPU.
 *
 * <p>When no further cluster can begin and all running threads only poll, something else has to
 * happen first: in another kernel, a copy, or on the host. A launch on a seeded device then reports
 * that it waits, and is resumed later. A launch on a device with the threads scheduler keeps
 * polling, with pauses.
 */
public final class Clusters implements KernelTwin.Run {
  /** The number of passes after which a launch that runs a while at a time lets others run. */
  private static final int LONGEST_WHILE = 20_000;

  static final int MOST_REPORTED = 4;

  /** The most threads of several clusters that a seed lets begin together. */
  private static final int WIDE_THREADS = 1024;

  /**
   * The kernel of a launch.
   *
   * @param watches whether memory is watched from the beginning, because a warp group may multiply,
   *     or bulk copies may read, data that threads store there; otherwise only that of some
   *     clusters is
   * @param global watches the global memory that the launch uses; null if nobody does
   * @param grid the barrier of all blocks
   * @param device the memory and the time of the device
   * @param waiting where threads only wait for what others do
   */
  public record Kernel(
      KernelFaults faults,
      LaunchExtents extents,
      BlockThreads.Body body,
      boolean watches,
      @Nullable GlobalRaces global,
      GridBarrier grid,
      KernelTwin.DeviceMemory device,
      WaitingPlaces waiting) {
    /**
     * Whether all accesses of a cluster are watched. Without a seed, and unless the order is
     * checked, only the first and the last one of a launch are: that takes some ten times longer.
     */
    boolean isWatched(long cluster, TurnOrder turns) {
      return turns.isSeeded()
          || global != null
          || cluster == 0
          || cluster == extents.shape().clusters() - 1;
    }
  }

  private final Kernel kernel;
  private final TurnOrder turns;
  private final KernelTwin.DeviceMemory room;
  private final ClusterQueue queue;
  private final boolean advances;
  private final boolean keepsLines;
  private final boolean independent;
  private final List<CarriedThreads> running = new ArrayList<>();
  private final List<CarriedThreads> all = new ArrayList<>();
  private final Semaphore news = new Semaphore(0);
  private boolean begun;
  private int returned;
  private final VainLooks looks = new VainLooks();
  private int sinceNews;
  private boolean pausedBefore;
  private boolean saidSo;

  private @Nullable Coroutine paused;
  private volatile @Nullable Progress progress;
  private volatile @Nullable Throwable failure;
  private long failed = -1;

  /** Whether a failure has ended the threads. */
  private boolean hasEndedEarly;

  /** The rank in its cluster of the thread that failed, if the others went on without it. */
  private int failedRank;

  /**
   * Creates the clusters of a launch.
   *
   * @param turns decides which thread runs
   * @param queue hands out clusters
   * @param room admits clusters that run beside the first, if the device has room for them
   * @param advances whether the launch runs a while at a time
   */
  public Clusters(
      Kernel kernel,
      TurnOrder turns,
      ClusterQueue queue,
      KernelTwin.DeviceMemory room,
      boolean advances) {
    this(kernel, turns, queue, room, advances, false, false);
  }

  /**
   * The clusters of a launch that runs a while at a time and whose threads need nothing of each
   * other: if one fails, the others go on, and the first of those that failed is told, whatever the
   * order of turns.
   */
  public static Clusters ofIndependentThreads(
      Kernel kernel, TurnOrder turns, ClusterQueue queue, KernelTwin.DeviceMemory room) {
    return new Clusters(kernel, turns, queue, room, true, false, true);
  }

  private Clusters(
      Kernel kernel,
      TurnOrder turns,
      ClusterQueue queue,
      KernelTwin.DeviceMemory room,
      boolean advances,
      boolean keepsLines,
      boolean independent) {
    this.kernel = kernel;
    this.turns = turns;
    this.queue = queue;
    this.room = room;
    this.advances = advances;
    this.keepsLines = keepsLines;
    this.independent = independent;
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

  // --- called by the thread that runs the launch

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
    long first = queue.take();
    if (first < 0) { // other host threads have taken all
      progress = Progress.OVER;
      news.release();
      return;
    }
    beginOne(first, false);
    while (running.size() < width && beginsOneMore()) {
      // until there are enough, or there is no room
    }
    running.getFirst().giveTurn();
  }

  private int threadsPerCluster() {
    return extents().threadsPerBlock() * extents().blocksPerCluster();
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
    beginOne(nth, true);
    return true;
  }

  private void beginOne(long nth, boolean admitted) {
    CarriedThreads cluster = new CarriedThreads(this, admitted);
    running.add(cluster);
    all.add(cluster);
    cluster.beginFirst(queue.number(nth));
  }

  private Progress awaitNews() {
    news.acquireUninterruptibly();
    Progress now = progress;
    while (now == null) {
      // The threads poll for something that other parts of the launch may have to do, and those may
      // wait for a worker.
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
    for (CarriedThreads cluster : List.copyOf(all)) {
      boolean joined = false;
      while (!joined) {
        try {
          cluster.join();
          joined = true;
        } catch (InterruptedException _) {
          // The memory that the threads use must not be released before they have ended.
          interrupted = true;
        }
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    running.stream().filter(CarriedThreads::isAdmitted).forEach(_ -> room.dismiss());
    running.clear();
  }

  private void throwFailure() {
    Throwable thrown = failure;
    if (CopyMisuse.isOneThatLacksLine(thrown)) {
      againWithLines();
    }
    if (thrown instanceof RuntimeException e) {
      throw e;
    } else if (thrown instanceof Error e) {
      throw e;
    }
  }

  /**
   * Runs the failed cluster again, keeping lines for the report. The launch has failed anyway, so
   * it does not matter what the second run does to memory. If the cluster waits for others that do
   * not run again, the report lacks the line.
   */
  private void againWithLines() {
    Clusters again =
        new Clusters(
            kernel, turns, new ClusterQueue(ClusterOrder.only(failed)), room, true, true, false);
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
      all.forEach(CarriedThreads::end);
      join();
    }
  }

  @Override
  public String waitsFor() {
    return waitsFor(
        running.stream().limit(MOST_REPORTED).map(CarriedThreads::whereThreadsAre).toList(),
        running.size(),
        returned,
        queue.left());
  }

  /** Describes what the clusters of a launch wait for of which some are running. */
  static String waitsFor(List<String> where, int running, int returned, long notBegun) {
    StringBuilder report = new StringBuilder(String.join("; ", where));
    if (running > where.size()) {
      report.append("; and ").append(running - where.size()).append(" more");
    }
    if (returned > 0) {
      report.append("; ").append(returned).append(" have returned");
    }
    if (notBegun > 0) {
      report
          .append("; ")
          .append(notBegun)
          .append(" have not begun, as the device has room for no more at the same time");
    }
    return report.toString();
  }

  // --- called by the thread that has the turn

  /**
   * The number of the cluster that begins in place of one that has ended, or -1 if none is left.
   */
  long next(CarriedThreads cluster) {
    returned++;
    kernel.grid().hasReturned(cluster.number());
    cluster.tellTime();
    long nth = queue.take();
    return nth < 0 ? -1 : queue.number(nth);
  }

  /** The cluster that gets the turn when a thread of {@code after} gives it up. */
  CarriedThreads next(CarriedThreads after, boolean passes) {
    return running.size() == 1
        ? after
        : running.get(turns.nextCluster(running.size(), running.indexOf(after), passes));
  }

  /** Called when a thread of a cluster has polled in vain, or has had the turn for long. */
  void passes(CarriedThreads cluster, Coroutine thread) {
    sinceNews++;
    cluster.looks.look(thread.rank());
    Throwable failed = queue.failure();
    if (failed != null) {
      fail(cluster, failed);
      return;
    }
    warn(cluster);
    if (looks.areMany(running.getLast().readyThreads()) && beginsOneMore()) {
      looks.restart();
    } else if (advances) {
      boolean waits = looks.areMany(readyThreads()) && allLookInVain();
      if (waits || sinceNews > LONGEST_WHILE) {
        pause(thread, waits || !looks.hasMoved() ? Progress.WAITS : Progress.GOES_ON);
      }
    } else if (looks.areMany(readyThreads())) {
      looks.restart();
      pause(thread);
    }
  }

  /** A loop, since polling threads get here each time. */
  private int readyThreads() {
    int threads = 0;
    for (int i = 0; i < running.size(); i++) {
      threads += running.get(i).readyThreads();
    }
    return threads;
  }

  /** Pauses: all running threads poll in vain, so something else has to happen first. */
  private void pause(Coroutine thread) {
    if (!pausedBefore) {
      pausedBefore = true;
      news.release();
    }
    thread.pause(looks.nextPauseNanos());
  }

  private boolean allLookInVain() {
    for (CarriedThreads cluster : running) {
      if (!cluster.allLookInVain()) {
        return false;
      }
    }
    looks.allLookedInVain();
    return true;
  }

  private void pause(Coroutine thread, Progress now) {
    sinceNews = 0;
    paused = thread;
    progress = now;
    news.release();
    thread.awaitTurn();
  }

  private void warn(CarriedThreads cluster) {
    long nanos = System.nanoTime() - cluster.progressNanos();
    if (!saidSo && nanos > CarriedThreads.longNanos) {
      saidSo = true;
      warn(kernel.faults().kernel(), nanos, waitsFor());
    }
  }

  static void warn(String kernel, long nanos, String where) {
    System.getLogger("dev.stretto")
        .log(
            System.Logger.Level.WARNING,
            ("for %d s no thread of a block has returned or got past a barrier, in kernel %s:"
                    + " %s. That never ends if what they look for never happens")
                .formatted(nanos / 1_000_000_000, kernel, where));
  }

  /** Called when a cluster's last thread has returned and no other cluster begins in its place. */
  void retire(CarriedThreads cluster) {
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

  /**
   * Called when a thread has failed.
   *
   * @param thrown what the kernel has thrown there
   * @param fault the same with the thread's place
   * @return whether the other threads go on; otherwise all have been ended
   */
  synchronized boolean goOnWithout(
      CarriedThreads cluster, int rank, Throwable thrown, IllegalStateException fault) {
    // What Stretto has found concerns more than one thread.
    if (!independent || hasEndedEarly || SourceLine.isOurs(thrown.getClass().getName())) {
      fail(cluster, fault);
      return false;
    }
    if (failure == null
        || cluster.number() < failed
        || (cluster.number() == failed && rank < failedRank)) {
      failure = fault;
      failed = cluster.number();
      failedRank = rank;
    }
    return true;
  }

  /** The cluster of the first thread without which the others went on; -1 if there is none. */
  public long outlived() {
    return hasEndedEarly ? -1 : failed;
  }

  /** Called when a thread has failed. Ends all threads. */
  synchronized void fail(CarriedThreads cluster, Throwable e) {
    if (!hasEndedEarly) {
      hasEndedEarly = true;
      failure = e;
      failed = cluster.number();
      all.forEach(CarriedThreads::end);
      progress = Progress.OVER;
      news.release();
    }
  }

  // --- what the clusters have in common

  LaunchExtents extents() {
    return kernel.extents();
  }

  BlockThreads.Body body() {
    return kernel.body();
  }

  KernelFaults faults() {
    return kernel.faults();
  }

  Kernel kernel() {
    return kernel;
  }

  TurnOrder turns() {
    return turns;
  }

  /** Where threads look again and again; null if all blocks are there at the same time. */
  @Nullable LookedPlaces looked() {
    return kernel.extents().areAllThere() ? null : queue.looked();
  }

  VainLooks looks() {
    return looks;
  }

  boolean keepsLines() {
    return keepsLines;
  }
}
