// Generated from tools/families/Warps.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.memory.GlobalArray;

/**
 * Some neighboring warps of a block, as seen by one of its threads: they copy together and wait for
 * each other, while the block's other warps do something else. {@link ThreadBlock#warps} makes it.
 *
 * <p>They meet at one of the block's sixteen barriers, whose number the program chooses: groups
 * that wait at the same time need different ones. {@link ThreadBlock#sync()} is barrier 0.
 *
 * <p>Objects of this class are values that live in registers. PTX ISA, "Parallel Synchronization
 * and Communication Instructions: barrier".
 */
public final class Warps {
  private final ThreadBlock block;
  private final int first;
  private final int count;
  private final int barrier;

  Warps(ThreadBlock block, int first, int count, int barrier) {
    this.block = block;
    this.first = first;
    this.count = count;
    this.barrier = barrier;
  }

  /** {@return the number of threads} */
  public int size() {
    return 32 * count;
  }

  /** {@return whether this thread belongs to the group} */
  public boolean contains() {
    int rank = threadRank();
    return rank >= 0 && rank < size();
  }

  /**
   * {@return the thread's number in the group, 0 to {@code size() - 1}; another number if it does
   * not belong to the group}
   */
  public int threadRank() {
    return block.threadRank() - 32 * first;
  }

  /** {@return the number of warps} */
  public int count() {
    return count;
  }

  /** {@return the number of the first warp in the block} */
  public int first() {
    return first;
  }

  /**
   * Waits until all threads of the group have called it. Their earlier writes to memory are then
   * visible to each of them. All lanes of a warp call it together.
   */
  public void sync() {
    requireInside();
    Ptx.barSync(barrier, 32 * count);
  }

  /**
   * Waits until all threads of the group have called it.
   *
   * @param condition this thread's vote
   * @return how many of them called it with a true condition
   */
  public int syncCount(boolean condition) {
    requireInside();
    return vote(barrier, 32 * count, condition);
  }

  @Instruction(value = "barrier.cta.red.popc.aligned.u32 $r, $0, $1, $2;", convergent = true)
  static int vote(int barrier, int threads, boolean condition) {
    return DeviceThread.current("syncCount").barriers().vote(barrier, threads, condition).count();
  }

  private void requireInside() {
    if (CopyNotes.areChecked()) {
      CopyPromises.insideOf(contains() ? 1 : 0);
    }
  }

  /**
   * {@return a pipeline of these warps, in which each thread produces and consumes} All threads of
   * the group make it together, and wait for each other.
   *
   * @param stages how many, 1 or more
   * @param memory {@link Pipeline#bytes} of shared memory, at a multiple of 8, which belong to the
   *     pipeline from now on
   */
  public Pipeline pipeline(@Const int stages, SharedBytes memory) {
    CopyPromises.stages(stages);
    requireInside();
    Pipeline made =
        Pipeline.ofAll(
            PipelineMemory.of(memory, stages),
            stages,
            threadRank(),
            32 * count,
            PipelineLanes.apart(block.warp()));
    sync();
    return made;
  }

  /**
   * {@return a pipeline of these warps, in which some threads produce and the others consume} All
   * threads of the group make it together, and wait for each other.
   *
   * @param stages how many, 1 or more
   * @param memory {@link Pipeline#bytes} of shared memory, at a multiple of 8, which belong to the
   *     pipeline from now on
   * @param producer whether this thread produces; at least one does, and at least one does not
   */
  public Pipeline pipeline(@Const int stages, SharedBytes memory, boolean producer) {
    CopyPromises.stages(stages);
    int producers = syncCount(producer);
    Pipeline made =
        Pipeline.ofRoles(
            PipelineMemory.of(memory, stages),
            stages,
            threadRank(),
            32 * count,
            block.warp(),
            producers,
            producer);
    sync();
    return made;
  }

  /**
   * Begins to copy elements to shared memory; all threads of the group call it and share the work.
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
   * Begins to copy elements to shared memory; all threads of the group call it and share the work.
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
    CopyNotes.beginsInWarps(first, this.count, to, toIndex, from, fromIndex, count);
    CopyLowering.chunksToShared(
        threadRank(), size(), to, toIndex, from, fromIndex, count, alignment, CopyLowering.GROUP);
    PtxCopies.cpAsyncCommitGroup();
    StoreGroups.commit(CopyNotes.capability());
  }

  /**
   * Begins to copy elements to shared memory; all threads of the group call it and share the work.
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
   * Begins to copy elements to shared memory; all threads of the group call it and share the work.
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
    CopyNotes.beginsInWarps(first, this.count, to, toIndex, from, fromIndex, count);
    barrier.copy(threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
    if (barrier.isArrivedAtForOthers()) {
      sync();
    }
  }

  /**
   * Begins to copy elements to shared memory; all threads of the group call it and share the work.
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
   * Begins to copy elements to shared memory; all threads of the group call it and share the work.
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
    CopyNotes.beginsInWarps(first, this.count, to, toIndex, from, fromIndex, count);
    pipeline.copy(threadRank(), size(), 0, to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Begins to copy elements to global memory; all threads of the group call it and share the work.
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
   * Begins to copy elements to global memory; all threads of the group call it and share the work.
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
    CopyNotes.beginsInWarps(first, this.count, from, fromIndex, to, toIndex, count);
    boolean bulk = CopyLowering.isBulkStore(CopyNotes.capability(), from.elementBytes(), alignment);
    if (bulk) {
      CopyLowering.readsPart(threadRank(), size(), from, fromIndex, count);
      PtxBulkCopies.fenceProxyAsyncShared();
      sync();
    }
    CopyLowering.toGlobal(
        CopyNotes.capability(),
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
   * Begins to copy elements to global memory; all threads of the group call it and share the work.
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
    CopyNotes.beginsInWarps(first, this.count, from, fromIndex, to, toIndex, count);
    boolean bulk = CopyLowering.isBulkStore(CopyNotes.capability(), from.elementBytes(), alignment);
    if (bulk) {
      CopyLowering.readsPart(threadRank(), size(), from, fromIndex, count);
      PtxBulkCopies.fenceProxyAsyncShared();
      sync();
    }
    pipeline.copyToGlobal(
        bulk, threadRank(), size(), to, toIndex, from, fromIndex, count, alignment);
  }

  /** Waits for all groups of {@code memcpyAsync} copies, and then for the other threads. */
  public void waitAll() {
    PtxCopies.cpAsyncWaitAll();
    StoreGroups.await(CopyNotes.capability(), 0);
    sync();
  }

  /**
   * Waits for all groups of {@code memcpyAsync} copies but the newest ones, and then for the other
   * threads.
   *
   * @param groups how many may be left, 0 or more
   */
  public void waitPrior(@Const int groups) {
    PtxCopies.cpAsyncWaitGroup(groups);
    StoreGroups.await(CopyNotes.capability(), groups);
    sync();
  }
}
