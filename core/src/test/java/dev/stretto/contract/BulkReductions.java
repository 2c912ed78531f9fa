package dev.stretto.contract;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxBulkReductions;
import dev.stretto.kernel.SharedBfloats;
import dev.stretto.kernel.SharedDoubles;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedHalfs;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBfloats;
import dev.stretto.memory.GlobalDoubles;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalHalfs;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** Kernels whose blocks combine their numbers with those in global memory, in each way there is. */
final class BulkReductions {
  private BulkReductions() {}

  /** The operand of a thread: of both signs. */
  static int operand(int block, int thread) {
    return ((block * 64 + thread) * 0x9E3779B9) >> 3;
  }

  /** Whether the thread is the one that begins the reduction, once all have written. */
  private static boolean isReady(ThreadBlock block) {
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    return block.threadRank() == 0;
  }

  private static void finish() {
    PtxBulkCopies.cpAsyncBulkCommitGroup();
    PtxBulkCopies.cpAsyncBulkWaitGroup(0);
  }

  @Kernel
  static void addInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkAddU32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void minInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMinS32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void maxInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMaxS32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void minUnsignedInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMinU32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void maxUnsignedInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMaxU32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void andInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkAndB32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void orInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkOrB32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void xorInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkXorB32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void incInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkIncU32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void decInts(ThreadBlock block, GlobalInts out) {
    SharedInts mine = block.sharedInts(96);
    mine.set(32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()));
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkDecU32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void addLongs(ThreadBlock block, GlobalLongs out) {
    SharedLongs mine = block.sharedLongs(96);
    mine.set(
        32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()) * 0x100000001L);
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkAddU64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void minLongs(ThreadBlock block, GlobalLongs out) {
    SharedLongs mine = block.sharedLongs(96);
    mine.set(
        32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()) * 0x100000001L);
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMinS64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void maxLongs(ThreadBlock block, GlobalLongs out) {
    SharedLongs mine = block.sharedLongs(96);
    mine.set(
        32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()) * 0x100000001L);
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMaxS64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void minUnsignedLongs(ThreadBlock block, GlobalLongs out) {
    SharedLongs mine = block.sharedLongs(96);
    mine.set(
        32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()) * 0x100000001L);
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMinU64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void maxUnsignedLongs(ThreadBlock block, GlobalLongs out) {
    SharedLongs mine = block.sharedLongs(96);
    mine.set(
        32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()) * 0x100000001L);
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMaxU64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void andLongs(ThreadBlock block, GlobalLongs out) {
    SharedLongs mine = block.sharedLongs(96);
    mine.set(
        32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()) * 0x100000001L);
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkAndB64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void orLongs(ThreadBlock block, GlobalLongs out) {
    SharedLongs mine = block.sharedLongs(96);
    mine.set(
        32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()) * 0x100000001L);
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkOrB64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void xorLongs(ThreadBlock block, GlobalLongs out) {
    SharedLongs mine = block.sharedLongs(96);
    mine.set(
        32 + block.threadRank(), operand(block.blockIndexX(), block.threadRank()) * 0x100000001L);
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkXorB64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void addFloats(ThreadBlock block, GlobalFloats out) {
    SharedFloats mine = block.sharedFloats(96);
    mine.set(32 + block.threadRank(), block.blockIndexX() + block.threadRank());
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkAddF32(out, 256, mine, 128, 256);
      finish();
    }
  }

  @Kernel
  static void addDoubles(ThreadBlock block, GlobalDoubles out) {
    SharedDoubles mine = block.sharedDoubles(96);
    mine.set(32 + block.threadRank(), block.blockIndexX() + block.threadRank());
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkAddF64(out, 512, mine, 256, 512);
      finish();
    }
  }

  @Kernel
  static void addHalfs(ThreadBlock block, GlobalHalfs out) {
    SharedHalfs mine = block.sharedHalfs(96);
    mine.set(32 + block.threadRank(), block.blockIndexX() + block.threadRank());
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkAddF16(out, 128, mine, 64, 128);
      finish();
    }
  }

  @Kernel
  static void minHalfs(ThreadBlock block, GlobalHalfs out) {
    SharedHalfs mine = block.sharedHalfs(96);
    mine.set(32 + block.threadRank(), block.blockIndexX() + block.threadRank());
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMinF16(out, 128, mine, 64, 128);
      finish();
    }
  }

  @Kernel
  static void maxHalfs(ThreadBlock block, GlobalHalfs out) {
    SharedHalfs mine = block.sharedHalfs(96);
    mine.set(32 + block.threadRank(), block.blockIndexX() + block.threadRank());
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMaxF16(out, 128, mine, 64, 128);
      finish();
    }
  }

  @Kernel
  static void addBfloats(ThreadBlock block, GlobalBfloats out) {
    SharedBfloats mine = block.sharedBfloats(96);
    mine.set(32 + block.threadRank(), block.blockIndexX() + block.threadRank());
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkAddBf16(out, 128, mine, 64, 128);
      finish();
    }
  }

  @Kernel
  static void minBfloats(ThreadBlock block, GlobalBfloats out) {
    SharedBfloats mine = block.sharedBfloats(96);
    mine.set(32 + block.threadRank(), block.blockIndexX() + block.threadRank());
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMinBf16(out, 128, mine, 64, 128);
      finish();
    }
  }

  @Kernel
  static void maxBfloats(ThreadBlock block, GlobalBfloats out) {
    SharedBfloats mine = block.sharedBfloats(96);
    mine.set(32 + block.threadRank(), block.blockIndexX() + block.threadRank());
    if (isReady(block)) {
      PtxBulkReductions.cpReduceAsyncBulkMaxBf16(out, 128, mine, 64, 128);
      finish();
    }
  }
}
