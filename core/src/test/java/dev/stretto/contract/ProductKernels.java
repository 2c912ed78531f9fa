package dev.stretto.contract;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxWarpGroups;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Wgmma;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;

/** Kernels in which a warp group multiplies matrices. */
final class ProductKernels {
  static final int BF16 = 0;
  static final int F16 = 1;
  static final int TF32 = 2;
  static final int E4M3 = 3;
  static final int E5M2 = 4;
  static final int MOST_BYTES = 32 << 10;

  private ProductKernels() {}

  /** Brings both matrices to shared memory as they lie in global memory. */
  private static void bring(ThreadBlock block, SharedBytes to, GlobalBytes from) {
    for (int i = block.threadRank(); i < from.length(); i += block.size()) {
      to.set(i, from.get(i));
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
  }

  /**
   * Two products, each of one instruction, the second added to the first.
   *
   * @param layouts leading distance, stride and how far to go on, of the left and the right matrix
   */
  @Kernel(maxThreads = 128)
  static void fromShared(
      ThreadBlock block,
      GlobalBytes matrices,
      GlobalFloats out,
      @Const int type,
      @Const int n,
      @Const int swizzle,
      @Const int transposes,
      GlobalInts layouts) {
    SharedBytes memory = block.sharedBytes(MOST_BYTES);
    bring(block, memory, matrices);
    long a = Wgmma.descriptor(memory, 0, layouts.get(0), layouts.get(1), swizzle);
    long b = Wgmma.descriptor(memory, MOST_BYTES / 2, layouts.get(3), layouts.get(4), swizzle);
    int advanceA = layouts.get(2);
    int advanceB = layouts.get(5);
    float[] sum = new float[n / 2];
    PtxWarpGroups.wgmmaFence();
    for (int k = 0; k < 2; k++) {
      long nextA = Wgmma.advance(a, k * advanceA);
      long nextB = Wgmma.advance(b, k * advanceB);
      boolean add = k > 0;
      if (type == BF16) {
        PtxWarpGroups.wgmmaBf16(sum, 0, n, nextA, nextB, add, transposes & 1, transposes >> 1);
      } else if (type == F16) {
        PtxWarpGroups.wgmmaF16(sum, 0, n, nextA, nextB, add, transposes & 1, transposes >> 1);
      } else if (type == E4M3) {
        PtxWarpGroups.wgmmaE4m3(sum, 0, n, nextA, nextB, add);
      } else if (type == E5M2) {
        PtxWarpGroups.wgmmaE5m2(sum, 0, n, nextA, nextB, add);
      } else {
        PtxWarpGroups.wgmmaTf32(sum, 0, n, nextA, nextB, add);
      }
    }
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    for (int i = 0; i < n / 2; i++) {
      out.set((long) i * 128 + block.threadRank(), sum[i]);
    }
  }

  /** As the other, of signed bytes. */
  @Kernel(maxThreads = 128)
  static void ofBytes(
      ThreadBlock block, GlobalBytes matrices, GlobalInts out, @Const int n, int stride) {
    SharedBytes memory = block.sharedBytes(MOST_BYTES);
    bring(block, memory, matrices);
    long a = Wgmma.descriptor(memory, 0, 16, stride, 128);
    long b = Wgmma.descriptor(memory, MOST_BYTES / 2, 16, stride, 128);
    int[] sum = new int[n / 2];
    for (int i = 0; i < n / 2; i++) {
      sum[i] = i;
    }
    PtxWarpGroups.wgmmaFence();
    PtxWarpGroups.wgmmaS8(sum, 0, n, a, b, true);
    PtxWarpGroups.wgmmaS8(sum, 0, n, Wgmma.advance(a, 32), Wgmma.advance(b, 32), true);
    PtxWarpGroups.wgmmaCommitGroup();
    PtxWarpGroups.wgmmaWaitGroup(0);
    for (int i = 0; i < n / 2; i++) {
      out.set((long) i * 128 + block.threadRank(), sum[i]);
    }
  }

  /** The left matrix comes in registers, and sums that are scaled between are added to. */
  @Kernel(maxThreads = 128)
  static void fromRegisters(
      ThreadBlock block,
      GlobalBytes matrices,
      GlobalInts left,
      GlobalFloats out,
      @Const int type,
      @Const int n,
      int rounds,
      float scale) {
    SharedBytes memory = block.sharedBytes(MOST_BYTES);
    bring(block, memory, matrices);
    long b = Wgmma.kMajor(memory, 0, 32);
    float[] sum = new float[n / 2];
    int[] a = new int[4];
    for (int round = 0; round < rounds; round++) {
      for (int i = 0; i < 4; i++) {
        a[i] = left.get((round * 4L + i) * 128 + block.threadRank());
      }
      for (int i = 0; i < n / 2; i++) {
        sum[i] *= scale;
      }
      PtxWarpGroups.wgmmaFence();
      if (type == BF16) {
        PtxWarpGroups.wgmmaBf16(sum, 0, n, a, 0, b, true, 0);
      } else if (type == E4M3) {
        PtxWarpGroups.wgmmaE4m3(sum, 0, n, a, 0, b, true);
      } else if (type == E5M2) {
        PtxWarpGroups.wgmmaE5m2(sum, 0, n, a, 0, b, true);
      } else {
        PtxWarpGroups.wgmmaF16(sum, 0, n, a, 0, b, true, 0);
      }
      PtxWarpGroups.wgmmaCommitGroup();
      PtxWarpGroups.wgmmaWaitGroup(0);
    }
    for (int i = 0; i < n / 2; i++) {
      out.set((long) i * 128 + block.threadRank(), sum[i]);
    }
  }
}
