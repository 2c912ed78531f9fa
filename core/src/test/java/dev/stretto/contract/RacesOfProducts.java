package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Wgmma;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels in pairs: in one a register or a matrix of a warp group's product is used while the
 * product is in flight, in the other it is not.
 */
@SuppressWarnings("UnusedVariable") // what was read too early
final class RacesOfProducts {
  /** The bytes of a left matrix of 64 rows, and those of a right one of 8 columns. */
  private static final int LEFT = 64 * 32;

  private static final int RIGHT = 8 * 32;

  private RacesOfProducts() {}

  /** Fills both matrices with ones. */
  private static void fill(ThreadBlock block, SharedInts memory) {
    for (int i = block.threadRank(); i < (LEFT + RIGHT) / 4; i += block.size()) {
      memory.set(i, 0x3f803f80);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
  }

  @Kernel
  @Launched(threads = 128, compiled = true)
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsTheSumEarlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    out.set(rank, (int) sum[1]); // wrong
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void readsTheSumEarlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[1]);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128, compiled = true)
  @Breaks(CopyRule.MISSING_WAIT)
  static void writesTheSumEarlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    sum[2] = rank; // wrong
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void writesTheSumEarlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    sum[2] = rank;
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128, compiled = true)
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsTheSumOfTheNewestGroupBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    float[] other = new float[4];
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(other, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(1);
    out.set(rank, (int) sum[1]); // wrong
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void readsTheSumOfTheNewestGroupGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    float[] other = new float[4];
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(other, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(1);
    out.set(rank, (int) other[1]);
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128, compiled = true)
  @Breaks(CopyRule.MISSING_WAIT)
  static void scalesTheSumInALoopBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    for (int i = 0; i < 4; i++) {
      PtxWarpGroups.wgmmaFence();
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, true, 0, 0); // wrong
      PtxWarpGroups.wgmmaCommitGroup();
      sum[0] *= 0.5f; // wrong
      PtxWarpGroups.wgmmaWaitGroup(0);
    }
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void scalesTheSumInALoopGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    for (int i = 0; i < 4; i++) {
      PtxWarpGroups.wgmmaFence();
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, true, 0, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      sum[0] *= 0.5f;
    }
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128, compiled = true)
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsTheSumBeforeItIsCommittedBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0); // wrong
    out.set(rank, (int) sum[3]); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void readsTheSumBeforeItIsCommittedGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[3]);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128, compiled = true)
  @Breaks(CopyRule.MISSING_WAIT)
  static void writesTheLeftMatrixEarlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, left, 0, b, false, 0); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    left[1] = rank; // wrong
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0] + left[1]);
  }

  @Kernel
  static void writesTheLeftMatrixEarlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, left, 0, b, false, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    left[1] = rank;
    out.set(rank, (int) sum[0] + left[1]);
  }

  @Kernel
  @Launched(threads = 128, compiled = true)
  @Breaks(CopyRule.MISSING_WAIT)
  static void packsTheNextLeftMatrixEarlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    for (int i = 0; i < 3; i++) {
      left[0] = 0x3f803f80 + i; // wrong
      PtxWarpGroups.wgmmaFence();
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, left, 0, b, true, 0); // wrong
      PtxWarpGroups.wgmmaCommitGroup();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void packsTheNextLeftMatrixEarlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    for (int i = 0; i < 3; i++) {
      left[0] = 0x3f803f80 + i;
      PtxWarpGroups.wgmmaFence();
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, left, 0, b, true, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
    }
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128)
  @Breaks(CopyRule.MISSING_WAIT)
  static void overwritesItsMatrixBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    memory.set(rank, 0); // wrong
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void overwritesItsMatrixGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    block.sync();
    memory.set(rank, 0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128)
  @Breaks(CopyRule.EARLY_REFILL)
  static void overwritesAnothersMatrixBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    memory.set(rank ^ 64, 0); // wrong
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void overwritesAnothersMatrixGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    block.sync();
    memory.set(rank ^ 64, 0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128)
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void storesAMatrixWithoutAFenceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    memory.set(rank, 0x3f803f80); // wrong
    block.sync();
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void storesAMatrixWithoutAFenceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    memory.set(rank, 0x3f803f80);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 128)
  @Breaks({CopyRule.MISSING_BARRIER, CopyRule.EARLY_REFILL})
  static void fencesOnlyAMatrixBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    memory.set(rank, 0x3f803f80); // wrong
    PtxBulkCopies.fenceProxyAsyncShared();

    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0); // wrong
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void fencesOnlyAMatrixGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    fill(block, memory);
    memory.set(rank, 0x3f803f80);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();

    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    int[] left = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, false, 0, 0);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 160)
  @Breaks(CopyRule.MISSING_WAIT)
  static void releasesBeforeItWaitsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place); // wrong
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      full.waitForParity(i & 1);
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0); // wrong
      PtxWarpGroups.wgmmaCommitGroup();
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void releasesBeforeItWaitsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place);
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      full.waitForParity(i & 1);
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 160)
  @Breaks(CopyRule.MISSING_WAIT)
  static void releasesInTheWrongOrderBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place); // wrong
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      full.waitForParity(i & 1);
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0); // wrong
      PtxWarpGroups.wgmmaCommitGroup();
      empty.arrive();
      PtxWarpGroups.wgmmaWaitGroup(0);
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void releasesInTheWrongOrderGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place);
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      full.waitForParity(i & 1);
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 160)
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void refillsUnderAProductBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        if (i != 1) {
          empty.waitForParity((i & 1) ^ 1);
        }
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place); // wrong
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      full.waitForParity(i & 1);
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void refillsUnderAProductGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place);
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      full.waitForParity(i & 1);
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 160)
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.EARLY_REFILL})
  static void multipliesWithoutAWaitBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place); // wrong
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {

      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void multipliesWithoutAWaitGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place);
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      full.waitForParity(i & 1);
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  @Launched(threads = 160)
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void multipliesOnceWithoutAWaitBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place);
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      if (i != 1) {
        full.waitForParity(i & 1);
      }
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0); // wrong
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }

  @Kernel
  static void multipliesOnceWithoutAWaitGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts memory = block.sharedInts((LEFT + RIGHT) / 4);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(128);
    fill(block, memory);
    long a = Wgmma.kMajor(memory, 0, 32);
    long b = Wgmma.kMajor(memory, LEFT, 32);
    float[] sum = new float[4];
    if (rank >= 128) {
      for (int i = 0; i < 3 && rank == 128; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(memory, LEFT, in, 0, 256, words, place);
        full.arrive();
      }
      return;
    }
    for (int i = 0; i < 3; i++) {
      full.waitForParity(i & 1);
      PtxWarpGroups.wgmmaFence();
      boolean add = i > 0;
      PtxWarpGroups.wgmmaBf16(sum, 0, 8, a, b, add, 0, 0);
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
      empty.arrive();
    }
    PtxWarpGroups.wgmmaWaitGroup(0);
    out.set(rank, (int) sum[0]);
  }
}
