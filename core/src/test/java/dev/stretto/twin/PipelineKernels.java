package dev.stretto.twin;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/** The kernels of {@code semantics/pipelines.cuh} that have pipelines. */
final class PipelineKernels {
  private static final int TILE = 96;
  private static final int TILES = 20;

  private PipelineKernels() {}

  private static void use(
      SharedInts tiles, int tile, int count, GlobalInts out, int to, int first, int step) {
    for (int i = first; i < count; i += step) {
      out.set(to + i, tiles.get(tile + i) + 5 * tiles.get(tile + (i + 1) % count));
    }
  }

  // --- all threads produce and consume
  // --------------------------------------------------------------------------------

  /** All threads share each copy; as many tiles are under way as there are stages. */
  @Kernel
  static void together(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int stages, @Const int count) {
    SharedInts tiles = block.sharedInts(stages * count);
    Pipeline pipeline = block.pipeline(stages);
    int next = block.blockIndexX();
    for (int tile = block.blockIndexX(); tile < TILES; tile += block.gridSizeX()) {
      for (; next < TILES && next < tile + stages * block.gridSizeX(); next += block.gridSizeX()) {
        pipeline.producerAcquire();
        int stage = pipeline.producerStage();
        block.memcpyAsync(tiles, count * stage, in, (long) count * next, count, pipeline);
        pipeline.producerCommit();
      }
      pipeline.consumerWait();
      int at = count * pipeline.consumerStage();
      use(tiles, at, count, out, count * tile, block.threadRank(), block.size());
      pipeline.consumerRelease();
    }
  }

  /** Stages without a copy: what the threads store themselves goes by, too. */
  @Kernel
  static void emptyStages(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(3 * 64);
    Pipeline pipeline = block.pipeline(3);
    int rank = block.threadRank();
    for (int tile = 0; tile < TILES; tile++) {
      int at = 64 * (tile % 3);
      pipeline.producerAcquire();
      tiles.set(at + rank, in.get(64 * tile + rank));
      pipeline.producerCommit();
      pipeline.consumerWait();
      out.set(64 * tile + rank, tiles.get(at + 63 - rank));
      pipeline.consumerRelease();
    }
  }

