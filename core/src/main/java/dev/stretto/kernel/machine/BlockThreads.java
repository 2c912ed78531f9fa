package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import dev.stretto.fault.DeadlockException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Runs the threads of one cluster of blocks after another. Each thread is a coroutine, a {@link
 * DeviceThread}. Most clusters consist of one block. {@link Clusters} holds one instance for each
 * cluster that runs at the same time.
 */
public final class BlockThreads implements Coroutine.Turns {
  /** The code that every thread runs. */
  public interface Body {
    /** Runs the kernel for one thread. */
    void run(ThreadPosition position, DeviceThread thread) throws Throwable;
  }

  /** Unwinds the remaining threads after one has failed. */
  private static final class Abandoned extends Error {
    private static final long serialVersionUID = 1L;

    Abandoned() {
      super("another thread of the block has failed", null, false, false);
    }
  }

  /** How long threads may make no progress before a warning is logged. Tests shorten this time. */
  static volatile long longNanos = 60_000_000_000L;

  /** How long threads may do nothing but poll before that counts as a deadlock. */
  private static final long MOST_POLLING_NANOS = 300_000_000L;

  private static final int MOST_POLLS = 2_000;

  private final Clusters clusters;
  private final LaunchExtents extents;
  private final TurnOrder turns;
  private final DeviceThread[] threads;
  private final BlockState[] blocks;
  private final ClusterBarrier clusterBarrier;
  private final HappensBefore order;
  private final SharedRaceDetector races;
  private final GlobalStores stores;
  private final BitSet ready;
  private int readyThreads;
  private final boolean admitted;
  private long cluster;
  private int live;
  private boolean looksCloser;
  private long progressNanos;
  private int polls;

  /** Whether no thread of the cluster has had a turn yet. */
  private boolean fresh;

  private DeviceThread running;
  private volatile boolean over;

  /**
   * Creates the threads, which run one cluster after another.
   *
   * @param clusters the clusters of the launch, or of a part of it
   * @param admitted whether the cluster was admitted to run beside others
   */
  BlockThreads(Clusters clusters, boolean admitted) {
    this.clusters = clusters;
    this.admitted = admitted;
    this.extents = clusters.extents();
    this.turns = clusters.turns();
    int each = extents.threadsPerBlock();
    int count = each * extents.blocksPerCluster();
    this.order = new HappensBefore(count, clusters.keepsLines());
    this.races = new SharedRaceDetector(this, order, clusters.keepsLines());
    this.stores = new GlobalStores(order);
    this.threads = new DeviceThread[count];
    this.blocks = new BlockState[extents.blocksPerCluster()];
    for (int number = 0; number < blocks.length; number++) {
      blocks[number] = new BlockState(this, number, each, extents.shape().sharedBytes());
      for (int rank = 0; rank < each; rank++) {
        threads[number * each + rank] =
            new DeviceThread(this, blocks[number], number * each + rank, rank);
      }
    }
    this.clusterBarrier = new ClusterBarrier(this);
    this.running = threads[0];
    this.ready = new BitSet(count);
  }

  /** Begins the first cluster; none of its threads has the turn yet. */
  void begin(long number) {
    cluster = number;
    begin();
    looksCloser = true;
    fresh = true;
  }

  private void begin() {
    live = threads.length;
    progressNanos = System.nanoTime();
    looksCloser = turns.looksCloser();
    ready.set(0, threads.length);
    readyThreads = threads.length;
    order.begin();
    races.begin();
    stores.begin();
    clusterBarrier.begin();
    for (BlockState block : blocks) {
      block.begin();
    }
    if (clusters.watches()) {
      races.activate();
    }
  }

  /**
   * Gives the turn to a thread of this cluster. A thread of another cluster, or of the host, calls
   * this.
   */
  void giveTurn() {
    int after = fresh ? -1 : running.rank();
    fresh = false;
    threads[turns.next(ready, after)].giveTurn();
  }

  /** Ends the threads wherever they are. */
  void end() {
    over = true;
    for (DeviceThread thread : threads) {
      thread.wake();
    }
  }

  /** Waits until the threads have ended. */
  void join() throws InterruptedException {
    for (DeviceThread thread : threads) {
      thread.join();
    }
  }

  /** Runs a thread, in one cluster after another, from its first turn on. */
  void live(DeviceThread thread) {
    try {
      thread.awaitTurn();
      while (!over) {
        ThreadPosition position = position(thread);
        thread.copies().clear();
        thread.bulkStores().clear();
        thread.products().clear();
        try {
          CallPath.begin(() -> clusters.body().run(position, thread));
          thread.bulkStores().leave();
          thread.products().leave();
          leave(thread);
        } catch (Abandoned _) {
          return;
        } catch (Throwable e) {
          clusters.fail(this, clusters.faults().of(position, e));
          return;
        }
      }
    } catch (Throwable e) {
      // A bug in this package must not leave the launch hanging.
      clusters.fail(this, e);
    }
  }

  private ThreadPosition position(DeviceThread thread) {
    int x = thread.rankInBlock() % extents.blockX();
    int yz = thread.rankInBlock() / extents.blockX();
    int block = thread.block().number();
    return new ThreadPosition(
        extents,
        extents.x(cluster, block),
        extents.y(cluster, block),
        extents.z(cluster, block),
        x,
        yz % extents.blockY(),
        yz / extents.blockY());
  }

