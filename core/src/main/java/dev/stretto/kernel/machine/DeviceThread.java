package dev.stretto.kernel.machine;

import dev.stretto.memory.GlobalArray;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a block, with the operations that it has begun and the state that its block shares.
 */
public final class DeviceThread extends Coroutine {
  /** Observes the accesses of the calling thread to global memory. */
  public static final Resident.Accesses ACCESSES =
      new Resident.Accesses() {
        @Override
        public void stored(Resident memory, long address, long bytes) {
          accesses(ThreadAccess.WRITE, memory, address, bytes);
          DeviceThread.stored(address, bytes);
        }

        @Override
        public void storedAtomically(long address, long bytes) {
          DeviceThread.stored(address, bytes);
        }

        @Override
        public void loaded(Resident memory, long address, long bytes) {
          accesses(ThreadAccess.READ, memory, address, bytes);
        }
      };

  private static final long NOWHERE = -1;

  private final BlockThreads cluster;
  private final BlockState block;
  private final AsyncCopies copies;
  private final BulkStores bulkStores;
  private final WarpGroupProducts products;
  private final ThreadTime time;
  private final VisitedPlaces places = new VisitedPlaces();
  private final ThreadLooks looks;
  private int accesses;

  /**
   * Creates a thread.
   *
   * @param rank the thread's number among all threads of the cluster
   * @param looked where threads of the launch look again and again; null if nobody wants to know
   */
  DeviceThread(
      BlockThreads cluster,
      BlockState block,
      int rank,
      int rankInBlock,
      boolean carried,
      @Nullable LookedPlaces looked) {
    super(cluster, rank, rankInBlock, carried);
    this.cluster = cluster;
    this.block = block;
    this.time = new ThreadTime(cluster);
    this.looks = new ThreadLooks(cluster, rankInBlock, looked);
    this.copies = new AsyncCopies(this);
    this.bulkStores = new BulkStores(this);
    this.products = new WarpGroupProducts(this, block.meetings(this));
  }

  /** The calling thread, which has to be a thread of a block. */
  public static DeviceThread current(String what) {
    return (DeviceThread) Coroutine.current(what);
  }

  /**
   * Called at an atomic access. A thread that polls for something that another thread has to do
   * would poll forever if it never gave up its turn.
   */
  private static @Nullable DeviceThread accessesAtomically(long place) {
    if (currentOrNull() instanceof DeviceThread thread) {
      BlockThreads cluster = thread.cluster;
      if (place != NOWHERE) {
        thread.time.looks();
      }
      cluster.looks.mayLook(place == NOWHERE ? null : thread.places, place);
      if (cluster.turns().givesUpTurn(++thread.accesses) || cluster.looks.areDue()) {
        cluster.pass(thread);
      }
      return thread.order().isActive() ? thread : null;
    }
    return null;
  }

  /**
   * Called at an atomic access to global memory.
   *
   * @param wide whether it is atomic for threads of other clusters
   * @return what has to be told of it; null if nobody watches
   */
  public static @Nullable AtomicAccess accessesAtomically(long address, int bytes, boolean wide) {
    DeviceThread thread = accessesAtomically(address);
    return thread == null ? null : thread.cluster.globalAtomic(thread, address, bytes, wide);
  }

  /**
   * Called at an atomic access to shared memory.
   *
   * @return what has to be told of it; null if nobody watches
   */
  public static @Nullable AtomicAccess accessesAtomically(
      SharedStorage storage, int at, int bytes) {
    storage.isUsed();
    DeviceThread thread =
        accessesAtomically((long) System.identityHashCode(storage) << Integer.SIZE | at);
    return thread == null
        ? null
        : new AtomicAccess(
            thread,
            thread.order().place(storage, at),
            thread.cluster.races().atomic(storage, at, bytes),
            false);
  }

  /**
   * Called at a fence.
   *
   * @param wide whether it is one for threads of other clusters
   * @param system whether it is one for the host
   */
  public static void fences(boolean wide, boolean system) {
    if (currentOrNull() instanceof DeviceThread thread) {
      thread.order().fence(thread, wide);
      if (system) {
        thread.cluster.fenceSystem();
      }
      boolean _ = accessesAtomically(NOWHERE) == null;
    }
  }

  /** Called when an atomic access has changed a value that other threads may poll. */
  public static void changes() {
    if (currentOrNull() instanceof DeviceThread thread) {
      thread.cluster.progresses();
    }
  }

