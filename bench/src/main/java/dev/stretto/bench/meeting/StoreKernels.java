package dev.stretto.bench.meeting;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels that bring tiles of shared memory to global memory, with two tiles under way. */
final class StoreKernels {
  private StoreKernels() {}

  /** The tiles stay as they are. */
  @Kernel
  static void kept(ThreadBlock block, GlobalInts out, int tiles, @Const int ints) {
    SharedInts tile = block.dynamicShared().asInts();
    for (int i = block.threadRank(); i < 2 * ints; i += block.size()) {
      tile.set(i, i);
    }
    block.sync();
    int at = 0;
    for (int t = block.blockIndexX(); t < tiles; t += block.gridSizeX()) {
      block.memcpyAsync(out, (long) t * ints, tile, at, ints, 16);
      block.waitPrior(1);
      at = ints - at;
    }
  }

  /** Each tile is filled anew. */
  @Kernel
  static void filled(ThreadBlock block, GlobalInts out, int tiles, @Const int ints) {
    SharedInts tile = block.dynamicShared().asInts();
    int at = 0;
    for (int t = block.blockIndexX(); t < tiles; t += block.gridSizeX()) {
      for (int i = block.threadRank(); i < ints; i += block.size()) {
        tile.set(at + i, t + i);
      }
      block.sync();
      block.memcpyAsync(out, (long) t * ints, tile, at, ints, 16);
      block.waitPrior(1);
      at = ints - at;
    }
  }

  /** The same in the stages of a pipeline. */
  @Kernel
  static void staged(ThreadBlock block, GlobalInts out, int tiles, @Const int ints) {
    SharedInts tile = block.dynamicShared().asInts();
    Pipeline pipeline = block.pipeline(2);
    int begun = 0;
    for (int t = block.blockIndexX(); t < tiles; t += block.gridSizeX()) {
      if (begun == 2) {
        pipeline.consumerWait();
        pipeline.consumerRelease();
      } else {
        begun++;
      }
      pipeline.producerAcquire();
      int at = pipeline.producerStage() * ints;
      for (int i = block.threadRank(); i < ints; i += block.size()) {
        tile.set(at + i, t + i);
      }
      block.sync();
      block.memcpyAsync(out, (long) t * ints, tile, at, ints, 16, pipeline);
      pipeline.producerCommit();
    }
    pipeline.quit();
  }
}