  /** Waits for all but the newest stages: of libcu++ only a pipeline of one thread can. */
  @Kernel
  static void waitPrior(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(4 * 64);
    Pipeline pipeline = block.pipeline(4);
    int rank = block.threadRank();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 4; i++) {
        int at = 64 * i + rank;
        pipeline.producerAcquire();
        ThisThread.memcpyAsync(tiles, at, in, 256 * round + at, 1, pipeline);
        pipeline.producerCommit();
      }
      int to = 256 * round;
      pipeline.consumerWaitPrior(2);
      for (int i = 0; i < 2; i++) {
        out.set(to + 64 * i + rank, tiles.get(64 * i + rank));
        pipeline.consumerRelease();
      }
      pipeline.consumerWaitPrior(0);
      for (int i = 2; i < 4; i++) {
        out.set(to + 64 * i + rank, tiles.get(64 * i + rank));
        pipeline.consumerRelease();
      }
    }
  }

  // --- some produce, the others consume
  // -------------------------------------------------------------------------------

  /** The first threads produce: each has its own part of every tile copied. */
  @Kernel
  static void apart(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int stages, int producers) {
    SharedInts tiles = block.sharedInts(stages * TILE);
    Pipeline pipeline = block.pipeline(stages, producers);
    int rank = block.threadRank();
    if (pipeline.isProducer()) {
      for (int tile = 0; tile < TILES; tile++) {
        pipeline.producerAcquire();
        for (int i = rank; i < TILE; i += producers) {
          int at = TILE * pipeline.producerStage() + i;
          ThisThread.memcpyAsync(tiles, at, in, TILE * tile + i, 1, pipeline);
        }
        pipeline.producerCommit();
      }
    } else {
      for (int tile = 0; tile < TILES; tile++) {
        pipeline.consumerWait();
        int at = TILE * pipeline.consumerStage();
        use(tiles, at, TILE, out, TILE * tile, rank - producers, block.size() - producers);
        pipeline.consumerRelease();
      }
    }
  }

  /** One thread copies whole tiles, with the alignment that a bulk copy takes. */
  @Kernel
  static void oneCopies(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * TILE);
    Pipeline pipeline = block.pipeline(2, 1);
    int rank = block.threadRank();
    for (int tile = 0; tile < TILES; tile++) {
      if (rank == 0) {
        pipeline.producerAcquire();
        int at = TILE * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at, in, TILE * tile, TILE, 16, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = TILE * pipeline.consumerStage();
        use(tiles, at, TILE, out, TILE * tile, rank - 1, block.size() - 1);
        pipeline.consumerRelease();
      }
    }
  }

  // --- leaving
  // ----------------------------------------------------------------------------------------------------------

  /** Each thread hands some tiles on to the one opposite. */
  private static void exchange(
      ThreadBlock block,
      Pipeline pipeline,
      SharedInts tiles,
      GlobalInts in,
      GlobalInts out,
      int from,
      int count,
      int pause) {
    int rank = block.threadRank();
    for (int tile = 0; tile < count; tile++) {
      int at = 64 * (tile % 2);
      pipeline.producerAcquire();
      ThisThread.memcpyAsync(tiles, at + rank, in, from + 64 * tile + rank, 1, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      int value = tiles.get(at + 63 - rank);
      pipeline.consumerRelease();
      for (int i = 0; i < pause; i++) {
        value += i;
      }
      out.set(from + 64 * tile + rank, value);
    }
  }

  /** Everyone leaves behind the last stage, which is what libcu++ has quit() for. */
  @Kernel
  static void leftAtTheEnd(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * 64);
    Pipeline pipeline = block.pipeline(2);
    exchange(block, pipeline, tiles, in, out, 0, 5, 0);
    pipeline.quit();
    block.sync();
    out.set(1000 + block.threadRank(), in.get(block.threadRank()));
  }

  @Kernel
  static void leftAtOnce(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, 32);
    pipeline.quit();
    block.sync();
    out.set(block.threadRank(), in.get(block.threadRank()));
  }

  /** Threads that are done leave while the others are still busy with the last stage. */
  @Kernel
  static void leftOneByOne(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * 64);
    Pipeline pipeline = block.pipeline(2);
    int rank = block.threadRank();
    exchange(block, pipeline, tiles, in, out, 0, 4, 20 * (rank % 5));
    if (rank % 2 == 0) {
      pipeline.quit();
    }
  }

  /** A pipeline at the same place, after the one before was left by all. */
  @Kernel
  static void madeAgain(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * 64);
    for (int round = 0; round < 3; round++) {
      Pipeline pipeline = block.pipeline(2);
      exchange(block, pipeline, tiles, in, out, 192 * round, 3, 0);
      pipeline.quit();
      block.sync();
    }
  }

  /**
   * A producing warp makes two tiles, the first consuming warp takes one and leaves, the second
   * takes both; or the warp is two, of which one produces the first tile only.
   */
  @Kernel
  static void leftEarly(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int producers) {
    SharedInts tiles = block.sharedInts(2 * 32);
    Pipeline pipeline = block.pipeline(2, 32 * producers);
    int rank = block.threadRank();
    int warp = rank / 32;
    int lane = rank % 32;
    int tilesOfMine = warp == 1 ? 1 : 2;
    for (int tile = 0; tile < tilesOfMine; tile++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        if (warp == 0) {
          ThisThread.memcpyAsync(tiles, 32 * tile + lane, in, 32 * tile + lane, 1, pipeline);
        }
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        if (warp == 2) {
          out.set(64L * block.blockIndexX() + 32 * tile + lane, tiles.get(32 * tile + 31 - lane));
        }
        pipeline.consumerRelease();
      }
    }
    pipeline.quit();
  }

  /** All threads produce and consume, and warp 1 leaves after the first of three tiles. */
  @Kernel
  static void leftEarlyByOneOfAll(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * 32);
    Pipeline pipeline = block.pipeline(2);
    int rank = block.threadRank();
    int warp = rank / 32;
    int lane = rank % 32;
    int tilesOfMine = warp == 1 ? 1 : 3;
    for (int tile = 0; tile < tilesOfMine; tile++) {
      int at = 32 * (tile % 2);
      pipeline.producerAcquire();
      if (warp == 0) {
        ThisThread.memcpyAsync(tiles, at + lane, in, 32 * tile + lane, 1, pipeline);
      }
      pipeline.producerCommit();
      pipeline.consumerWait();
      if (warp == 2) {
        out.set(128L * block.blockIndexX() + 32 * tile + lane, tiles.get(at + 31 - lane));
      }
      pipeline.consumerRelease();
    }
    pipeline.quit();
  }
}
