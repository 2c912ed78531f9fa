package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;

/**
 * Asynchronous copies that a thread begins by itself, as {@link ThreadBlock} and {@link Warp} begin
 * them together. What CUDA C++ calls {@code cuda::memcpy_async} without a group.
 */
public final class ThisThread {
  private ThisThread() {}

  /**
   * Begins to copy elements to shared memory; the thread that calls does all of it. The copies are
   * a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for. As {@link
   * #memcpyAsync(SharedArray, int, GlobalArray, long, int, int)} with an alignment of 1.
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
  public static void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count) {
    memcpyAsync(to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; the thread that calls does all of it. The copies are
   * a group of their own, which {@link #waitAll()} and {@link #waitPrior(int)} wait for; until then
   * what the destination holds is undefined, and the source must not change. What they become
   * depends on the alignment: {@code cp.async} of 16, 8 or 4 bytes a thread, or plain loads and
   * stores below 4.
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
  }

  /**
   * Begins to copy elements to shared memory; the thread that calls does all of it; whoever waits
   * for the current phase of the barrier has them. As {@link #memcpyAsync(SharedArray, int,
   * GlobalArray, long, int, int, Barrier)} with an alignment of 1.
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
  public static void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Barrier barrier) {
    barrier.copy(0, 1, to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; the thread that calls does all of it; whoever waits
   * for the current phase of the barrier has them. With an alignment of 16 or more one thread has a
   * bulk copy done on compute capability 9.0; otherwise they are {@code cp.async} of 16, 8 or 4
   * bytes a thread, or plain loads and stores below 4.
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
   * Begins to copy elements to shared memory; the thread that calls does all of it; whoever waits
   * for the stage that is being produced has them. As {@link #memcpyAsync(SharedArray, int,
   * GlobalArray, long, int, int, Pipeline)} with an alignment of 1.
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
  public static void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, int count, Pipeline pipeline) {
    pipeline.copy(0, 1, to, toIndex, from, fromIndex, count, 1);
  }

  /**
   * Begins to copy elements to shared memory; the thread that calls does all of it; whoever waits
   * for the stage that is being produced has them. With an alignment of 16 or more one thread has a
   * bulk copy done on compute capability 9.0; otherwise they are {@code cp.async} of 16, 8 or 4
   * bytes a thread, or plain loads and stores below 4.
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
  public static void memcpyAsync(
      SharedArray to,
      int toIndex,
      GlobalArray from,
      long fromIndex,
      int count,
      @Const int alignment,
      Pipeline pipeline) {
    pipeline.copy(0, 1, to, toIndex, from, fromIndex, count, alignment);
  }

  /**
   * Copies elements to global memory, synchronously: the thread that calls does all of it, and each
   * thread has stored its part when this returns.
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
  public static void memcpyAsync(
      GlobalArray to,
      long toIndex,
      SharedArray from,
      int fromIndex,
      int count,
      @Const int alignment) {
    CopyLowering.toGlobal(0, 1, to, toIndex, from, fromIndex, count, alignment);
  }

  /** Waits for all copies that this thread has begun; others need a barrier. */
  public static void waitAll() {
    PtxCopies.cpAsyncWaitAll();
  }

  /**
   * Waits for all groups of copies that this thread has begun but the newest ones; others need a
   * barrier.
   *
   * @param groups how many may be left, 0 or more
   */
  public static void waitPrior(@Const int groups) {
    PtxCopies.cpAsyncWaitGroup(groups);
  }
}