  /**
   * Called when a thread has returned from the kernel. Returns when the thread has the turn in
   * another cluster, or when no cluster is left for it.
   */
  private void leave(DeviceThread thread) {
    live--;
    polls = 0;
    progressNanos = System.nanoTime();
    clearReady(thread);
    thread.block().leave(thread);
    clusterBarrier.leave(thread);
    clusters.progresses();
    if (live > 0) {
      giveTurn(thread, false);
      return;
    }
    long next = clusters.next();
    if (next >= 0) {
      cluster = next;
      begin();
      giveTurn(thread, false);
    } else {
      clusters.retire(this);
    }
  }

  @Override
  public void wait(Coroutine thread) {
    clearReady(thread);
    giveTurn(thread, false);
    if (over) {
      throw new Abandoned();
    }
  }

  @Override
  public void ready(Coroutine thread) {
    if (!ready.get(thread.rank())) {
      ready.set(thread.rank());
      readyThreads++;
    }
    polls = 0;
    progressNanos = System.nanoTime();
    clusters.progresses();
  }

  /**
   * Lets other threads run, if any can. Threads that do so for minutes are not necessarily stuck:
   * they may compute, or wait for the host.
   */
  void pass(Coroutine thread) {
    polls = 0;
    clusters.passes(this, thread);
    if (over) {
      throw new Abandoned();
    }
    giveTurn(thread, true);
    if (over) {
      throw new Abandoned();
    }
  }

  /**
   * Lets other threads run before the thread polls again.
   *
   * @throws DeadlockException if for too long no thread has done anything but poll
   */
  @Override
  public void poll(Coroutine thread) {
    polls++;
    if (polls > MOST_POLLS * threads.length
        && System.nanoTime() - progressNanos > MOST_POLLING_NANOS) {
      throw KernelFaults.deadlock(threads, live, blocks.length > 1 ? "cluster" : "block");
    }
    giveTurn(thread, false);
    if (over) {
      throw new Abandoned();
    }
  }

  /** Gives the turn to the next thread and returns when this thread has it again. */
  private void giveTurn(Coroutine thread, boolean passes) {
    if (ready.isEmpty()) {
      throw KernelFaults.deadlock(threads, live, blocks.length > 1 ? "cluster" : "block");
    }
    BlockThreads other = clusters.next(this, passes);
    if (other != this) {
      other.giveTurn();
      thread.awaitTurn();
      return;
    }
    int next = turns.next(ready, thread.rank());
    if (next != thread.rank()) {
      threads[next].giveTurn();
      thread.awaitTurn();
    }
  }

  private void clearReady(Coroutine thread) {
    if (ready.get(thread.rank())) {
      ready.clear(thread.rank());
      readyThreads--;
    }
  }

  /** The number of threads that can go on; kept up to date, since polling threads ask often. */
  int readyThreads() {
    return readyThreads;
  }

  /** Describes where each thread is, whether it can go on or waits for others. */
  String whereThreadsAre() {
    return describe() + ": " + KernelFaults.where(threads, ready, live);
  }

  /** When a thread last returned or got past a barrier, in terms of {@link System#nanoTime}. */
  long progressNanos() {
    return progressNanos;
  }

  /** The number of the cluster that is running. */
  long number() {
    return cluster;
  }

  boolean isAdmitted() {
    return admitted;
  }

  /** The name of the cluster in reports: its block, or the first of its blocks. */
  String describe() {
    return (blocks.length > 1 ? "the cluster of " : "") + position(threads[0]).describeBlock();
  }

  Clusters clusters() {
    return clusters;
  }

  @Override
  public boolean looksCloser() {
    return looksCloser;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  int liveThreads() {
    return live;
  }

  TurnOrder turns() {
    return turns;
  }

  /** The number of threads in all blocks of the cluster. */
  int size() {
    return threads.length;
  }

  /** The happens-before order of the threads. */
  HappensBefore order() {
    return order;
  }

  /** The detector of shared-memory accesses that are not ordered with a copy. */
  SharedRaceDetector races() {
    return races;
  }

  /** The threads' stores to global memory that bulk copies may read. */
  public GlobalStores stores() {
    return stores;
  }

  @Override
  public DeviceThread running() {
    return running;
  }

  @Override
  public void runs(Coroutine thread) {
    running = threads[thread.rank()];
  }

  public ClusterBarrier clusterBarrier() {
    return clusterBarrier;
  }

  /** The blocks of the cluster whose bits are set. */
  public List<BlockState> blocks(String what, int bits) {
    if (bits == 0 || bits >>> blocks.length != 0) {
      throw new CopyMisuse(
          CopyRule.OUT_OF_RANGE,
          what
              + " to the blocks 0x"
              + Integer.toHexString(bits)
              + " of a cluster of "
              + blocks.length
              + ": at least one bit has to be set, and none above");
    }
    return Arrays.stream(blocks).filter(block -> (bits >>> block.number() & 1) != 0).toList();
  }

  /** All blocks of the cluster, which run at the same time. */
  public BlockState[] blocks() {
    return blocks;
  }
}
