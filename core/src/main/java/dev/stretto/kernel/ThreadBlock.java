package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.SharedStorage;
import dev.stretto.kernel.machine.ThreadPosition;
import dev.stretto.memory.GlobalArray;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's block as one of its threads sees it: where the thread stands, what the block shares,
 * and how its threads wait for each other. What CUDA C++ calls {@code threadIdx}, {@code blockIdx},
 * {@code blockDim}, {@code gridDim}, {@code __shared__} and {@code __syncthreads()}.
 *
 * <p>The first parameter of every kernel method. It is valid during the call only.
 */
public final class ThreadBlock {
  private final LaunchExtents extents;
  private final int blockX;
  private final int blockY;
  private final int blockZ;
  private final int threadX;
  private final int threadY;
  private final int threadZ;
  private final @Nullable DeviceThread thread;

  /**
   * A thread of a block.
   *
   * @param thread what waits for others, or null where threads run one after the other
   */
  ThreadBlock(
      LaunchExtents extents,
      int blockX,
      int blockY,
      int blockZ,
      int threadX,
      int threadY,
      int threadZ,
      @Nullable DeviceThread thread) {
    this.extents = extents;
    this.blockX = blockX;
    this.blockY = blockY;
    this.blockZ = blockZ;
    this.threadX = threadX;
    this.threadY = threadY;
    this.threadZ = threadZ;
    this.thread = thread;
  }

  /** {@return a thread that waits for no other} */
  static ThreadBlock alone(
      LaunchExtents extents, int blockX, int blockY, int blockZ, int x, int y, int z) {
    return new ThreadBlock(extents, blockX, blockY, blockZ, x, y, z, null);
  }

  // --- where the thread stands
  // ------------------------------------------------------------------------------------------------

  /** {@return {@code blockIdx.x}} */
  @Instruction(value = "mov.u32 $r, %ctaid.x;", pure = true)
  public int blockIndexX() {
    return blockX;
  }

  /** {@return {@code blockIdx.y}} */
  @Instruction(value = "mov.u32 $r, %ctaid.y;", pure = true)
  public int blockIndexY() {
    return blockY;
  }

  /** {@return {@code blockIdx.z}} */
  @Instruction(value = "mov.u32 $r, %ctaid.z;", pure = true)
  public int blockIndexZ() {
    return blockZ;
  }

  /** {@return {@code threadIdx.x}} */
  @Instruction(value = "mov.u32 $r, %tid.x;", pure = true)
  public int threadIndexX() {
    return threadX;
  }

  /** {@return {@code threadIdx.y}} */
  @Instruction(value = "mov.u32 $r, %tid.y;", pure = true)
  public int threadIndexY() {
    return threadY;
  }

  /** {@return {@code threadIdx.z}} */
  @Instruction(value = "mov.u32 $r, %tid.z;", pure = true)
  public int threadIndexZ() {
    return threadZ;
  }

  /** {@return {@code blockDim.x}} */
  @Instruction(value = "mov.u32 $r, %ntid.x;", pure = true)
  public int blockSizeX() {
    return extents.blockX();
  }

  /** {@return {@code blockDim.y}} */
  @Instruction(value = "mov.u32 $r, %ntid.y;", pure = true)
  public int blockSizeY() {
    return extents.blockY();
  }

  /** {@return {@code blockDim.z}} */
  @Instruction(value = "mov.u32 $r, %ntid.z;", pure = true)
  public int blockSizeZ() {
    return extents.blockZ();
  }

  /** {@return {@code gridDim.x}} */
  @Instruction(value = "mov.u32 $r, %nctaid.x;", pure = true)
  public int gridSizeX() {
    return extents.gridX();
  }

  /** {@return {@code gridDim.y}} */
  @Instruction(value = "mov.u32 $r, %nctaid.y;", pure = true)
  public int gridSizeY() {
    return extents.gridY();
  }

  /** {@return {@code gridDim.z}} */
  @Instruction(value = "mov.u32 $r, %nctaid.z;", pure = true)
  public int gridSizeZ() {
    return extents.gridZ();
  }

  // The sums below are written with the methods above, not with the fields: they are compiled too.

  /** {@return how many threads the block has} */
  public int size() {
    return blockSizeX() * blockSizeY() * blockSizeZ();
  }

  /**
   * {@return the thread's number in its block, 0 to {@code size() - 1}: x counts first, then y,
   * then z} Threads 0 to 31 are the first warp.
   */
  public int threadRank() {
    return (threadIndexZ() * blockSizeY() + threadIndexY()) * blockSizeX() + threadIndexX();
  }

