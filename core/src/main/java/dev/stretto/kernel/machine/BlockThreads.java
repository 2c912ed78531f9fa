package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The threads of one cluster of blocks, and what they share. Most clusters consist of one block.
 * There are two ways to run them: {@link CarriedThreads} and {@link SteppedThreads}.
 */
public abstract class BlockThreads
    implements Coroutine.Turns, ThreadTime.Cluster, ThreadLooks.Cluster {
  /** The code that every thread runs. */
  public interface Body {
    /** Runs the kernel for one thread. */
    void run(ThreadPosition position, DeviceThread thread) throws Throwable;
  }

  final DeviceThread[] threads;
  final BlockState[] blocks;
  final ClusterBarrier clusterBarrier;
  final BitSet ready;
  int live;
  private final LaunchExtents extents;
  private final TurnOrder turns;
  final ClusterLooks looks;
  private final VainLooks launchLooks;
  private final @Nullable LookedPlaces looked;
  private long beginNumber;
  private final Clusters.Kernel kernel;
  private final HappensBefore order;
  private final SharedRaceDetector races;
  private final GlobalStores stores;
  private final @Nullable GlobalWatch global;
  private final GlobalRaces localPlaces;
  private final TimedWaits timedWaits = new TimedWaits();
  private int readyThreads;
  private long cluster;
  private boolean looksCloser;
  private long progressNanos;

  /** Whether a thread of the cluster has let time pass. */
  private boolean keepsTime;

  /**
   * Creates the threads of a cluster.
   *
   * @param looks counts how often threads of the launch look in vain for what others do
   * @param looked where they look; null if all blocks are there at the same time
   * @param carried whether each has a thread of the JVM
   */
  BlockThreads(
      Clusters.Kernel kernel,
      TurnOrder turns,
      VainLooks looks,
      @Nullable LookedPlaces looked,
      boolean keepsLines,
      boolean carried) {
    this.looked = looked;
    this.launchLooks = looks;
    this.looks = new ClusterLooks(looks);
    this.extents = kernel.extents();
    this.turns = turns;
    this.kernel = kernel;
    int each = extents.threadsPerBlock();
    int count = each * extents.blocksPerCluster();
    this.order = new HappensBefore(count, keepsLines);
    this.races = new SharedRaceDetector(this, order, count, keepsLines);
    this.stores = new GlobalStores(order);
    GlobalRaces shared = kernel.global();
    this.global =
        shared == null
            ? null
            : new GlobalWatch(keepsLines ? new GlobalRaces() : shared, order, count);
    this.localPlaces = shared == null ? new GlobalRaces() : shared;
    this.threads = new DeviceThread[count];
    this.blocks = new BlockState[extents.blocksPerCluster()];
    for (int number = 0; number < blocks.length; number++) {
      blocks[number] = new BlockState(this, number, each, extents.shape().sharedBytes());
      for (int rank = 0; rank < each; rank++) {
        threads[number * each + rank] =
            new DeviceThread(this, blocks[number], number * each + rank, rank, carried, looked);
      }
    }
    this.clusterBarrier = new ClusterBarrier(this);
    this.ready = new BitSet(count);
  }

  /** Makes everything ready for the first cluster, which is checked closely. */
  final void beginFirst(long number) {
    begin(number);
    looksCloser = true;
  }

  /** Makes everything ready for the cluster with this number. */
  final void begin(long number) {
    cluster = number;
    beginNumber = looked == null ? 0 : looked.begins();
    live = threads.length;
    progressNanos = System.nanoTime();
    beginTime();
    looksCloser = turns.looksCloser();
    ready.set(0, threads.length);
    readyThreads = threads.length;
    order.begin(number);
    races.begin();
    stores.begin();
    if (global != null) {
      global.begin();
    }
    clusterBarrier.begin();
    timedWaits.begin();
    for (BlockState block : blocks) {
      block.begin();
    }
    if (kernel.watches() || kernel.isWatched(number, turns)) {
      races.activate();
      order.startsWithTheCluster();
    }
  }

  private void beginTime() {
    if (keepsTime) {
      keepsTime = false;
      for (DeviceThread thread : threads) {
        thread.time().begin();
      }
    }
  }

  @Override
  public final void keepsTime() {
    keepsTime = true;
  }

  /** Tells the device how much time has passed in the cluster, which is over. */
  final void tellTime() {
    if (keepsTime) {
      kernel.device().waited(cluster, latestNanos());
    }
  }

  /** Lets all threads have the time of the latest: they have met. */
  final void meetInTime() {
    if (keepsTime) {
      long latest = latestNanos();
      for (DeviceThread thread : threads) {
        thread.time().atLeast(latest);
      }
    }
  }

  private long latestNanos() {
    long latest = 0;
    for (DeviceThread thread : threads) {
      latest = Math.max(latest, thread.time().elapsedNanos());
    }
    return latest;
  }

  @Override
  public final long beginNanos() {
    return kernel.device().beginNanos();
  }

  @Override
  public final long clockKilohertz() {
    return kernel.device().clockKilohertz();
  }

  final ThreadPosition position(DeviceThread thread) {
    return position(thread, cluster);
  }

  private ThreadPosition position(DeviceThread thread, long cluster) {
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

  /** Lets other threads run, but keeps the thread ready: it looks for something again and again. */
  abstract void pass(Coroutine thread);

  /** The threads that wait for a time. */
  final TimedWaits timedWaits() {
    return timedWaits;
  }

  /** Lets time pass if some wait for that, and all others look in vain for what others do. */
  final void passTime() {
    if (timedWaits.areAny() && allLookInVain()) {
      boolean _ = timedWaits.pass();
    }
  }

  /** Notes that a thread has changed something that others may look for. */
  final void progresses() {
    launchLooks.changes();
  }

  @Override
  public void ready(Coroutine thread) {
    if (!ready.get(thread.rank())) {
      ready.set(thread.rank());
      readyThreads++;
    }
    gotOn();
  }

  /** Notes that a thread has got past something. */
  void gotOn() {
    progressNanos = System.nanoTime();
    looks.passes();
  }

  final void clearReady(Coroutine thread) {
    if (ready.get(thread.rank())) {
      ready.clear(thread.rank());
      readyThreads--;
    }
  }

  final int readyThreads() {
    return readyThreads;
  }

  /** Whether all threads that can go on have looked for what others do, and found nothing new. */
  final boolean allLookInVain() {
    return looks.haveAllLooked(ready);
  }

  String whereThreadsAre() {
    return describe() + ": " + KernelFaults.where(threads, ready, live);
  }

  final long progressNanos() {
    return progressNanos;
  }

  @Override
  public final long number() {
    return cluster;
  }

  @Override
  public final long beginNumber() {
    return beginNumber;
  }

  @Override
  public final CallPath here() {
    return CallPath.here();
  }

  @Override
  public final void hasWaited(int rank, CallPath where, long other) {
    if (kernel.waiting().hold(where.stack())) {
      throw KernelFaults.waitsForALaterOne(describe(), rank, where, describe(other));
    }
  }

  final String describe() {
    return describe(cluster);
  }

  /** Describes a cluster of the launch. */
  final String describe(long other) {
    return (blocks.length > 1 ? "the cluster of " : "")
        + position(threads[0], other).describeBlock();
  }

  final RuntimeException deadlock() {
    String among = blocks.length > 1 ? "cluster" : "block";
    return KernelFaults.deadlock(threads, live, among, races.stages().whyNoneGoesOn());
  }

  @Override
  public final boolean looksCloser() {
    return looksCloser;
  }

  final int liveThreads() {
    return live;
  }

  final LaunchExtents extents() {
    return extents;
  }

  final TurnOrder turns() {
    return turns;
  }

  final int size() {
    return threads.length;
  }

  final HappensBefore order() {
    return order;
  }

  final SharedRaceDetector races() {
    return races;
  }

  public final GlobalStores stores() {
    return stores;
  }

  /** Says which places have numbers: those of threads without carriers. */
  final void number(CallPath[] places) {
    races.places(places);
    if (global != null) {
      global.places(places);
    }
  }

  /** Whether global memory is watched in clusters that are. */
  final boolean watchesGlobal() {
    return global != null;
  }

  /** The watch of global memory, if the cluster that runs is watched. */
  final @Nullable GlobalWatch globalWatch() {
    return global != null && order.isActive() ? global : null;
  }

  /** What has to be told of an atomic operation on global memory. */
  final AtomicAccess globalAtomic(DeviceThread thread, long address, int bytes, boolean wide) {
    GlobalWatch watch = globalWatch();
    return new AtomicAccess(
        thread,
        localPlaces.place(address),
        new AtomicWatch() {
          @Override
          public void loads() {
            if (watch != null) {
              watch.access(ThreadAccess.LOAD, thread, GlobalRaces.NOWHERE, address, bytes, wide);
            }
          }

          @Override
          public void exchanges() {
            if (watch != null) {
              watch.exchanges(thread, address, bytes, wide);
            }
          }

          @Override
          public void updates() {
            if (watch != null) {
              watch.access(ThreadAccess.UPDATE, thread, GlobalRaces.NOWHERE, address, bytes, wide);
            }
          }
        },
        wide);
  }

  @Override
  public abstract DeviceThread running();

  /** Makes the launch and the host see what the other one has written. */
  final void fenceSystem() {
    kernel.device().fenceSystem();
  }

  /**
   * Lets a block arrive at the barrier of all blocks, of which a thread has met all others.
   *
   * @param summand 1 for all blocks but one; with that of the other one the highest bit changes
   * @return what {@link #hasGridMet} takes
   */
  public int arriveAtGrid(DeviceThread thread, int summand) {
    progresses();
    return kernel.grid().arrive(order.releaseToAll(thread), summand);
  }

  /**
   * Looks whether all blocks have arrived.
   *
   * @param arrival what the block's own arrival has returned
   * @throws IllegalStateException if they cannot any more, since a block has returned
   */
  public boolean hasGridMet(DeviceThread thread, int arrival) {
    long returned = kernel.grid().returned(); // before it is looked whether all have arrived
    if (kernel.grid().isOver(arrival)) {
      order.acquireFromAll(thread, kernel.grid().known());
      return true;
    }
    if (returned >= 0) {
      throw new IllegalStateException(
          "block.grid().sync() waits for "
              + describe(returned)
              + ", which has returned: all blocks of the launch have to call it equally often");
    }
    pass(thread);
    return false;
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

  /** A block of the cluster, by its rank. */
  public BlockState block(String what, int rank) {
    if (rank < 0 || rank >= blocks.length) {
      throw new IllegalArgumentException(
          what + " to block " + rank + " of a cluster of " + blocks.length);
    }
    return blocks[rank];
  }

  /** All blocks of the cluster, which run at the same time. */
  public BlockState[] blocks() {
    return blocks;
  }
}
