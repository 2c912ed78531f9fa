package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;

/**
 * Asynchronous copies that a thread begins by itself; the threads of a {@link ThreadBlock} or a
 * {@link Warp} begin theirs together. The equivalent of {@code cuda::memcpy_async} without a group
 * in CUDA C++.
 */
public final class ThisThread {
  private ThisThread() {}

  /**
   * Begins to copy elements to shared memory; the calling thread does all of it. The copies are a
   * group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for. Same as
   * {@link #memcpyAsync(SharedArray, int, GlobalArray, long, int, int)} with an alignment of 1.
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
  public static void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; the calling thread does all of it. The copies are a
   * group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for; until then
   * the content of the destination is undefined, and the source must not change. Depending on the
   * alignment, they become {@code cp.async} of 16, 8 or 4 bytes per thread, or plain loads and
   * stores if it is below 4.
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
  public static void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment) {
    CopyLowering.chunksToShared(
        0, 1, to, toIndex, from, fromIndex, count, alignment, CopyLowering.GROUP);
    PtxCopies.cpAsyncCommitGroup();
    StoreGroups.commit(CopyNotes.capability());
  }

  /**
   * Begins to copy elements to shared memory; the calling thread does all of it. A thread that
   * waits for the current phase of the barrier sees them. Same as {@link #memcpyAsync(SharedArray,
   * int, GlobalArray, long, int, int, Barrier)} with an alignment of 1.
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
  public static void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Barrier barrier) {
    barrier.copy(0, 1, to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; the calling thread does all of it. A thread that
   * waits for the current phase of the barrier sees them. With an alignment of 16 or more, on
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
   * @param barrier the barrier that the copies complete on
   * @throws IllegalArgumentException on a virtual device, if {@code count} is negative, the arrays'
   *     elements differ in size or an end is not aligned as promised
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   */
  public static void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Barrier barrier) {
    barrier.copy(0, 1, to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Begins to copy elements to shared memory; the calling thread does all of it. A thread that
   * waits for the stage being produced sees them. Same as {@link #memcpyAsync(SharedArray, int,
   * GlobalArray, long, int, int, Pipeline)} with an alignment of 1.
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
  public static void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Pipeline pipeline) {
    pipeline.copy(0, 1, 0, to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; the calling thread does all of it. A thread that
   * waits for the stage being produced sees them. With an alignment of 16 or more, on compute
   * capability 9.0, one thread begins a bulk copy; otherwise the copies become {@code cp.async} of
   * 16, 8 or 4 bytes per thread, or plain loads and stores if the alignment is below 4.
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
  public static void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Pipeline pipeline) {
    pipeline.copy(0, 1, 0, to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Begins to copy elements to global memory; the calling thread does all of it. Same as {@link
   * #memcpyAsync(GlobalArray, long, SharedArray, int, int, int)} with an alignment of 1.
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
  public static void memcpyAsync(
      GlobalArray to, long toIndex, SharedArray from, int fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to global memory; the calling thread does all of it. The copies are a
   * group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for; until then
   * the content of the destination is undefined, and the source must not change. A kernel that ends
   * without a wait completes them.
   *
   * <p>With an alignment of 16 or more, on compute capability 9.0, it begins a bulk copy, which
   * sees what this thread has written, and what other threads have written that have then called
   * {@link ThreadBlock#fenceProxyAsync()} before a barrier; otherwise it loads and stores.
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
  public static void memcpyAsync(
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      @Const int alignment) {
    int capability = CopyNotes.capability();
    boolean bulk = CopyLowering.isBulkStore(capability, from.elementBytes(), alignment);
    if (bulk) {
      PtxBulkCopies.fenceProxyAsyncShared();
    }
    CopyLowering.toGlobal(
        capability, bulk, 0, 1, to, toIndex, from, fromIndex, count, alignment, CopyLowering.GROUP);
  }

  /**
   * Begins to copy elements to global memory; the calling thread does all of it. A thread that
   * waits for the stage being produced sees them; until then the content of the destination is
   * undefined, and the source must not change. The thread that begins a bulk copy arrives at the
   * stage's barrier when it waits for that stage itself; if it is a producer only, its {@link
   * Pipeline#producerCommit()} waits until the copy is complete.
   *
   * <p>With an alignment of 16 or more, on compute capability 9.0, it begins a bulk copy, which
   * sees what this thread has written, and what other threads have written that have then called
   * {@link ThreadBlock#fenceProxyAsync()} before a barrier; otherwise it loads and stores.
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
  public static void memcpyAsync(
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      @Const int alignment,
      Pipeline pipeline) {
    int capability = CopyNotes.capability();
    boolean bulk = CopyLowering.isBulkStore(capability, from.elementBytes(), alignment);
    if (bulk) {
      PtxBulkCopies.fenceProxyAsyncShared();
    }
    pipeline.copyToGlobal(bulk, 0, 1, to, toIndex, from, fromIndex, count, alignment);
  }

  /** Waits for all copies that this thread has begun; other threads need a barrier as well. */
  public static void waitAll() {
    PtxCopies.cpAsyncWaitAll();
    StoreGroups.await(CopyNotes.capability(), 0);
  }

  /**
   * Waits for all groups of copies that this thread has begun but the newest ones; other threads
   * need a barrier as well.
   *
   * @param groups how many may be left, 0 or more
   */
  public static void waitPrior(@Const int groups) {
    PtxCopies.cpAsyncWaitGroup(groups);
    StoreGroups.await(CopyNotes.capability(), groups);
  }
}
