package dev.stretto.kernel;

import dev.stretto.memory.GlobalArray;

/**
 * The pipeline primitives of CUDA C: {@code __pipeline_memcpy_async} and related functions, for the
 * calling thread. They use {@code cp.async} and its groups.
 */
public final class PipelinePrimitives {
  private PipelinePrimitives() {}

  /**
   * {@code __pipeline_memcpy_async}: begins to copy 4, 8 or 16 bytes to shared memory. Both ends
   * must be aligned to that size.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param bytes how many: 4, 8 or 16
   */
  public static void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, @Const int bytes) {
    memcpyAsync(to, toIndex, from, fromIndex, bytes, 0);
  }

  /**
   * {@code __pipeline_memcpy_async} with {@code zfill}: the last bytes become zero, and are not
   * read from the source.
   *
   * @param to the destination
   * @param toIndex of the first element in {@code to}
   * @param from the source
   * @param fromIndex of the first element in {@code from}
   * @param bytes how many: 4, 8 or 16
   * @param zeros how many of them become zero, 0 to {@code bytes}
   */
  public static void memcpyAsync(
      SharedArray to, int toIndex, GlobalArray from, long fromIndex, @Const int bytes, int zeros) {
    CopyNotes.require(
        bytes == 4 || bytes == 8 || bytes == 16,
        "a copy of a number of bytes that is not 4, 8 or 16",
        "copy 4, 8 or 16 bytes at once");
    CopyLowering.requireAlike(to.elementBytes(), from.elementBytes());
    int toByte = toIndex * to.elementBytes();
    long fromByte = fromIndex * from.elementBytes();
    String done = "each thread waits for its own, and a barrier follows: waitPrior";
    if (bytes == 16) {
      CopyNotes.note(CopyNotes.TO_SHARED, "cp.async.cg.16", done, "16 bytes", "", bytes, 1, bytes);
      PtxCopies.cpAsyncCg16(to, toByte, from, fromByte, bytes - zeros);
    } else if (bytes == 8) {
      CopyNotes.note(CopyNotes.TO_SHARED, "cp.async.ca.8", done, "8 bytes", "", bytes, 1, bytes);
      PtxCopies.cpAsyncCa8(to, toByte, from, fromByte, bytes - zeros);
    } else {
      CopyNotes.note(CopyNotes.TO_SHARED, "cp.async.ca.4", done, "4 bytes", "", bytes, 1, bytes);
      PtxCopies.cpAsyncCa4(to, toByte, from, fromByte, bytes - zeros);
    }
  }

  /** {@code __pipeline_commit}: makes a group of the copies since the last commit. */
  public static void commit() {
    PtxCopies.cpAsyncCommitGroup();
  }

  /**
   * {@code __pipeline_wait_prior}: waits for all groups but the newest ones. A number above 8
   * counts as 8, as in CUDA C.
   *
   * @param groups how many may be left, 0 or more
   */
  public static void waitPrior(int groups) {
    CopyPromises.groupsLeft(groups);
    switch (groups) {
      case 0 -> PtxCopies.cpAsyncWaitGroup(0);
      case 1 -> PtxCopies.cpAsyncWaitGroup(1);
      case 2 -> PtxCopies.cpAsyncWaitGroup(2);
      case 3 -> PtxCopies.cpAsyncWaitGroup(3);
      case 4 -> PtxCopies.cpAsyncWaitGroup(4);
      case 5 -> PtxCopies.cpAsyncWaitGroup(5);
      case 6 -> PtxCopies.cpAsyncWaitGroup(6);
      case 7 -> PtxCopies.cpAsyncWaitGroup(7);
      default -> PtxCopies.cpAsyncWaitGroup(8);
    }
  }

  /**
   * {@code __pipeline_arrive_on}: the barrier's phase does not end before the copies of this thread
   * are done. The thread must still arrive.
   *
   * @param barrier the barrier
   */
  public static void arriveOn(Barrier barrier) {
    PtxBarriers.cpAsyncMbarrierArrive(barrier.words(), barrier.index());
  }
}
