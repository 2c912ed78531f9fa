package dev.stretto.contract;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.SharedArray;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalBytes;

/**
 * Kernels whose copies complete on barriers at which not every thread arrives, or in stages. Every
 * byte is read by another thread than the one that copies it.
 */
final class BarrierCopies {
  /** How many bytes of shared memory a copy may fill. */
  static final int MOST = 1024;

  static final int ROUNDS = 3;

  private BarrierCopies() {}

  private static SharedArray view(SharedBytes bytes, @Const int type) {
    return switch (type) {
      case 0 -> bytes;
      case 1 -> bytes.asShorts();
      case 2 -> bytes.asInts();
      case 3 -> bytes.asLongs();
      case 4 -> bytes.asFloats();
      case 5 -> bytes.asDoubles();
      case 6 -> bytes.asHalfs();
      default -> bytes.asBfloats();
    };
  }

  private static GlobalArray view(GlobalBytes bytes, @Const int type) {
    return switch (type) {
      case 0 -> bytes;
      case 1 -> bytes.asShorts();
      case 2 -> bytes.asInts();
      case 3 -> bytes.asLongs();
      case 4 -> bytes.asFloats();
      case 5 -> bytes.asDoubles();
      case 6 -> bytes.asHalfs();
      default -> bytes.asBfloats();
    };
  }

  /** Each thread writes what another one has copied. */
  private static void store(
      ThreadBlock block, SharedBytes tile, GlobalBytes out, long first, int bytes) {
    for (int i = block.threadRank(); i < bytes; i += block.size()) {
      int other = (i + bytes / 2) % bytes;
      out.set(first + other, tile.get(other));
    }
  }

  /** The block copies, and one thread arrives for all. */
  @Kernel
  static void oneArrivesForTheBlock(
      ThreadBlock block,
      GlobalBytes in,
      GlobalBytes out,
      int count,
      int stride,
      int arriving,
      @Const int type,
      @Const int alignment) {
    SharedBytes tile = block.sharedBytes(MOST);
    SharedArray to = view(tile, type);
    int width = to.elementBytes();
    Barrier barrier = block.barrier(1);
    for (int round = 0; round < ROUNDS; round++) {
      block.memcpyAsync(to, 0, view(in, type), (long) round * stride, count, alignment, barrier);
      if (block.threadRank() == arriving) {
        barrier.arrive();
      }
      barrier.waitForParity(round & 1);
      store(block, tile, out, (long) round * stride * width, count * width);
      block.sync();
    }
  }

  /** Each warp copies a part, and one lane arrives for its warp. */
  @Kernel
  static void oneArrivesForTheWarp(
      ThreadBlock block,
      GlobalBytes in,
      GlobalBytes out,
      int count,
      int stride,
      int arriving,
      @Const int type,
      @Const int alignment) {
    SharedBytes tile = block.sharedBytes(MOST);
    SharedArray to = view(tile, type);
    int width = to.elementBytes();
    SharedLongs words = block.sharedLongs(2);
    Warp warp = block.warp();
    int warps = (block.size() + 31) / 32;
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 1, warps);
    }
    block.sync();
    Barrier barrier = block.barrierAt(words, 1);
    // Parts begin where the alignment holds.
    int part = count / warps * width / 16 * 16 / width;
    int first = warp.index() * part;
    int own = warp.index() == warps - 1 ? count - first : part;
    for (int round = 0; round < ROUNDS; round++) {
      long from = (long) round * stride + first;
      warp.memcpyAsync(to, first, view(in, type), from, own, alignment, barrier);
      if (warp.lane() == arriving % warp.size()) {
        barrier.arrive();
      }
      barrier.waitForParity(round & 1);
      store(block, tile, out, (long) round * stride * width, count * width);
      block.sync();
    }
  }

  /** One thread copies everything, and another arrives behind a barrier of the block. */
  @Kernel
  static void oneCopiesAndAnotherArrives(
      ThreadBlock block,
      GlobalBytes in,
      GlobalBytes out,
      int count,
      int stride,
      int arriving,
      @Const int type,
      @Const int alignment) {
    SharedBytes tile = block.sharedBytes(MOST);
    SharedArray to = view(tile, type);
    int width = to.elementBytes();
    Barrier barrier = block.barrier(1);
    for (int round = 0; round < ROUNDS; round++) {
      if (block.threadRank() == 1) {
        ThisThread.memcpyAsync(
            to, 0, view(in, type), (long) round * stride, count, alignment, barrier);
      }
      block.sync();
      if (block.threadRank() == arriving) {
        barrier.arrive();
      }
      barrier.waitForParity(round & 1);
      store(block, tile, out, (long) round * stride * width, count * width);
      block.sync();
    }
  }

  /** All arrive, each for itself. */
  @Kernel
  static void eachArrives(
      ThreadBlock block,
      GlobalBytes in,
      GlobalBytes out,
      int count,
      int stride,
      int arriving,
      @Const int type,
      @Const int alignment) {
    SharedBytes tile = block.sharedBytes(MOST);
    SharedArray to = view(tile, type);
    int width = to.elementBytes();
    Barrier barrier = block.barrier();
    for (int round = 0; round < ROUNDS; round++) {
      block.memcpyAsync(to, 0, view(in, type), (long) round * stride, count, alignment, barrier);
      barrier.arriveAndWait();
      store(block, tile, out, (long) round * stride * width, count * width);
      block.sync();
    }
  }

  /** One stage, which every thread produces and consumes. */
  @Kernel
  static void inAStage(
      ThreadBlock block,
      GlobalBytes in,
      GlobalBytes out,
      int count,
      int stride,
      int arriving,
      @Const int type,
      @Const int alignment) {
    SharedBytes tile = block.sharedBytes(MOST);
    SharedArray to = view(tile, type);
    int width = to.elementBytes();
    Pipeline pipeline = block.pipeline(1);
    for (int round = 0; round < ROUNDS; round++) {
      pipeline.producerAcquire();
      block.memcpyAsync(to, 0, view(in, type), (long) round * stride, count, alignment, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      store(block, tile, out, (long) round * stride * width, count * width);
      pipeline.consumerRelease();
    }
  }
}
