package dev.stretto.contract;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;

/**
 * Right kernels whose warps have roles, with loops that a compiler unrolls and loops that it does
 * not. All get two arrays of 512 numbers.
 */
final class RightRoles {
  private static final int TURNS = 8;

  private RightRoles() {}

  @Kernel
  static void copiesLagBehindNamedBarriers(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      if (rank < 32) {
        if (i >= 2) {
          Ptx.barSync(3 + i % 2, 64);
        }
        PtxCopies.cpAsyncCa4(tiles, 4 * (i % 2 * 32 + rank), in, 4 * (32 * i + rank));
        PtxCopies.cpAsyncCommitGroup();
        if (i >= 1) {
          PtxCopies.cpAsyncWaitGroup(1);
          Ptx.barArrive(1 + (i - 1) % 2, 64);
        }
      } else if (i >= 1) {
        Ptx.barSync(1 + (i - 1) % 2, 64);
        out.set(32 * i + rank - 64, tiles.get((i - 1) % 2 * 32 + 63 - rank));
        if (i < 3) {
          Ptx.barArrive(3 + (i - 1) % 2, 64);
        }
      }
    }
    if (rank < 32) {
      PtxCopies.cpAsyncWaitGroup(0);
      Ptx.barArrive(2, 64);
    } else {
      Ptx.barSync(2, 64);
      out.set(96 + rank - 32, tiles.get(32 + 63 - rank));
    }
  }

  @Kernel
  static void copiesLagBehindABarrierOfTheBlock(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(3 * 32);
    for (int i = 0; i < 6; i++) {
      if (rank < 32) {
        PtxCopies.cpAsyncCa4(tiles, 4 * (i % 3 * 32 + rank), in, 4 * (32 * i + rank));
        PtxCopies.cpAsyncCommitGroup();
        PtxCopies.cpAsyncWaitGroup(1);
      }
      block.sync();
      if (rank >= 32 && i > 0) {
        out.set(32 * i + rank - 64, tiles.get((i - 1) % 3 * 32 + 63 - rank));
      }
    }
    PtxCopies.cpAsyncWaitAll();
    block.sync();
  }

  @Kernel
  static void aFlagInSharedMemoryTellsOfCopies(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    SharedInts flag = block.sharedInts(1);
    if (rank == 0) {
      flag.set(0, 0);
    }
    block.sync();
    if (rank == 0) {
      for (int i = 0; i < 16; i++) {
        PtxCopies.cpAsyncCg16(tile, 16 * i, in, 16 * i);
      }
      PtxCopies.cpAsyncWaitAll();
      Atomics.storeRelease(flag, 0, 1);
    } else if (rank >= 32) {
      while (Atomics.loadAcquire(flag, 0) == 0) {
        Ptx.nanosleep(20);
      }
      out.set(rank, tile.get(95 - rank));
    }
  }

  @Kernel
  static void aLaterBarrierIsToldByAnEarlierOne(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedLongs first = block.sharedLongs(1);
    SharedLongs second = block.sharedLongs(1);
    SharedInts tile = block.sharedInts(64);
    if (rank == 0) {
      PtxBarriers.mbarrierInit(first, 0, 1);
    }
    block.sync();
    if (rank == 0) {
      PtxBarriers.mbarrierInit(second, 0, 64);
      PtxBarriers.mbarrierArrive(first, 0);
    }
    while (!PtxBarriers.mbarrierTryWaitParity(first, 0, 0)) {
      Ptx.nanosleep(20);
    }
    tile.set(rank, in.get(rank));
    long state = PtxBarriers.mbarrierArrive(second, 0);
    while (!PtxBarriers.mbarrierTryWait(second, 0, state)) {
      Ptx.nanosleep(20);
    }
    out.set(rank, tile.get(63 - rank));
  }

  @Kernel
  static void oneLaneReleasesForItsWarp(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warp warp = block.warp();
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(4 * 32);
    SharedLongs words = block.sharedLongs(8);
    if (rank == 0) {
      for (int i = 0; i < 4; i++) {
        PtxBarriers.mbarrierInit(words, i, 1);
        PtxBarriers.mbarrierInit(words, 4 + i, 1);
      }
      PtxBulkCopies.fenceProxyAsyncShared();
    }
    block.sync();
    if (warp.index() == 0) {
      if (warp.lane() == 0) {
        for (int i = 0; i < 2 * TURNS; i++) {
          int stage = i % 4;
          if (i >= 4) {
            while (!PtxBarriers.mbarrierTryWaitParity(words, 4 + stage, (i / 4 & 1) ^ 1)) {
              Ptx.nanosleep(20);
            }
          }
          PtxBarriers.mbarrierArriveExpectTx(words, stage, 128);
          PtxBulkCopies.cpAsyncBulkToShared(tiles, 128 * stage, in, 128L * i, 128, words, stage);
        }
      }
    } else {
      for (int i = 0; i < 2 * TURNS; i++) {
        int stage = i % 4;
        while (!PtxBarriers.mbarrierTryWaitParity(words, stage, i / 4 & 1)) {
          Ptx.nanosleep(20);
        }
        out.set(32 * i + warp.lane(), tiles.get(32 * stage + 31 - warp.lane()));
        warp.sync();
        if (warp.lane() == 0) {
          PtxBarriers.mbarrierArrive(words, 4 + stage);
        }
      }
    }
  }

  @Kernel
  static void countsStagesAndParities(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(3 * 32);
    SharedLongs words = block.sharedLongs(6);
    if (rank == 32) {
      for (int i = 0; i < 3; i++) {
        PtxBarriers.mbarrierInit(words, 2 * i, 1);
        PtxBarriers.mbarrierInit(words, 2 * i + 1, 32);
      }
    }
    block.sync();
    int stage = 0;
    int parity = rank < 32 ? 1 : 0;
    for (int i = 0; i < 16; i++) {
      if (rank == 0) {
        while (!PtxBarriers.mbarrierTryWaitParity(words, 2 * stage + 1, parity)) {
          Ptx.nanosleep(20);
        }
        PtxBarriers.mbarrierExpectTx(words, 2 * stage, 128);
        PtxBulkCopies.cpAsyncBulkToShared(tiles, 128 * stage, in, 128L * i, 128, words, 2 * stage);
        PtxBarriers.mbarrierArrive(words, 2 * stage);
      } else if (rank >= 32) {
        while (!PtxBarriers.mbarrierTryWaitParity(words, 2 * stage, parity)) {
          Ptx.nanosleep(20);
        }
        out.set(32 * i + rank - 32, tiles.get(32 * stage + 63 - rank));
        PtxBarriers.mbarrierArrive(words, 2 * stage + 1);
      }
      stage++;
      if (stage == 3) {
        stage = 0;
        parity ^= 1;
      }
    }
  }

  @Kernel
  static void releasesAStageOneTurnLater(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(3 * 32);
    Pipeline pipeline = block.pipeline(3, 32);
    if (pipeline.isProducer()) {
      for (int i = 0; i < TURNS; i++) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      }
      pipeline.drain();
    } else {
      int before = 0;
      for (int i = 0; i < TURNS; i++) {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        int now = tiles.get(at + 63 - rank);
        out.set(32 * i + rank - 32, now + before);
        before = now;
        pipeline.consumerRelease();
      }
    }
  }

  @Kernel
  static void oneBarrierForAllStages(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(4 * 32);
    Barrier full = block.barrier(1);
    Barrier empty = block.barrier(32);
    SharedLongs words = full.words();
    int place = full.index();
    if (rank == 0) {
      for (int i = 0; i < TURNS; i++) {
        if (i >= 1) {
          empty.waitForParity(i - 1 & 1);
        }
        full.expectBytes(128);
        PtxBulkCopies.cpAsyncBulkToShared(tiles, i % 4 * 128, in, 128L * i, 128, words, place);
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < TURNS; i++) {
        full.waitForParity(i & 1);
        int before = i == 0 ? 0 : tiles.get((i - 1) % 4 * 32 + 63 - rank);
        out.set(32 * i + rank - 32, tiles.get(i % 4 * 32 + 63 - rank) + before);
        empty.arrive();
      }
    }
  }

  @Kernel
  @Launched(sharedBytes = 2048)
  static void stagesLieInDynamicMemory(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedBytes memory = block.dynamicShared();
    SharedInts tiles = memory.slice(0, 1024).asInts();
    SharedInts sums = memory.slice(1024, 256).asInts();
    SharedLongs words = memory.slice(1536, 64).asLongs();
    if (rank == 0) {
      for (int i = 0; i < 4; i++) {
        PtxBarriers.mbarrierInit(words, i, 1);
      }
    }
    block.sync();
    int sum = 0;
    for (int i = 0; i < TURNS; i++) {
      int stage = i % 4;
      if (rank == 0) {
        PtxBarriers.mbarrierArriveExpectTx(words, stage, 256);
        PtxBulkCopies.cpAsyncBulkToShared(tiles, 256 * stage, in, 256L * i, 256, words, stage);
      }
      while (!PtxBarriers.mbarrierTryWaitParity(words, stage, i / 4 & 1)) {
        Ptx.nanosleep(20);
      }
      sum += tiles.get(64 * stage + 63 - rank);
      if (stage == 3) {
        block.sync();
      }
    }
    sums.set(rank, sum);
    block.sync();
    out.set(rank, sums.get(63 - rank));
  }

  @Kernel
  static void reusesMemoryForASecondPurpose(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * rank);
    PtxCopies.cpAsyncWaitAll();
    block.sync();
    int sum = tile.get(63 - rank);
    block.sync();
    tile.set(rank, sum);
    block.sync();
    for (int half = 32; half > 0; half /= 2) {
      if (rank < half) {
        tile.set(rank, tile.get(rank) + tile.get(rank + half));
      }
      block.sync();
    }
    out.set(rank, tile.get(0));
  }

  @Kernel
  static void aLoopThatEndsInTheMiddle(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(128);
    int i = 0;
    block.memcpyAsync(tiles, 0, in, 0, 64);
    while (true) {
      boolean last = i + 1 >= Math.min(7, 3 + in.get(0) % 4);
      if (!last) {
        block.memcpyAsync(tiles, (i + 1) % 2 * 64, in, 64 * (i + 1), 64);
        block.waitPrior(1);
      } else {
        block.waitPrior(0);
      }
      out.set(64 * i + rank, tiles.get(i % 2 * 64 + 63 - rank));
      if (last) {
        break;
      }
      block.sync();
      i++;
    }
  }

  @Kernel
  static void loadsWhileTheNextIsOnItsWay(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts a = block.sharedInts(64);
    SharedInts b = block.sharedInts(64);
    block.memcpyAsync(a, 0, in, 0, 64);
    block.waitAll();
    block.memcpyAsync(b, 0, in, 64, 64);
    out.set(rank, a.get(63 - rank));
    block.waitAll();
    block.memcpyAsync(a, 0, in, 128, 64);
    out.set(64 + rank, b.get(63 - rank));
    block.waitAll();
    out.set(128 + rank, a.get(63 - rank));
  }

  @Kernel
  static void copiesOnlyIfItHasTo(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    int has = -1;
    for (int i = 0; i < 6; i++) {
      int wants = i / 2;
      if (wants != has) {
        block.sync();
        block.memcpyAsync(tile, 0, in, 64 * wants, 64);
        block.waitAll();
        has = wants;
      }
      out.set(64 * i + rank, tile.get(63 - rank));
    }
  }

  @Kernel
  static void theWarpsTakeTurnsAtCopying(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warp warp = block.warp();
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      if (warp.index() == i % 2) {
        warp.memcpyAsync(tiles, i % 2 * 32, in, 32 * i, 32);
        warp.waitAll();
      }
      block.sync();
      out.set(64 * i + rank, tiles.get(i % 2 * 32 + rank % 32));
    }
  }

  @Kernel
  @Launched(blocks = 2, cluster = 2)
  static void theBlocksOfAClusterMeet(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int number = block.cluster().blockRank();
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(1);
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxClusters.fenceMbarrierInit();
    }
    block.cluster().sync();
    if (rank == 0) {
      PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
      if (number == 0) {
        PtxBulkCopies.cpAsyncBulkToSharedMulticast(tile, 0, in, 0, 256, words, 0, 3);
      }
    }
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      Ptx.nanosleep(20);
    }
    out.set(64 * number + rank, tile.get(63 - rank));
    block.cluster().sync();
  }

  @Kernel
  static void storesAheadOfTheLoads(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts from = block.sharedInts(64);
    SharedInts to = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    for (int i = 0; i < 4; i++) {
      pipeline.producerAcquire();
      block.memcpyAsync(from, 0, in, 64 * i, 64, pipeline);
      pipeline.producerCommit();
      pipeline.consumerWait();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      block.sync();
      to.set(rank, 2 * from.get(63 - rank));
      pipeline.consumerRelease();
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * i, to, 0, 256);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void copiesTheRemainderItself(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier();
    int count = 40 + (in.get(0) & 15);
    block.memcpyAsync(tile, 0, in, 0, count, full);
    for (int i = count + rank; i < 64; i += 64) {
      tile.set(i, 0);
    }
    full.arriveAndWait();
    out.set(rank, tile.get(63 - rank));
  }

  @Kernel
  static void testsBeforeItWaits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier();
    block.memcpyAsync(tile, 0, in, 0, 64, full);
    long phase = full.arrive();
    int spins = 0;
    while (!full.hasEnded(phase) && spins < 3) {
      spins++;
    }
    full.waitFor(phase);
    out.set(rank, tile.get(63 - rank));
  }
}
