package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import dev.stretto.fault.DeadlockException;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Runs clusters of blocks whose threads wait for each other, one cluster after the other, each
 * thread as a coroutine: a {@link DeviceThread}. Most clusters are one block.
 */
final class BlockThreads {
  /** What every thread does. */
  interface Body {
    void run(ThreadBlock block) throws Throwable;
  }

  /** Unwinds the threads that are left when one has failed. */
  private static final class Abandoned extends Error {
    private static final long serialVersionUID = 1L;

    Abandoned() {
      super("another thread of the block has failed", null, false, false);
    }
  }

  /** After how long it is logged that threads only let each other go on. Tests are impatient. */
  static volatile long longNanos = 60_000_000_000L;

  /** How long threads may ask in vain, one after the other and nothing else. */
  private static final long MOST_POLLING_NANOS = 300_000_000L;

  private static final int MOST_POLLS = 2_000;

  private final KernelFaults faults;
  private final LaunchExtents extents;
  private final Body body;
  private final TurnOrder turns;
  private final boolean watches;
  private final DeviceThread[] threads;
  private final BlockState[] blocks;
  private final ClusterBarrier clusterBarrier;
  private final SharedWatch order;
  private final GlobalStores stores;
  private final BitSet ready;
  private final CountDownLatch end = new CountDownLatch(1);
  private long cluster;
  private long lastCluster;
  private int live;
  private boolean looksCloser;
  private long progressNanos;
  private int polls;
  private boolean saidSo;
  private DeviceThread running;
  private volatile boolean over;
  private @Nullable Throwable failure;

  /**
   * Clusters.
   *
   * @param watches whether memory is watched from the beginning, since what threads store there may
   *     be multiplied by their warp group, or read by bulk copies
   */
  BlockThreads(
      KernelFaults faults, LaunchExtents extents, Body body, TurnOrder turns, boolean watches) {
    this(faults, extents, body, turns, watches, false);
  }

