package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels in pairs whose warps have roles: one fills stages of shared memory, the other one reads
 * them. In one of each pair a wait or a release is left out, so that a stage is read that has not
 * been filled, or is filled that has not been read.
 */
final class RacesOfStages {
  private static final int TURNS = 8;

  private RacesOfStages() {}

  @Kernel
  @Breaks(CopyRule.STALE_STAGE)
  static void releasesOnceTooLittleBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        if (i != 3) {
          pipeline.consumerRelease();
        }
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void releasesOnceTooLittleGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.STALE_STAGE)
  static void releasesNeverBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(96);
    Pipeline pipeline = block.pipeline(3, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void releasesNeverGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(96);
    Pipeline pipeline = block.pipeline(3, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.STALE_STAGE)
  static void releasesTheFirstTurnOnlyLaterBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        if (i != 0) {
          pipeline.consumerRelease();
        }
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void releasesTheFirstTurnOnlyLaterGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.STALE_STAGE)
  static void releasesTheLastTurnsNeverBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        if (i < 6) {
          pipeline.consumerRelease();
        }
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void releasesTheLastTurnsNeverGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.STALE_STAGE)
  static void oneThreadReleasesOnceTooLittleBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        if (i != 3 || rank != 40) {
          pipeline.consumerRelease();
        }
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void oneThreadReleasesOnceTooLittleGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void waitsForNoStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void waitsForNoStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void waitsNotForTheFourthStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        if (i != 3) {
          pipeline.consumerWait();
        }
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void waitsNotForTheFourthStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void waitsNotForTheLastStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        if (i != TURNS - 1) {
          pipeline.consumerWait();
        }
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void waitsNotForTheLastStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void waitsForEvenStagesOnlyBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        if (i % 2 == 0) {
          pipeline.consumerWait();
        }
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void waitsForEvenStagesOnlyGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void waitsNotFromTheFifthStageOnBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(128);
    Pipeline pipeline = block.pipeline(4, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        if (i < 5) {
          pipeline.consumerWait();
        }
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void waitsNotFromTheFifthStageOnGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(128);
    Pipeline pipeline = block.pipeline(4, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void acquiresNoStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline); // wrong
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void acquiresNoStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void acquiresNotTheFifthStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        if (i != 4) {
          pipeline.producerAcquire();
        }
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline); // wrong
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void acquiresNotTheFifthStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void acquiresNotTheLastStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        if (i != TURNS - 1) {
          pipeline.producerAcquire();
        }
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline); // wrong
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void acquiresNotTheLastStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.UNORDERED_WRITES)
  static void commitsOnceTooLittleBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline); // wrong
        if (i != 3) {
          pipeline.producerCommit();
        }
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void commitsOnceTooLittleGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.STALE_STAGE)
  static void aWarpCopiesReleasesOnceTooLittleBad(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        block.warp().memcpyAsync(tiles, at, in, 32 * i, 32, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        if (i != 3) {
          pipeline.consumerRelease();
        }
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void aWarpCopiesReleasesOnceTooLittleGood(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        block.warp().memcpyAsync(tiles, at, in, 32 * i, 32, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void aWarpCopiesWaitsNotForTheFourthStageBad(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        block.warp().memcpyAsync(tiles, at, in, 32 * i, 32, pipeline);
        pipeline.producerCommit();
      } else {
        if (i != 3) {
          pipeline.consumerWait();
        }
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank)); // wrong
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void aWarpCopiesWaitsNotForTheFourthStageGood(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        block.warp().memcpyAsync(tiles, at, in, 32 * i, 32, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void aWarpCopiesAcquiresNoStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        int at = 32 * pipeline.producerStage();
        block.warp().memcpyAsync(tiles, at, in, 32 * i, 32, pipeline); // wrong
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void aWarpCopiesAcquiresNoStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < TURNS; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        block.warp().memcpyAsync(tiles, at, in, 32 * i, 32, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void bulkWaitsForNothingBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        out.set(32 * i + rank - 32, tile.get(63 - rank)); // wrong
        empty.arrive();
      }
    }
  }

  @Kernel
  static void bulkWaitsForNothingGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void bulkWaitsNotForTheFourthBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        if (i != 3) {
          full.waitForParity(i & 1);
        }
        out.set(32 * i + rank - 32, tile.get(63 - rank)); // wrong
        empty.arrive();
      }
    }
  }

  @Kernel
  static void bulkWaitsNotForTheFourthGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void bulkWaitsNotForTheLastBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        if (i != TURNS - 1) {
          full.waitForParity(i & 1);
        }
        out.set(32 * i + rank - 32, tile.get(63 - rank)); // wrong
        empty.arrive();
      }
    }
  }

  @Kernel
  static void bulkWaitsNotForTheLastGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void bulkWaitsAlwaysForOneParityBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(0);
        out.set(32 * i + rank - 32, tile.get(63 - rank)); // wrong
        empty.arrive();
      }
    }
  }

  @Kernel
  static void bulkWaitsAlwaysForOneParityGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  @Breaks({CopyRule.MISSING_WAIT, CopyRule.STALE_STAGE})
  static void bulkTurnsItsParityTooLateBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i == 4 ? 1 : i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank)); // wrong
        empty.arrive();
      }
    }
  }

  @Kernel
  static void bulkTurnsItsParityTooLateGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void bulkFillsWithoutAWaitBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place); // wrong
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  static void bulkFillsWithoutAWaitGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void bulkFillsWithoutAWaitOnceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        if (i != 4) {
          empty.waitForParity((i & 1) ^ 1);
        }
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place); // wrong
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  static void bulkFillsWithoutAWaitOnceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  @Breaks({CopyRule.EARLY_REFILL, CopyRule.UNORDERED_WRITES})
  static void bulkWaitsForTheParityThatIsPastBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ (i == 4 ? 0 : 1));
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place); // wrong
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  static void bulkWaitsForTheParityThatIsPastGood(
      ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(128);
        long from = 128L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        empty.arrive();
      }
    }
  }
}
