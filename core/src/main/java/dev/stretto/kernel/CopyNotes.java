package dev.stretto.kernel;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * The notes that copies leave while their kernel is compiled, from which {@code stretto explain}
 * reports what each copy became; and the checks that copies make on virtual devices and in kernels
 * with checks. In other kernels, nothing of this is left at run time.
 */
final class CopyNotes {
  static final String TO_SHARED = "global-to-shared";
  static final String TO_GLOBAL = "shared-to-global";
  private static final String MEMCPY = "memcpyAsync";
  private static final int PIECE = 16;

  private CopyNotes() {}

  /**
   * Notes what a copy becomes. All arguments but the number of bytes have to be constants.
   *
   * @param rest how the bytes after the last whole piece are copied
   * @param bytes the number of bytes, which need not be a constant
   * @param piece the size of a whole piece in bytes
   */
  static void note(
      String direction,
      String mechanism,
      String completion,
      String reason,
      String rest,
      int bytes,
      int piece,
      int alignment) {}

  /**
   * Requires a condition that has to be known when the kernel is compiled.
   *
   * @param holds a constant
   */
  static void require(boolean holds, String reason, String advice) {
    if (!holds) {
      throw new IllegalArgumentException(reason + ": " + advice);
    }
  }

  /**
   * Whether copies check their arguments, as they do on a virtual device and in kernels with
   * checks.
   */
  static boolean areChecked() {
    return true;
  }

  /** The compute capability that the kernel is compiled for. */
  static int capability() {
    return DeviceThread.current(MEMCPY).computeCapability();
  }

  /**
   * Notes on a virtual device that the thread does its part of a copy that all threads of its block
   * share. A compiled kernel has nothing in its place.
   */
  static void begins(
      SharedArray shared, int sharedIndex, GlobalArray global, long globalIndex, int count) {
    DeviceThread.current(MEMCPY)
        .block()
        .copies()
        .begins(shared.span(), sharedIndex, global, globalIndex, count);
  }

  /** The same for a copy that all threads of a warp share. */
  static void beginsInWarp(
      SharedArray shared, int sharedIndex, GlobalArray global, long globalIndex, int count) {
    DeviceThread.current(MEMCPY)
        .warpCopies()
        .begins(shared.span(), sharedIndex, global, globalIndex, count);
  }

  /** The same for a copy that all threads of a tile share. */
  static void beginsInTile(
      int lanes,
      SharedArray shared,
      int sharedIndex,
      GlobalArray global,
      long globalIndex,
      int count) {
    DeviceThread.current(MEMCPY)
        .tileCopies(lanes)
        .begins(shared.span(), sharedIndex, global, globalIndex, count);
  }

  /** The same for a copy that all threads of some warps share. */
  static void beginsInWarps(
      int first,
      int warps,
      SharedArray shared,
      int sharedIndex,
      GlobalArray global,
      long globalIndex,
      int count) {
    DeviceThread.current(MEMCPY)
        .copiesOfWarps(first, warps)
        .begins(shared.span(), sharedIndex, global, globalIndex, count);
  }

  /**
   * Notes on a virtual device that the copies that a barrier's phase waits for may be bulk copies
   * on another device.
   */
  static void isPortable(SharedLongs barriers, int index) {
    DeviceThread.current(MEMCPY).mbarriers().at("", barriers.span(), index).isPortable();
  }

  /**
   * Notes on a virtual device that a barrier says when a stage of a pipeline is full, for which
   * each consumer waits once in each turn.
   */
  static void isStage(SharedLongs barriers, int index) {
    DeviceThread.current("pipeline").mbarriers().at("", barriers.span(), index).isStage();
  }

  /**
   * Ends a group of copies to global memory on a virtual device, which are in flight there wherever
   * they would be on another device. A compiled kernel has nothing in its place.
   */
  static void commitsStores() {
    DeviceThread.current(MEMCPY).bulkStores().commitMemcpy();
  }

  /** Waits for all such groups but the newest ones. */
  static void awaitsStores(int pending) {
    DeviceThread.current("waitPrior").bulkStores().awaitMemcpy(pending);
  }

  /**
   * Whether copies to global memory are in flight that threads make by loads and stores, as they
   * are on a virtual device.
   */
  static boolean areStoresInFlight() {
    return true;
  }

  /**
   * Whether one lane arrives for all of a warp or tile that have met, as on a GPU. A virtual device
   * counts each lane, so that it sees who is missing.
   */
  static boolean doesOneArriveForAll() {
    return false;
  }

  /**
   * Makes a barrier's phase on a virtual device wait for the pieces that the thread copies as
   * threads load and store, which are in flight there.
   */
  static void arrivesWhenCopied(SharedLongs barriers, int index) {
    PtxBarriers.cpAsyncMbarrierArrive(barriers, index);
  }

  /**
   * Notes on a virtual device that the thread reads its part of shared memory that one thread
   * copies for all: on another device each copies its part.
   */
  static void readsPart(SharedArray from, int fromByte, int bytes, int rank, int threads) {
    for (int at = rank * PIECE; at < bytes; at += threads * PIECE) {
      MemorySegment _ = from.span().readBytes(fromByte + at, Math.min(PIECE, bytes - at));
    }
  }

  /** Requires, if copies are checked, that a range lies within an array. */
  static void requireSlice(long from, long count, long length) {
    Objects.checkFromIndexSize(from, count, length);
  }

  /**
   * Requires, if copies are checked, that an end of a copy is aligned as promised.
   *
   * @param place the lowest bits of its address
   * @param alignment a power of two
   */
  static void requireAligned(int place, int alignment) {
    if ((place & (alignment - 1)) != 0) {
      throw new IllegalArgumentException(
          CopyRule.MISALIGNED.title()
              + ": an end of memcpyAsync lies "
              + (place & (alignment - 1))
              + " bytes behind a multiple of the "
              + alignment
              + " bytes that are promised");
    }
  }
}
