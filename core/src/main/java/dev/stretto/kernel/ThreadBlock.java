package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.LaunchExtents;
import dev.stretto.kernel.machine.SharedStorage;
import dev.stretto.kernel.machine.ThreadPosition;
import dev.stretto.memory.GlobalArray;
import org.jspecify.annotations.Nullable;

/**
 * A kernel's block as one of its threads sees it: the thread's position, the memory that the block
 * shares, and the ways in which its threads wait for each other. The equivalent of {@code
 * threadIdx}, {@code blockIdx}, {@code blockDim}, {@code gridDim}, {@code __shared__} and {@code
 * __syncthreads()} in CUDA C++.
 *
 * <p>It is the first parameter of every kernel method, and valid only during the call.
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
   * Creates a thread of a block.
   *
   * @param thread waits for others; null if threads run one after the other
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

  // These sums use the methods above, not the fields, since they are also compiled.

  /** {@return how many threads the block has} */
  public int size() {
    return blockSizeX() * blockSizeY() * blockSizeZ();
  }

  /**
   * {@return the thread's number in its block, 0 to {@code size() - 1}: x varies fastest, then y,
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

  /** {@return all threads of the launch, which can wait for each other if it is cooperative} */
  public GridGroup grid() {
    return new GridGroup(this);
  }

  // --- barriers
  // ---------------------------------------------------------------------------------------------------------------

  /**
   * Waits until every thread of the block that has not returned has called it. Their earlier writes
   * to shared and global memory are then visible to each of them. All threads of a warp must call
   * it at the same place. The equivalent of {@code __syncthreads()} in CUDA C++.
   */
  @Instruction(value = "bar.sync 0;", convergent = true)
  public void sync() {
    thread("sync").barriers().sync(0, 0);
  }

  /**
   * Waits like {@link #sync()}.
   *
   * @param condition this thread's vote
   * @return how many threads voted true
   */
  @Instruction(value = "bar.red.popc.u32 $r, 0, $0;", convergent = true)
  public int syncCount(boolean condition) {
    return thread("syncCount").barriers().vote("syncCount", condition).count();
  }

  /**
   * Waits like {@link #sync()}.
   *
   * @param condition this thread's vote
   * @return whether every thread voted true
   */
  @Instruction(value = "bar.red.and.pred $r, 0, $0;", convergent = true)
  public boolean syncAnd(boolean condition) {
    return thread("syncAnd").barriers().vote("syncAnd", condition).all();
  }

  /**
   * Waits like {@link #sync()}.
   *
   * @param condition this thread's vote
   * @return whether any thread voted true
   */
  @Instruction(value = "bar.red.or.pred $r, 0, $0;", convergent = true)
  public boolean syncOr(boolean condition) {
    return thread("syncOr").barriers().vote("syncOr", condition).count() > 0;
  }

  // --- shared memory
  // ----------------------------------------------------------------------------------------------------------

  /**
   * {@return an array in the block's shared memory; the same one for every thread of the block that
   * executes the call} Each place in the kernel has an array of its own, and so has each call of a
   * method that contains such a place. The initial content is undefined.
   *
   * @param length in elements
   */
  public SharedBytes sharedBytes(@Const int length) {
    return new SharedBytes(shared(length, SharedBytes.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, like {@link #sharedBytes}}
   *
   * @param length in elements
   */
  public SharedShorts sharedShorts(@Const int length) {
    return new SharedShorts(shared(length, SharedShorts.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, like {@link #sharedBytes}}
   *
   * @param length in elements
   */
  public SharedInts sharedInts(@Const int length) {
    return new SharedInts(shared(length, SharedInts.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, like {@link #sharedBytes}}
   *
   * @param length in elements
   */
  public SharedLongs sharedLongs(@Const int length) {
    return new SharedLongs(shared(length, SharedLongs.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, like {@link #sharedBytes}}
   *
   * @param length in elements
   */
  public SharedFloats sharedFloats(@Const int length) {
    return new SharedFloats(shared(length, SharedFloats.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, like {@link #sharedBytes}}
   *
   * @param length in elements
   */
  public SharedDoubles sharedDoubles(@Const int length) {
    return new SharedDoubles(shared(length, SharedDoubles.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, like {@link #sharedBytes}}
   *
   * @param length in elements
   */
  public SharedHalfs sharedHalfs(@Const int length) {
    return new SharedHalfs(shared(length, SharedHalfs.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return an array in the block's shared memory, like {@link #sharedBytes}}
   *
   * @param length in elements
   */
  public SharedBfloats sharedBfloats(@Const int length) {
    return new SharedBfloats(shared(length, SharedBfloats.ELEMENT_BYTES), 0, length);
  }

  /**
   * {@return the dynamic shared memory, whose size the launch sets: {@code Grid.withSharedBytes}}
   * Every call returns all of it.
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
   * {@return the compute capability that the kernel is compiled for, such as 75, 90 or 120} That of
   * the device. A constant: conditions on it are resolved when the kernel is compiled.
   */
  public int computeCapability() {
    return extents.computeCapability();
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work.
   * The copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait
   * for. Same as {@link #memcpyAsync(SharedArray, int, GlobalArray, long, int, int)} with an
   * alignment of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
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
   * for; until then the content of the destination is undefined, and the source must not change.
   * Depending on the alignment, they become {@code cp.async} of 16, 8 or 4 bytes per thread, or
   * plain loads and stores if it is below 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
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
    CopyNotes.begins(to, toIndex, from, fromIndex, count);
    CopyLowering.chunksToShared(
        threadRank(), size(), to, toIndex, from, fromIndex, count, alignment, CopyLowering.GROUP);
    PtxCopies.cpAsyncCommitGroup();
    StoreGroups.commit(computeCapability());
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work.
   * A thread that waits for the current phase of the barrier sees them. Same as {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Barrier)} with an alignment of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param barrier the barrier that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Barrier barrier) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, barrier);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work.
   * A thread that waits for the current phase of the barrier sees them. With an alignment of 16 or
   * more, on compute capability 9.0, one thread begins a bulk copy; otherwise the copies become
   * {@code cp.async} of 16, 8 or 4 bytes per thread, or plain loads and stores if the alignment is
   * below 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param barrier the barrier that the copies complete on
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
    CopyNotes.begins(to, toIndex, from, fromIndex, count);
    barrier.copy(threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
    if (barrier.isArrivedAtForOthers()) {
      sync();
    }
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work.
   * A thread that waits for the stage being produced sees them. Same as {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int, Pipeline)} with an alignment of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param pipeline the pipeline that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Pipeline pipeline) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1, pipeline);
  }

  /**
   * Begins to copy elements to shared memory; all threads of the block call it and share the work.
   * A thread that waits for the stage being produced sees them. With an alignment of 16 or more, on
   * compute capability 9.0, one thread begins a bulk copy; otherwise the copies become {@code
   * cp.async} of 16, 8 or 4 bytes per thread, or plain loads and stores if the alignment is below
   * 4.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param pipeline the pipeline that the copies complete on
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
    CopyNotes.begins(to, toIndex, from, fromIndex, count);
    pipeline.copy(threadRank(), size(), 0, to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Orders this thread's earlier stores, to global or shared memory, before accesses by bulk copies
   * that begin after the next barrier. If {@code memcpyAsync} with a barrier or a pipeline reads
   * data that threads of the same kernel have stored, each of them must call this after its stores,
   * and then all must pass {@link #sync()} or another barrier. Does nothing on targets without bulk
   * copies. Does not wait for other threads. The equivalent of {@code fence.proxy.async} in PTX.
   */
  public void fenceProxyAsync() {
    if (computeCapability() >= 90) {
      PtxBulkCopies.fenceProxyAsync();
    }
  }

  /**
   * Begins to copy elements to global memory; all threads of the block call it and share the work.
   * Same as {@link #memcpyAsync(GlobalArray, long, SharedArray, int, int, int)} with an alignment
   * of 1.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public void memcpyAsync(
      GlobalArray to, long toIndex, SharedArray from, int fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to global memory; all threads of the block call it and share the work.
   * The copies are a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait
   * for; until then the content of the destination is undefined, and the source must not change. A
   * kernel that ends without a wait completes them.
   *
   * <p>With an alignment of 16 or more, on compute capability 9.0, the threads meet as at {@link
   * #sync()} and one of them begins a bulk copy; otherwise they load and store their parts. What
   * other threads write to the source must come before a barrier before this call.
   *
   * <p>Its group is counted by the instructions of {@link PtxCopies} and {@link PtxBulkCopies} too.
   * PTX ISA, "Data Movement and Conversion Instructions: cp.async.bulk".
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
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
    CopyNotes.begins(from, fromIndex, to, toIndex, count);
    boolean bulk = CopyLowering.isBulkStore(computeCapability(), from.elementBytes(), alignment);
    if (bulk) {
      CopyLowering.readsPart(threadRank(), size(), from, fromIndex, count);
      PtxBulkCopies.fenceProxyAsyncShared();
      sync();
    }
    CopyLowering.toGlobal(
        computeCapability(),
        bulk,
        threadRank(),
        size(),
        to,
        toIndex,
        from,
        fromIndex,
        count,
        alignment,
        CopyLowering.GROUP);
  }

  /**
   * Begins to copy elements to global memory; all threads of the block call it and share the work.
   * A thread that waits for the stage being produced sees them; until then the content of the
   * destination is undefined, and the source must not change. The thread that begins a bulk copy
   * arrives at the stage's barrier when it waits for that stage itself; if it is a producer only,
   * its {@link Pipeline#producerCommit()} waits until the copy is complete.
   *
   * <p>With an alignment of 16 or more, on compute capability 9.0, the threads meet as at {@link
   * #sync()} and one of them begins a bulk copy; otherwise they load and store their parts. What
   * other threads write to the source must come before a barrier before this call.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param count how many elements, 0 or more
   * @param alignment that the caller promises for both ends, in bytes: 1, 2, 4, 8, 16 or more, a
   *     power of two up to 128; the elements' own size need not be promised, and any number of
   *     bytes is allowed
   * @param pipeline the pipeline that the copies complete on
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
      @Const int alignment,
      Pipeline pipeline) {
    CopyNotes.begins(from, fromIndex, to, toIndex, count);
    boolean bulk = CopyLowering.isBulkStore(computeCapability(), from.elementBytes(), alignment);
    if (bulk) {
      CopyLowering.readsPart(threadRank(), size(), from, fromIndex, count);
      PtxBulkCopies.fenceProxyAsyncShared();
      sync();
    }
    pipeline.copyToGlobal(
        bulk, threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
  }

  /** Waits for all groups of {@code memcpyAsync} copies, and then for the block's other threads. */
  public void waitAll() {
    PtxCopies.cpAsyncWaitAll();
    StoreGroups.await(computeCapability(), 0);
    sync();
  }

  /**
   * Waits for all groups of {@code memcpyAsync} copies but the newest ones, and then for the
   * block's other threads.
   *
   * @param groups how many may be left, 0 or more
   */
  public void waitPrior(@Const int groups) {
    PtxCopies.cpAsyncWaitGroup(groups);
    StoreGroups.await(computeCapability(), groups);
    sync();
  }

  /** {@return the blocks that run at the same time as this one, including this one} */
  public Cluster cluster() {
    return new Cluster();
  }

  /**
   * {@return a barrier object on which every thread of the block arrives for itself} All threads
   * make it together, and wait for each other.
   */
  public Barrier barrier() {
    return new Barrier(computeCapability(), barrierWords(size()), 0, true, false, false);
  }

  /**
   * {@return a barrier object} All threads of the block make it together, and wait for each other.
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
   * {@return a barrier object on which threads of other blocks of the cluster may arrive too} All
   * threads of the cluster make it together, one in each block, and wait for each other.
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
   * {@return a barrier object that {@link PtxBarriers#mbarrierInit} has made}
   *
   * @param words the array that holds it
   * @param index of the barrier in the array
   */
  public Barrier barrierAt(SharedLongs words, int index) {
    return new Barrier(computeCapability(), words, index, false, false, false);
  }

  /**
   * {@return a barrier object that {@link PtxBarriers#mbarrierInit} has made}
   *
   * @param words the array that holds it
   * @param index of the barrier in the array
   * @param scope {@link Scope#BLOCK}, or {@link Scope#CLUSTER} if threads of other blocks arrive
   */
  public Barrier barrierAt(SharedLongs words, int index, @Const Scope scope) {
    if (scope == Scope.CLUSTER) {
      requireClusters();
    }
    return new Barrier(computeCapability(), words, index, false, scope == Scope.CLUSTER, false);
  }

  /**
   * {@return a pipeline in which every thread of the block produces and consumes} All threads make
   * it together, and wait for each other.
   *
   * @param stages how many, 1 or more
   */
  public Pipeline pipeline(@Const int stages) {
    CopyPromises.stages(stages);
    Pipeline made =
        Pipeline.ofAll(
            PipelineMemory.of(sharedBytes(Pipeline.bytes(stages)), stages),
            stages,
            threadRank(),
            size(),
            PipelineLanes.apart(warp()));
    sync();
    return made;
  }

  /**
   * {@return a pipeline in which the first threads of the block produce and the others consume} All
   * threads make it together, and wait for each other.
   *
   * @param stages how many, 1 or more
   * @param producers how many threads, 1 to {@code size() - 1}
   */
  public Pipeline pipeline(@Const int stages, int producers) {
    return pipeline(stages, producers, threadRank() < producers);
  }

  /**
   * {@return a pipeline in which some threads of the block produce and the others consume} All
   * threads make it together, and wait for each other. The equivalent of {@code
   * cuda::make_pipeline} with a {@code cuda::pipeline_role} in CUDA C++.
   *
   * @param stages how many, 1 or more
   * @param producer whether this thread produces; at least one does, and at least one does not
   */
  public Pipeline pipeline(@Const int stages, boolean producer) {
    return pipeline(stages, syncCount(producer), producer);
  }

  private Pipeline pipeline(int stages, int producers, boolean producer) {
    CopyPromises.stages(stages);
    Pipeline made =
        Pipeline.ofRoles(
            PipelineMemory.of(sharedBytes(Pipeline.bytes(stages)), stages),
            stages,
            threadRank(),
            size(),
            warp(),
            producers,
            producer);
    sync();
    return made;
  }

  /**
   * {@return some neighboring warps of the block, as a group that copies and waits together} Other
   * threads may hold the group, but must not call its methods that wait or copy.
   *
   * @param first the first warp's number in the block
   * @param count how many warps, 1 or more
   * @param barrier the number of the block's barrier at which they meet, 1 to 15, which nothing
   *     else uses at the same time; a constant is faster
   */
  public Warps warps(int first, @Const int count, int barrier) {
    CopyPromises.warps(this, first, count, barrier);
    return new Warps(this, first, count, barrier);
  }

  // --- clocks
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a counter of the multiprocessor's cycles; only differences within one thread are
   * meaningful} On a virtual device it counts the modelled time in cycles of the device's clock, as
   * {@link #globalTimer} does.
   */
  @Instruction("mov.u64 $r, %clock64;")
  public long clock() {
    return thread("clock").time().cycles();
  }

  /**
   * {@return a counter of nanoseconds that is the same on the whole device; its resolution may be
   * as coarse as a microsecond} On a virtual device it is the modelled time: each reading takes 32
   * ns of it and each sleep as long as it says, so that a kernel that waits by the timer takes that
   * long. While a thread looks for what others do between two readings, the timer goes on like that
   * of the host, and modelled time does not pass.
   */
  @Instruction("mov.u64 $r, %globaltimer;")
  public long globalTimer() {
    return thread("globalTimer").time().timer();
  }

  /** The thread as one that can wait for others. */
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
