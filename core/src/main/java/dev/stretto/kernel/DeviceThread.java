package dev.stretto.kernel;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a block on a virtual device whose threads wait for each other: a coroutine. Of a
 * block's coroutines exactly one runs at a time, until it waits or returns and gives the turn to
 * another one. What they share needs no lock therefore.
 */
final class DeviceThread {
  private static final ThreadLocal<@Nullable DeviceThread> CURRENT = new ThreadLocal<>();

  private final BlockThreads cluster;
  private final BlockState block;
  private final int rank;
  private final int rankInBlock;
  private final Thread carrier;
  private final AsyncCopies copies = new AsyncCopies(this);
  private final BulkStores bulkStores = new BulkStores(this);
  private final WarpGroupProducts products = new WarpGroupProducts(this);
  private volatile boolean hasTurn;
  private boolean started;
  private int accesses;
  private @Nullable Supplier<String> waitsFor;

  /**
   * A thread.
   *
   * @param rank its number among all threads of the cluster
   */
  DeviceThread(BlockThreads cluster, BlockState block, int rank, int rankInBlock) {
    this.cluster = cluster;
    this.block = block;
    this.rank = rank;
    this.rankInBlock = rankInBlock;
    this.carrier =
        Thread.ofVirtual()
            .name("stretto-device-thread-" + rank)
            .inheritInheritableThreadLocals(false)
            .unstarted(this::live);
  }

  /** The thread that calls, which an instruction needs. */
  static DeviceThread current(String what) {
    DeviceThread thread = CURRENT.get();
    if (thread == null) {
      throw new IllegalStateException(what + " is for kernels, and needs the threads of a block");
    }
    return thread;
  }

  /**
   * An atomic access happens. Whoever looks again and again whether another thread has done
   * something would look for ever if it never gave up its turn.
   */
  static void atomicAccess() {
    if (Thread.currentThread().isVirtual()) {
      DeviceThread thread = CURRENT.get();
      if (thread != null) {
        thread.order().atomic(thread);
      }
      if (thread != null && thread.cluster.turns().givesUpTurn(++thread.accesses)) {
        thread.cluster.pass(thread);
      }
    }
  }

  /** An atomic access has changed what others may look at. */
  static void changes() {
    if (Thread.currentThread().isVirtual()) {
      DeviceThread thread = CURRENT.get();
      if (thread != null) {
        thread.cluster.clusters().progresses();
      }
    }
  }

  /** Lets others go on. */
  static void sleep() {
    DeviceThread thread = CURRENT.get();
    if (thread == null) {
      Thread.onSpinWait();
    } else {
      thread.cluster.pass(thread);
    }
  }

  /** Its number among all threads of its cluster, which is mostly its block. */
  int rank() {
    return rank;
  }

  int rankInBlock() {
    return rankInBlock;
  }

  int lane() {
    return rankInBlock % 32;
  }

  BlockState block() {
    return block;
  }

  BlockThreads cluster() {
    return cluster;
  }

  BlockBarriers barriers() {
    return block.barriers();
  }

  WarpMeetings meetings() {
    return block.meetings(this);
  }

  BlockMemory memory() {
    return block.memory();
  }

  /** Those that it has begun and not waited for. */
  AsyncCopies copies() {
    return copies;
  }

  /** Those to global memory. */
  BulkStores bulkStores() {
    return bulkStores;
  }

  /** Those of its warp group. */
  WarpGroupProducts products() {
    return products;
  }

  /** What the lanes of its warp copy together. */
  SharedCopies warpCopies() {
    return block.warpCopies(this);
  }

  Mbarriers mbarriers() {
    return block.mbarriers();
  }

  SharedRaceDetector order() {
    return cluster.order();
  }

  boolean looksCloser() {
    return cluster.looksCloser();
  }

  /** What it waits for, in the words of a report; null if it can go on. */
  @Nullable String waitsFor() {
    return waitsFor == null ? null : waitsFor.get();
  }

  boolean isWaiting() {
    return waitsFor != null;
  }

  /** Waits until somebody says that this thread can go on, which is not before it has said so. */
  void await(Supplier<String> what) {
    waitsFor = what;
    cluster.wait(this);
  }

  /** Lets others go on before it asks again for what has not happened yet. */
  void poll(Supplier<String> what) {
    waitsFor = what;
    cluster.poll(this);
    waitsFor = null;
  }

  /** It can go on. */
  void goOn() {
    waitsFor = null;
    cluster.ready(this);
  }

  /** Gets the turn, from the thread that has it. */
  void giveTurn() {
    hasTurn = true;
    if (started) {
      LockSupport.unpark(carrier);
    } else {
      started = true;
      carrier.start();
    }
  }

  /** Keeps the turn, and does nothing for a while. */
  void pause(long nanos) {
    if (!cluster.isOver()) {
      LockSupport.parkNanos(this, nanos);
    }
  }

  /** Waits for the turn. */
  void awaitTurn() {
    while (!hasTurn && !cluster.isOver()) {
      LockSupport.park(this);
    }
    hasTurn = false;
    cluster.runs(this);
  }

  /** Wakes it up to see that the block is over. */
  void wake() {
    LockSupport.unpark(carrier);
  }

  /** Whether it has had a turn. */
  boolean hasBegun() {
    return started;
  }

  /** Waits until it has ended; nothing if it never began. */
  void join() throws InterruptedException {
    if (started) {
      carrier.join();
    }
  }

  @Override
  public String toString() {
    return "thread " + rank;
  }

  StackTraceElement[] stack() {
    return carrier.getStackTrace();
  }

  private void live() {
    CURRENT.set(this);
    cluster.live(this);
  }
}
