package dev.stretto.kernel;

/** A thread of a block, with all that it has begun and all that its block shares. */
final class DeviceThread extends Coroutine {
  private final BlockThreads cluster;
  private final BlockState block;
  private final AsyncCopies copies;
  private final BulkStores bulkStores;
  private final WarpGroupProducts products;
  private int accesses;

  /**
   * A thread.
   *
   * @param rank its number among all threads of the cluster
   */
  DeviceThread(BlockThreads cluster, BlockState block, int rank, int rankInBlock) {
    super(cluster, rank, rankInBlock);
    this.cluster = cluster;
    this.block = block;
    this.copies = new AsyncCopies(this);
    this.bulkStores = new BulkStores(this);
    this.products = new WarpGroupProducts(this, block.meetings(this));
  }

  /** The thread that calls, which an instruction needs. */
  static DeviceThread current(String what) {
    return (DeviceThread) Coroutine.current(what);
  }

  /**
   * An atomic access happens. Whoever looks again and again whether another thread has done
   * something would look for ever if it never gave up its turn.
   */
  static void atomicAccess() {
    if (Thread.currentThread().isVirtual() && currentOrNull() instanceof DeviceThread thread) {
      thread.order().atomic(thread);
      if (thread.cluster.turns().givesUpTurn(++thread.accesses)) {
        thread.cluster.pass(thread);
      }
    }
  }

  /** An atomic access has changed what others may look at. */
  static void changes() {
    if (Thread.currentThread().isVirtual() && currentOrNull() instanceof DeviceThread thread) {
      thread.cluster.clusters().progresses();
    }
  }

  /** A store to global memory that bulk copies may read happens. */
  static void stored(long address, long bytes) {
    DeviceThread thread = current("a store");
    thread.cluster.stores().stored(thread, address, bytes);
  }

  /** Lets others go on. */
  static void sleep() {
    if (currentOrNull() instanceof DeviceThread thread) {
      thread.cluster.pass(thread);
    } else {
      Thread.onSpinWait();
    }
  }

  @Override
  void live() {
    cluster.live(this);
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

  @Override
  BlockMemory memory() {
    return block.memory();
  }

  /** Those that it has begun and not waited for. */
  @Override
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

  @Override
  HappensBefore order() {
    return cluster.order();
  }

  @Override
  SharedRaceDetector races() {
    return cluster.races();
  }
}
