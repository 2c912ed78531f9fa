package dev.stretto.kernel.machine;

/**
 * Runs the threads of one cluster of blocks after another, each on a thread of the JVM. {@link
 * Clusters} holds one instance for each cluster that runs at the same time.
 */
final class CarriedThreads extends BlockThreads {
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
  private final boolean admitted;
  private int polls;

  /** Whether no thread of the cluster has had a turn yet. */
  private boolean fresh = true;

  private DeviceThread running;
  private volatile boolean over;

  CarriedThreads(Clusters clusters, boolean admitted) {
    super(
        clusters.kernel(),
        clusters.turns(),
        clusters.looks(),
        clusters.looked(),
        clusters.keepsLines(),
        true);
    this.clusters = clusters;
    this.admitted = admitted;
    this.running = threads[0];
  }

  /**
   * Gives the turn to a thread of this cluster. A thread of another cluster, or of the host, calls
   * this.
   */
  void giveTurn() {
    int after = fresh ? -1 : running.rank();
    fresh = false;
    threads[turns().next(ready, after)].giveTurn();
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
        thread.places().begin();
        thread.looks().begin();
        try {
          CallPath.begin(() -> clusters.body().run(position, thread));
          order().settle();
          order().comes(thread);
          thread.looks().goesOn();
          thread.bulkStores().leave();
          thread.products().leave();
          leave(thread);
        } catch (Abandoned _) {
          return;
        } catch (Throwable e) {
          IllegalStateException fault = clusters.faults().of(position, e);
          if (!clusters.goOnWithout(this, thread.rank(), e, fault)) {
            return;
          }
          leave(thread);
        }
      }
    } catch (Throwable e) {
      // A bug in this package must not leave the launch hanging.
      clusters.fail(this, e);
    }
  }

  private void leave(DeviceThread thread) {
    live--;
    polls = 0;
    clearReady(thread);
    thread.block().leave(thread);
    clusterBarrier.leave(thread);
    gotOn();
    if (live > 0) {
      giveTurn(thread, false);
      return;
    }
    long next = clusters.next(this);
    if (next >= 0) {
      begin(next);
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
  void gotOn() {
    polls = 0;
    super.gotOn();
  }

  /**
   * Lets other threads run, if any can. Threads that do so for minutes are not necessarily stuck:
   * they may compute, or wait for the host.
   */
  @Override
  void pass(Coroutine thread) {
    polls = 0;
    clusters.passes(this, thread);
    passTime();
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
    looks.asksAgain(thread.rank());
    polls++;
    passTime();
    if (polls > MOST_POLLS * threads.length
        && System.nanoTime() - progressNanos() > MOST_POLLING_NANOS
        && !timedWaits().pass()) {
      throw deadlock();
    }
    giveTurn(thread, false);
    if (over) {
      throw new Abandoned();
    }
  }

  /** Gives the turn to the next thread and returns when this thread has it again. */
  private void giveTurn(Coroutine thread, boolean passes) {
    if (ready.isEmpty() && !timedWaits().pass()) {
      throw deadlock();
    }
    CarriedThreads other = clusters.next(this, passes);
    if (other != this) {
      other.giveTurn();
      thread.awaitTurn();
      return;
    }
    int next = turns().next(ready, thread.rank());
    if (next != thread.rank()) {
      threads[next].giveTurn();
      thread.awaitTurn();
    }
  }

  boolean isAdmitted() {
    return admitted;
  }

  @Override
  public boolean isOver() {
    return over;
  }

  @Override
  public DeviceThread running() {
    return running;
  }

  @Override
  public void runs(Coroutine thread) {
    running = threads[thread.rank()];
  }
}
