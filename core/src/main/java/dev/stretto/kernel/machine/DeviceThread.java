package dev.stretto.kernel.machine;

/** A thread of a block, with all that it has begun and all that its block shares. */
public final class DeviceThread extends Coroutine {
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
  public static DeviceThread current(String what) {
    return (DeviceThread) Coroutine.current(what);
  }

  /**
   * An atomic access happens. Whoever looks again and again whether another thread has done
   * something would look for ever if it never gave up its turn.
   */
  public static void atomicAccess() {
    if (Thread.currentThread().isVirtual() && currentOrNull() instanceof DeviceThread thread) {
      thread.order().atomic(thread);
      if (thread.cluster.turns().givesUpTurn(++thread.accesses)) {
        thread.cluster.pass(thread);
      }
    }
  }

  /** An atomic access has changed what others may look at. */
  public static void changes() {
    if (Thread.currentThread().isVirtual() && currentOrNull() instanceof DeviceThread thread) {
      thread.cluster.clusters().progresses();
    }
  }

  /** A store to global memory that bulk copies may read happens. */
  public static void stored(long address, long bytes) {
    DeviceThread thread = current("a store");
    thread.cluster.stores().stored(thread, address, bytes);
  }

  /** Lets others go on. */
  public static void sleep() {
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

  public BlockState block() {
    return block;
  }

  public BlockThreads cluster() {
    return cluster;
  }

  public BlockBarriers barriers() {
    return block.barriers();
  }

  public WarpMeetings meetings() {
    return block.meetings(this);
  }

  @Override
  public BlockMemory memory() {
    return block.memory();
  }

  /** Those that it has begun and not waited for. */
  @Override
  public AsyncCopies copies() {
    return copies;
  }

  /** Those to global memory. */
  public BulkStores bulkStores() {
    return bulkStores;
  }

  /** Those of its warp group. */
  public WarpGroupProducts products() {
    return products;
  }

  /** What the lanes of its warp copy together. */
  public SharedCopies warpCopies() {
    return block.warpCopies(this);
  }

  public Mbarriers mbarriers() {
    return block.mbarriers();
  }

  @Override
  public HappensBefore order() {
    return cluster.order();
  }

  @Override
  SharedRaceDetector races() {
    return cluster.races();
  }
}