  private BlockThreads(
      KernelFaults faults,
      LaunchExtents extents,
      Body body,
      TurnOrder turns,
      boolean watches,
      boolean keepsLines) {
    this.watches = watches;
    this.faults = faults;
    this.extents = extents;
    this.body = body;
    this.turns = turns;
    int each = extents.threadsPerBlock();
    int count = each * extents.blocksPerCluster();
    this.order = new SharedWatch(this, count, keepsLines);
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

  /**
   * Runs some clusters and returns when every thread has ended.
   *
   * @throws RuntimeException if a thread failed
   */
  void run(long first, long last) {
    cluster = first;
    lastCluster = last;
    begin();
    looksCloser = true;
    threads[turns.next(ready, -1)].giveTurn();
    awaitAll();
    Throwable failed = failure;
    if (failed != null && failed.getCause() instanceof CopyMisuse misuse && misuse.lacksLine()) {
      againWithLines();
    }
    if (failed instanceof RuntimeException e) {
      throw e;
    } else if (failed instanceof Error e) {
      throw e;
    }
  }

  /**
   * The launch has failed anyway: what the cluster does to memory a second time does not matter.
   */
  private void againWithLines() {
    new BlockThreads(faults, extents, body, turns, watches, true).run(cluster, cluster + 1);
  }

  private void begin() {
    live = threads.length;
    progressNanos = System.nanoTime();
    looksCloser = turns.looksCloser();
    ready.set(0, threads.length);
    order.begin();
    stores.begin();
    clusterBarrier.begin();
    for (BlockState block : blocks) {
      block.begin();
    }
    if (watches) {
      order.activate();
    }
  }

  private void awaitAll() {
    boolean interrupted = false;
    boolean waiting = true;
    while (waiting) {
      try {
        end.await();
        for (DeviceThread thread : threads) {
          thread.join();
        }
        waiting = false;
      } catch (InterruptedException _) {
        // The memory that the threads use may not be let go of before they have ended.
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** What a thread does from its first turn on. */
  void live(DeviceThread thread) {
    try {
      thread.awaitTurn();
      while (!over) {
        ThreadBlock position = position(thread);
        thread.copies().clear();
        thread.bulkStores().clear();
        thread.products().clear();
        try {
          body.run(position);
          thread.bulkStores().leave();
          thread.products().leave();
          leave(thread);
        } catch (Abandoned _) {
          return;
        } catch (Throwable e) {
          fail(faults.of(position, e));
          return;
        }
      }
    } catch (Throwable e) {
      // A mistake of this machinery must not leave the launch hanging.
      fail(e);
    }
  }

  private ThreadBlock position(DeviceThread thread) {
    int x = thread.rankInBlock() % extents.blockX();
    int yz = thread.rankInBlock() / extents.blockX();
    int block = thread.block().number();
    return new ThreadBlock(
        extents,
        extents.x(cluster, block),
        extents.y(cluster, block),
        extents.z(cluster, block),
        x,
        yz % extents.blockY(),
        yz / extents.blockY(),
        thread);
  }

  /** A thread has returned from the kernel; comes back when it has the turn in another cluster. */
  private void leave(DeviceThread thread) {
    live--;
    polls = 0;
    progressNanos = System.nanoTime();
    ready.clear(thread.rank());
    thread.block().leave(thread);
    clusterBarrier.leave(thread);
    if (live == 0) {
      cluster++;
      if (cluster == lastCluster) {
        finish();
        return;
      }
      begin();
    }
    giveTurn(thread);
  }

  private void finish() {
    over = true;
    for (DeviceThread thread : threads) {
      thread.wake();
    }
    end.countDown();
  }

  private synchronized void fail(Throwable e) {
    if (failure == null) {
      failure = e;
    }
    finish();
  }

  /** A thread waits until another one calls {@link #ready}. */
  void wait(DeviceThread thread) {
    ready.clear(thread.rank());
    giveTurn(thread);
    if (over) {
      throw new Abandoned();
    }
  }

  void ready(DeviceThread thread) {
    ready.set(thread.rank());
    polls = 0;
    progressNanos = System.nanoTime();
  }

  /**
   * A thread lets others go on, if any can. That threads do so for minutes proves nothing: they may
   * compute, or wait for the host. So it is logged, once for a launch's part, and they go on, as on
   * a GPU.
   */
  void pass(DeviceThread thread) {
    if (!saidSo && System.nanoTime() - progressNanos > longNanos) {
      saidSo = true;
      System.getLogger("dev.stretto")
          .log(
              System.Logger.Level.WARNING,
              "for {0} s no thread of a block has returned or got past a barrier. If threads look"
                  + " again and again for what another block is to do, that never ends: blocks need"
                  + " not run at the same time, so one must not wait for another",
              (System.nanoTime() - progressNanos) / 1_000_000_000);
    }
    polls = 0;
    giveTurn(thread);
    if (over) {
      throw new Abandoned();
    }
  }

  /**
   * A thread lets others go on before it asks again.
   *
   * @throws DeadlockException if no thread has done anything but ask for too long
   */
  void poll(DeviceThread thread) {
    polls++;
    if (polls > MOST_POLLS * threads.length
        && System.nanoTime() - progressNanos > MOST_POLLING_NANOS) {
      throw KernelFaults.deadlock(threads, live);
    }
    giveTurn(thread);
    if (over) {
      throw new Abandoned();
    }
  }

  /** Gives the turn to whoever is next and comes back when the thread has it again. */
  private void giveTurn(DeviceThread thread) {
    int next = turns.next(ready, thread.rank());
    if (next < 0) {
      throw KernelFaults.deadlock(threads, live);
    }
    if (next != thread.rank()) {
      threads[next].giveTurn();
      thread.awaitTurn();
    }
  }

  /** Whether mistakes are looked for whose search takes its time. */
  boolean looksCloser() {
    return looksCloser;
  }

  boolean isOver() {
    return over;
  }

  int liveThreads() {
    return live;
  }

  TurnOrder turns() {
    return turns;
  }

  SharedWatch order() {
    return order;
  }

  /** What threads have stored to global memory, where bulk copies may read it. */
  GlobalStores stores() {
    return stores;
  }

  /** The thread that has the turn. */
  DeviceThread running() {
    return running;
  }

  void runs(DeviceThread thread) {
    running = thread;
  }

  ClusterBarrier clusterBarrier() {
    return clusterBarrier;
  }

  /** Those blocks of the cluster whose bits are set. */
  List<BlockState> blocks(String what, int bits) {
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

  /** The blocks that run at the same time. */
  BlockState[] blocks() {
    return blocks;
  }
}
