package dev.stretto.contract;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;

/** Kernels that hand tiles through a pipeline, of any shape; see {@link RandomPipelineTest}. */
final class PipelinePrograms {
  /** The most elements of a tile. */
  static final int MOST = 256;

  private PipelinePrograms() {}

  private static int changed(int value, int next) {
    return value * 31 + next;
  }

  /** All threads share each copy, some tiles ahead of the one that they compute. */
  @Kernel
  static void together(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      int n,
      int tile,
      int ahead,
      @Const int stages,
      @Const int alignment) {
    SharedInts tiles = block.sharedInts(stages * MOST);
    Pipeline pipeline = block.pipeline(stages);
    int all = (n + tile - 1) / tile;
    int next = block.blockIndexX();
    for (int at = next; at < all; at += block.gridSizeX()) {
      while (next < all && next < at + ahead * block.gridSizeX()) {
        pipeline.producerAcquire();
        block.memcpyAsync(
            tiles,
            pipeline.producerStage() * MOST,
            in,
            (long) next * tile,
            Math.min(tile, n - next * tile),
            alignment,
            pipeline);
        pipeline.producerCommit();
        next += block.gridSizeX();
      }
      pipeline.consumerWait();
      int count = Math.min(tile, n - at * tile);
      int from = pipeline.consumerStage() * MOST;
      for (int i = block.threadRank(); i < count; i += block.size()) {
        int value = changed(tiles.get(from + i), tiles.get(from + (i + 1) % count));
        out.set((long) at * tile + i, value);
      }
      pipeline.consumerRelease();
    }
  }

  /** Each thread copies what it computes, and some leave before the end. */
  @Kernel
  static void alone(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      int n,
      int tile,
      int leaving,
      int round,
      @Const int stages) {
    SharedInts tiles = block.sharedInts(stages * MOST);
    Pipeline pipeline = block.pipeline(stages);
    int all = (n + tile - 1) / tile;
    int rank = block.threadRank();
    int rounds = 0;
    for (int at = block.blockIndexX(); at < all; at += block.gridSizeX()) {
      if (rank < leaving && rounds == round) {
        pipeline.quit();
        return;
      }
      int count = Math.min(tile, n - at * tile);
      int to = pipeline.producerStage() * MOST;
      pipeline.producerAcquire();
      for (int i = rank; i < count; i += block.size()) {
        ThisThread.memcpyAsync(tiles, to + i, in, (long) at * tile + i, 1, pipeline);
      }
      pipeline.producerCommit();
      pipeline.consumerWait();
      int from = pipeline.consumerStage() * MOST;
      for (int i = rank; i < count; i += block.size()) {
        int value = tiles.get(from + i);
        out.set((long) at * tile + i, changed(value, value));
      }
      pipeline.consumerRelease();
      rounds++;
    }
  }

  /**
   * Some warps copy a part of each tile, the others compute; some of those leave before the end.
   */
  @Kernel
  static void byRoles(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      int n,
      int tile,
      int producers,
      int leaving,
      int round,
      @Const int stages,
      @Const int alignment) {
    SharedInts tiles = block.sharedInts(stages * MOST);
    Pipeline pipeline = block.pipeline(stages, 32 * producers);
    Warp warp = block.warp();
    int all = (n + tile - 1) / tile;
    int consumer = block.threadRank() - 32 * producers;
    int consumers = block.size() - 32 * producers;
    int rounds = 0;
    for (int at = block.blockIndexX(); at < all; at += block.gridSizeX()) {
      int count = Math.min(tile, n - at * tile);
      if (pipeline.isProducer()) {
        int share = (count / producers + 3) / 4 * 4;
        int first = Math.min(count, warp.index() * share);
        int mine = warp.index() == producers - 1 ? count - first : Math.min(share, count - first);
        pipeline.producerAcquire();
        warp.memcpyAsync(
            tiles,
            pipeline.producerStage() * MOST + first,
            in,
            (long) at * tile + first,
            mine,
            alignment,
            pipeline);
        pipeline.producerCommit();
      } else {
        if (consumer < leaving && rounds == round) {
          pipeline.quit();
          return;
        }
        pipeline.consumerWait();
        int from = pipeline.consumerStage() * MOST;
        for (int i = consumer; i < count; i += consumers) {
          int value = changed(tiles.get(from + i), tiles.get(from + (i + 1) % count));
          out.set((long) at * tile + i, value);
        }
        pipeline.consumerRelease();
      }
      rounds++;
    }
  }
}