  /**
   * Called when an atomic access changes an element of global memory.
   *
   * @param old what the element held before
   */
  public static void changes(long address, long old) {
    if (currentOrNull() instanceof DeviceThread thread) {
      thread.cluster.progresses();
      thread.looks.changes(address, old);
    }
  }

  /**
   * Called at an atomic access to an element of global memory that does not change it.
   *
   * @param content reads the element
   */
  public static void looks(long address, LongSupplier content) {
    if (currentOrNull() instanceof DeviceThread thread) {
      thread.looks.looks(address, content);
    }
  }

  /** Called at a store to global memory that bulk copies may read. */
  static void stored(long address, long bytes) {
    if (currentOrNull() instanceof DeviceThread thread) {
      thread.cluster.stores().stored(thread, address, bytes);
    }
  }

  private static void accesses(ThreadAccess kind, Resident memory, long address, long bytes) {
    if (currentOrNull() instanceof DeviceThread thread) {
      GlobalWatch watch = thread.cluster.globalWatch();
      if (watch != null) {
        watch.access(kind, thread, memory, address, bytes, true);
      }
    }
  }

  /** Called when the thread has begun a copy that reads global memory. */
  void readsGlobal(PendingCopy copy, GlobalArray from, long fromByte, long bytes) {
    GlobalWatch watch = cluster.globalWatch();
    if (watch != null) {
      watch.begins(copy, this, address(from, fromByte), bytes);
    }
  }

  /**
   * Called when the thread has begun a copy that writes global memory.
   *
   * @param kind how: a reduction changes each element atomically
   */
  void writesGlobal(
      PendingStore store, ThreadAccess kind, GlobalArray to, long toByte, long bytes) {
    GlobalWatch watch = cluster.globalWatch();
    if (watch != null) {
      watch.begins(store, kind, this, address(to, toByte), bytes);
    }
  }

  /** Called when the thread has begun a copy that reads a box of a tensor. */
  void readsGlobal(PendingCopy copy, TensorBox box) {
    GlobalWatch watch = cluster.globalWatch();
    if (watch != null) {
      box.bytes((address, bytes) -> watch.begins(copy, this, address, bytes));
    }
  }

  /**
   * Called when the thread has begun a copy that writes a box of a tensor.
   *
   * @param kind how: a reduction changes each element atomically
   */
  void writesGlobal(PendingStore store, ThreadAccess kind, TensorBox box) {
    GlobalWatch watch = cluster.globalWatch();
    if (watch != null) {
      box.bytes((address, bytes) -> watch.begins(store, kind, this, address, bytes));
    }
  }

  private static long address(GlobalArray array, long at) {
    return array.allocation().address() + array.byteOffset() + at;
  }

  /** Sleeps for so many nanoseconds, and lets other threads run. */
  public static void sleep(long nanos) {
    if (currentOrNull() instanceof DeviceThread thread) {
      thread.time.sleeps(nanos);
      thread.cluster.pass(thread);
    } else {
      Thread.onSpinWait();
    }
  }

  /** The thread's modelled time. */
  @Override
  public ThreadTime time() {
    return time;
  }

  @Override
  void live() {
    ((CarriedThreads) cluster).live(this);
  }

  public BlockState block() {
    return block;
  }

  /** What a block of the cluster has at the place of an array of this thread's block. */
  public SharedStorage sharedOf(int rank, SharedSpan array) {
    return cluster.block("Cluster.shared", rank).shared(block(), array);
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

  /** The copies that the thread has begun and not waited for. */
  @Override
  public AsyncCopies copies() {
    return copies;
  }

  /** The compute capability that the kernel is compiled for. */
  public int computeCapability() {
    return cluster.extents().computeCapability();
  }

  /** The thread's bulk copies to global memory. */
  public BulkStores bulkStores() {
    return bulkStores;
  }

  /** What the thread looks at again and again. */
  ThreadLooks looks() {
    return looks;
  }

  /** Where the thread has accessed memory atomically. */
  VisitedPlaces places() {
    return places;
  }

  /** The products that the thread has begun with its warp group. */
  public WarpGroupProducts products() {
    return products;
  }

  /** The copies that the lanes of the thread's warp make together. */
  public SharedCopies warpCopies() {
    return block.warpCopies(this);
  }

  /** The copies that the threads of its tile make together. */
  public SharedCopies tileCopies(int lanes) {
    return block.groupCopies().ofTile(this, lanes);
  }

  /** The copies that the threads of some warps make together, to which it has to belong. */
  public SharedCopies copiesOfWarps(int first, int count) {
    return block.groupCopies().ofWarps(this, first, count);
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