  /**
   * {@return {@code (long) blockIdx.x * blockDim.x + threadIdx.x}: the thread's number in a
   * one-dimensional launch}
   */
  public long globalIndexX() {
    return (long) blockIndexX() * blockSizeX() + threadIndexX();
  }

  /** {@return {@code (long) blockIdx.y * blockDim.y + threadIdx.y}} */
  public long globalIndexY() {
    return (long) blockIndexY() * blockSizeY() + threadIndexY();
  }

  /** {@return {@code (long) blockIdx.z * blockDim.z + threadIdx.z}} */
  public long globalIndexZ() {
    return (long) blockIndexZ() * blockSizeZ() + threadIndexZ();
  }

  /** {@return the thread's warp: the 32 threads of consecutive rank that execute together} */
  public Warp warp() {
    return new Warp(this);
  }

  // --- barriers
  // ---------------------------------------------------------------------------------------------------------------

  /**
   * Waits until every thread of the block that has not returned is here. What they did to shared
   * and global memory before is then visible to each of them. All threads of a warp have to call it
   * at the same place. What CUDA C++ calls {@code __syncthreads()}.
   */
  @Instruction(value = "bar.sync 0;", convergent = true)
  public void sync() {
    thread("sync").barriers().sync(0, 0);
  }

  /**
   * Waits as {@link #sync()} does.
   *
   * @param condition this thread's vote
   * @return how many threads voted true
   */
  @Instruction(value = "bar.red.popc.u32 $r, 0, $0;", convergent = true)
  public int syncCount(boolean condition) {
    return thread("syncCount").barriers().vote("syncCount", condition).count();
  }

  /**
   * Waits as {@link #sync()} does.
   *
   * @param condition this thread's vote
   * @return whether every thread voted true
   */
  @Instruction(value = "bar.red.and.pred $r, 0, $0;", convergent = true)
  public boolean syncAnd(boolean condition) {
    return thread("syncAnd").barriers().vote("syncAnd", condition).all();
  }

  /**
   * Waits as {@link #sync()} does.
   *
   * @param condition this thread's vote
   * @return whether some thread voted true
   */
  @Instruction(value = "bar.red.or.pred $r, 0, $0;", convergent = true)
  public boolean syncOr(boolean condition) {
    return thread("syncOr").barriers().vote("syncOr", condition).count() > 0;
  }

  // --- shared memory
  // ----------------------------------------------------------------------------------------------------------

