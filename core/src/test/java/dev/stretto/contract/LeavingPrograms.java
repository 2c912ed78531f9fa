package dev.stretto.contract;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** Kernels in which each thread takes part in some stages of a pipeline and then leaves it. */
final class LeavingPrograms {
  /** The most threads that copy. */
  static final int MOST = 256;

  private LeavingPrograms() {}

  /**
   * The first threads each copy one number of a tile for as many tiles as they have turns; each of
   * the others adds up what it finds in as many tiles as it has turns.
   */
  @Kernel
  static void byRoles(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      GlobalInts turns,
      int producers,
      @Const int stages) {
    SharedInts tiles = block.sharedInts(stages * MOST);
    Pipeline pipeline = block.pipeline(stages, producers);
    int rank = block.threadRank();
    int mine = turns.get(rank);
    int sum = 0;
    for (int tile = 0; tile < mine; tile++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int to = pipeline.producerStage() * MOST + rank;
        ThisThread.memcpyAsync(tiles, to, in, (long) tile * producers + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int from = pipeline.consumerStage() * MOST;
        for (int i = 0; i < producers; i++) {
          if (turns.get(i) > tile) {
            sum = sum * 31 + tiles.get(from + i);
          }
        }
        pipeline.consumerRelease();
      }
    }
    pipeline.quit();
    out.set((long) block.blockIndexX() * block.size() + rank, sum);
  }

  /** Each thread copies one number of a tile and adds up all of it, as often as it has turns. */
  @Kernel
  static void together(
      ThreadBlock block, GlobalInts in, GlobalInts out, GlobalInts turns, @Const int stages) {
    SharedInts tiles = block.sharedInts(stages * MOST);
    Pipeline pipeline = block.pipeline(stages);
    int rank = block.threadRank();
    int threads = block.size();
    int mine = turns.get(rank);
    int sum = 0;
    for (int tile = 0; tile < mine; tile++) {
      pipeline.producerAcquire();
      int to = pipeline.producerStage() * MOST + rank;
      ThisThread.memcpyAsync(tiles, to, in, (long) tile * threads + rank, 1, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      int from = pipeline.consumerStage() * MOST;
      for (int i = 0; i < threads; i++) {
        if (turns.get(i) > tile) {
          sum = sum * 31 + tiles.get(from + i);
        }
      }
      pipeline.consumerRelease();
    }
    pipeline.quit();
    out.set((long) block.blockIndexX() * threads + rank, sum);
  }
}