  /**
   * {@return an array in the block's shared memory; the same one for every thread of the block that
   * gets here} Each place in the kernel has an array of its own, and so has each call of a method
   * that contains such a place. What the array holds at first is undefined.
   *
   * @param length in elements
   */
  public SharedBytes sharedBytes(@Const int length) {
    return new SharedBytes(shared(length, SharedBytes.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, as {@link #sharedBytes} is}
   *
   * @param length in elements
   */
  public SharedShorts sharedShorts(@Const int length) {
    return new SharedShorts(shared(length, SharedShorts.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, as {@link #sharedBytes} is}
   *
   * @param length in elements
   */
  public SharedInts sharedInts(@Const int length) {
    return new SharedInts(shared(length, SharedInts.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, as {@link #sharedBytes} is}
   *
   * @param length in elements
   */
  public SharedLongs sharedLongs(@Const int length) {
    return new SharedLongs(shared(length, SharedLongs.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, as {@link #sharedBytes} is}
   *
   * @param length in elements
   */
  public SharedFloats sharedFloats(@Const int length) {
    return new SharedFloats(shared(length, SharedFloats.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, as {@link #sharedBytes} is}
   *
   * @param length in elements
   */
  public SharedDoubles sharedDoubles(@Const int length) {
    return new SharedDoubles(shared(length, SharedDoubles.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, as {@link #sharedBytes} is}
   *
   * @param length in elements
   */
  public SharedHalfs sharedHalfs(@Const int length) {
    return new SharedHalfs(shared(length, SharedHalfs.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, as {@link #sharedBytes} is}
   *
   * @param length in elements
   */
  public SharedBfloats sharedBfloats(@Const int length) {
    return new SharedBfloats(shared(length, SharedBfloats.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return the shared memory whose size the launch says: {@code Grid.withSharedBytes}} All of it,
   * wherever it is asked for.
   */
  public SharedBytes dynamicShared() {
    SharedStorage memory = thread("dynamicShared").memory().dynamic();
    return new SharedBytes(memory, 0, memory.bytes());
  }

  private SharedStorage shared(int length, int elementBytes) {
    return thread("shared memory").memory().shared(Math.multiplyExact(length, elementBytes));
  }

  // --- asynchronous copies
  // ----------------------------------------------------------------------------------------------------

  /**
   * {@return the compute capability that the kernel is compiled for, such as 80 or 90} A constant:
   * what depends on it is decided when the kernel is compiled.
   */
  public int computeCapability() {
    return extents.computeCapability();
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work.
   * The copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait
   * for. As {@link #memcpyAsync(SharedArray, int, GlobalArray, long, int, int)} with an alignment
   * of 1.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work.
   * The copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait
   * for; until then what the destination holds is undefined, and the source must not change. What
   * they become depends on the alignment: {@code cp.async} of 16, 8 or 4 bytes a thread, or plain
   * loads and stores below 4.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param alignment of both ends that the caller promises, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size needs no promise, and the number of bytes
   *     may be any
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment) {
    if (CopyNotes.areTold()) {
      thread("memcpyAsync").block().copies().begins(to.span(), toIndex, from, fromIndex, count);
    }
    CopyLowering.chunksToShared(
        threadRank(), size(), to, toIndex, from, fromIndex, count, alignment, CopyLowering.GROUP);
    PtxCopies.cpAsyncCommitGroup();
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work;
   * whoever waits for the current phase of the barrier has them. As {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Barrier)} with an alignment of 1.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param barrier on which the copies complete
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Barrier barrier) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, barrier);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work;
   * whoever waits for the current phase of the barrier has them. With an alignment of 16 or more
   * one thread has a bulk copy done on compute capability 9.0; otherwise they are {@code cp.async}
   * of 16, 8 or 4 bytes a thread, or plain loads and stores below 4.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param alignment of both ends that the caller promises, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size needs no promise, and the number of bytes
   *     may be any
   * @param barrier on which the copies complete
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Barrier barrier) {
    if (CopyNotes.areTold()) {
      thread("memcpyAsync").block().copies().begins(to.span(), toIndex, from, fromIndex, count);
    }
    barrier.copy(threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
    if (barrier.isArrivedAtForOthers()) {
      sync();
    }
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work;
   * whoever waits for the stage that is being produced has them. As {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Pipeline)} with an alignment of 1.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param pipeline on which the copies complete
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Pipeline pipeline) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, pipeline);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work;
   * whoever waits for the stage that is being produced has them. With an alignment of 16 or more
   * one thread has a bulk copy done on compute capability 9.0; otherwise they are {@code cp.async}
   * of 16, 8 or 4 bytes a thread, or plain loads and stores below 4.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param alignment of both ends that the caller promises, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size needs no promise, and the number of bytes
   *     may be any
   * @param pipeline on which the copies complete
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Pipeline pipeline) {
    if (CopyNotes.areTold()) {
      thread("memcpyAsync").block().copies().begins(to.span(), toIndex, from, fromIndex, count);
    }
    pipeline.copy(threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * What this thread stored before, to global or shared memory, comes before what bulk copies do to
   * it that are begun behind the next barrier. Where {@code memcpyAsync} with a barrier or a
   * pipeline reads what threads of the same kernel have stored, each of them calls this behind its
   * stores, and then all come to {@link #sync()} or another barrier. Nothing on targets that have
   * no bulk copies. Needs no other thread. What PTX calls {@code fence.proxy.async}.
   */
  public void fenceProxyAsync() {
    if (computeCapability() >= 90) {
      PtxBulkCopies.fenceProxyAsync();
    }
  }

  /**
   * Copies elements to global memory, synchronously: all threads of the block call it and share the
   * work, and each thread has stored its part when this returns.
   *
   * @param to gets the elements
   * @param toIndex of the first there
   * @param from has them
   * @param fromIndex of the first there
   * @param count how many elements, 0 or more
   * @param alignment of both ends that the caller promises, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size needs no promise, and the number of bytes
   *     may be any
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      @Const int alignment) {
    if (CopyNotes.areTold()) {
      thread("memcpyAsync").block().copies().begins(from.span(), fromIndex, to, toIndex, count);
    }
    CopyLowering.toGlobal(threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Waits for all groups of copies of {@code memcpyAsync}, and then for the block's other threads.
   */
  public void waitAll() {
    PtxCopies.cpAsyncWaitAll();
    sync();
  }

  /**
   * Waits for all groups of copies of {@code memcpyAsync} but the newest ones, and then for the
   * block's other threads.
   *
   * @param groups how many may be left, 0 or more
   */
  public void waitPrior(@Const int groups) {
    PtxCopies.cpAsyncWaitGroup(groups);
    sync();
  }

  /** {@return the blocks that run at the same time as this one, itself included} */
  public Cluster cluster() {
    return new Cluster();
  }

  /**
   * {@return a barrier object on which every thread of the block arrives, each for itself; waits
   * for all of them}
   */
  public Barrier barrier() {
    return new Barrier(computeCapability(), barrierWords(size()), 0, true, false, false);
  }

  /**
   * {@return a barrier object; all threads of the block make it together, and wait for each other}
   *
   * @param count how many arrivals end a phase, 1 to {@link PtxBarriers#MOST}
   */
  public Barrier barrier(int count) {
    return barrierAt(barrierWords(count), 0);
  }

  private SharedLongs barrierWords(int count) {
    SharedLongs words = sharedLongs(1);
    if (threadRank() == 0) {
      PtxBarriers.mbarrierMake(words, 0, count);
    }
    sync();
    return words;
  }

  /**
   * {@return a barrier object at which threads of other blocks of the cluster may arrive too} All
   * threads of the cluster make it together, each block one of its own, and wait for each other.
   *
   * @param count how many arrivals end a phase, 1 to {@link PtxBarriers#MOST}
   * @param scope {@link Scope#BLOCK} as for {@link #barrier(int)}, or {@link Scope#CLUSTER}
   */
  public Barrier barrier(int count, @Const Scope scope) {
    CopyNotes.require(
        scope == Scope.BLOCK || scope == Scope.CLUSTER,
        "a barrier whose scope is wider than a cluster",
        "barrier objects lie in shared memory, which a cluster reaches; use Atomics beyond");
    if (scope == Scope.BLOCK) {
      return barrier(count);
    }
    requireClusters();
    SharedLongs words = sharedLongs(1);
    if (threadRank() == 0) {
      PtxBarriers.mbarrierMake(words, 0, count);
      PtxClusters.fenceMbarrierInit();
    }
    cluster().sync();
    return new Barrier(computeCapability(), words, 0, false, true, false);
  }

  private void requireClusters() {
    CopyNotes.require(
        computeCapability() >= 90,
        "a barrier of Scope.CLUSTER needs compute capability 9.0",
        "compile it for a newer device, or make a barrier of the block");
  }

  /**
   * {@return the barrier object that {@link PtxBarriers#mbarrierInit} has made}
   *
   * @param words has it
   * @param index of it
   */
  public Barrier barrierAt(SharedLongs words, int index) {
    return new Barrier(computeCapability(), words, index, false, false, false);
  }

  /**
   * {@return the barrier object that {@link PtxBarriers#mbarrierInit} has made}
   *
   * @param words has it
   * @param index of it
   * @param scope {@link Scope#BLOCK}, or {@link Scope#CLUSTER} if threads of other blocks arrive
   */
  public Barrier barrierAt(SharedLongs words, int index, @Const Scope scope) {
    if (scope == Scope.CLUSTER) {
      requireClusters();
    }
    return new Barrier(computeCapability(), words, index, false, scope == Scope.CLUSTER, false);
  }

  /**
   * {@return a pipeline in which every thread of the block produces and consumes; all of them make
   * it together, and wait for each other}
   *
   * @param stages how many, 1 or more
   */
  public Pipeline pipeline(@Const int stages) {
    CopyPromises.stages(stages);
    return Pipeline.make(this, sharedLongs(2 * stages), sharedInts(4), stages, 0);
  }

  /**
   * {@return a pipeline in which the first threads of the block produce and the others consume; all
   * of them make it together, and wait for each other}
   *
   * @param stages how many, 1 or more
   * @param producers how many threads, 1 to {@code size() - 1}
   */
  public Pipeline pipeline(@Const int stages, int producers) {
    CopyPromises.stages(stages);
    CopyPromises.producers(this, producers);
    return Pipeline.make(this, sharedLongs(2 * stages), sharedInts(4), stages, producers);
  }

  // --- clocks
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a counter of the multiprocessor's cycles; only differences that one thread took say
   * something} On a virtual device it counts nanoseconds of the host.
   */
  @Instruction("mov.u64 $r, %clock64;")
  public long clock() {
    return System.nanoTime();
  }

  /**
   * {@return a counter of nanoseconds that is the same on the whole device; its resolution may be
   * as coarse as a microsecond}
   */
  @Instruction("mov.u64 $r, %globaltimer;")
  public long globalTimer() {
    return System.nanoTime();
  }

  /** The thread that waits for others. */
  DeviceThread thread(String what) {
    if (thread == null) {
      throw new IllegalStateException(
          what + " in a kernel whose threads run one after the other: they cannot wait");
    }
    return thread;
  }

  @Override
  public String toString() {
    return new ThreadPosition(extents, blockX, blockY, blockZ, threadX, threadY, threadZ)
        .toString();
  }
}
