package dev.stretto.contract;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.Int4;

/**
 * Right kernels as people write them, about which nothing has to be said: not by the compiler, and
 * not by a virtual device. All get two arrays of 512 numbers.
 */
final class RightIdioms {
  private static final int ALL = 512;

  private RightIdioms() {}

  // --- barriers

  @Kernel
  static void sumsByHalving(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts sums = block.sharedInts(64);
    sums.set(rank, in.get(rank) + in.get(rank + 64));
    block.sync();
    for (int half = block.size() / 2; half > 0; half >>= 1) {
      if (rank < half) {
        sums.set(rank, sums.get(rank) + sums.get(rank + half));
      }
      block.sync();
    }
    if (rank == 0) {
      out.set(0, sums.get(0));
    }
  }

  @Kernel
  static void sumsByHalvingDownToAWarp(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts sums = block.sharedInts(64);
    sums.set(rank, in.get(rank));
    block.sync();
    for (int half = 32; half >= 32; half /= 2) {
      if (rank < half) {
        sums.set(rank, sums.get(rank) + sums.get(rank + half));
      }
      block.sync();
    }
    if (rank < 32) {
      int sum = sums.get(rank);
      for (int by = 16; by > 0; by /= 2) {
        sum += block.warp().shuffleDown(sum, by);
      }
      if (rank == 0) {
        out.set(0, sum);
      }
    }
  }

  @Kernel
  static void sumsOfWarpsThenOfTheBlock(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warp warp = block.warp();
    SharedInts sums = block.sharedInts(32);
    int sum = warp.reduceAdd(in.get(block.threadRank()));
    if (warp.lane() == 0) {
      sums.set(warp.index(), sum);
    }
    block.sync();
    if (warp.index() == 0) {
      int all = warp.lane() < block.size() / 32 ? sums.get(warp.lane()) : 0;
      all = warp.reduceAdd(all);
      if (warp.lane() == 0) {
        out.set(0, all);
      }
    }
  }

  @Kernel
  static void barriersInBothBranches(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    if (block.blockIndexX() % 2 == 0) {
      block.sync();
      out.set(rank, tile.get(63 - rank));
    } else {
      block.sync();
      out.set(rank, tile.get(rank ^ 1));
    }
  }

  @Kernel
  static void aBarrierUnderAUniformCondition(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    if (in.get(0) >= 0) {
      block.sync();
      out.set(rank, tile.get(63 - rank));
    }
  }

  @Kernel
  static void aBlockReturnsEarly(ThreadBlock block, GlobalInts in, GlobalInts out) {
    if (block.blockIndexX() > 0) {
      return;
    }
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    out.set(rank, tile.get(63 - rank));
  }

  @Kernel
  static void aWarpReturnsEarly(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    block.sync();
    if (rank >= 32) {
      return;
    }
    int mine = tile.get(rank) + tile.get(rank + 32);
    block.warp().sync();
    tile.set(rank, mine);
    block.warp().sync();
    out.set(rank, tile.get(31 - rank));
  }

  @Kernel
  static void scansWithTwoBuffers(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts sums = block.sharedInts(128);
    int from = 0;
    sums.set(rank, in.get(rank));
    block.sync();
    for (int by = 1; by < 64; by *= 2) {
      int to = 64 - from;
      sums.set(to + rank, sums.get(from + rank) + (rank >= by ? sums.get(from + rank - by) : 0));
      from = to;
      block.sync();
    }
    out.set(rank, sums.get(from + rank));
  }

  @Kernel
  static void scansUpAndDown(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts sums = block.sharedInts(128);
    sums.set(rank, in.get(rank));
    sums.set(rank + 64, in.get(rank + 64));
    int by = 1;
    for (int left = 64; left > 0; left >>= 1) {
      block.sync();
      if (rank < left) {
        int to = by * (2 * rank + 2) - 1;
        sums.set(to, sums.get(to) + sums.get(by * (2 * rank + 1) - 1));
      }
      by *= 2;
    }
    if (rank == 0) {
      sums.set(127, 0);
    }
    for (int left = 1; left < 128; left *= 2) {
      by >>= 1;
      block.sync();
      if (rank < left) {
        int a = by * (2 * rank + 1) - 1;
        int b = by * (2 * rank + 2) - 1;
        int sum = sums.get(a);
        sums.set(a, sums.get(b));
        sums.set(b, sums.get(b) + sum);
      }
    }
    block.sync();
    out.set(2 * rank, sums.get(2 * rank));
    out.set(2 * rank + 1, sums.get(2 * rank + 1));
  }

  @Kernel
  static void transposesATile(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    int x = rank % 8;
    int y = rank / 8;
    SharedInts tile = block.sharedInts(8 * 9);
    tile.set(9 * y + x, in.get(rank));
    block.sync();
    out.set(rank, tile.get(9 * x + y));
  }

  @Kernel
  static void countsInBins(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts bins = block.sharedInts(64);
    bins.set(rank, 0);
    block.sync();
    for (int i = rank; i < ALL; i += block.size()) {
      Atomics.add(bins, in.get(i) & 63, 1);
    }
    block.sync();
    if (bins.get(rank) > 0) {
      Atomics.add(out, rank, bins.get(rank));
    }
  }

  @Kernel
  static void sortsByExchanges(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts keys = block.sharedInts(64);
    keys.set(rank, in.get(rank));
    block.sync();
    for (int size = 2; size <= 64; size *= 2) {
      for (int by = size / 2; by > 0; by /= 2) {
        int other = rank ^ by;
        if (other > rank) {
          int a = keys.get(rank);
          int b = keys.get(other);
          if (a > b == ((rank & size) == 0)) {
            keys.set(rank, b);
            keys.set(other, a);
          }
        }
        block.sync();
      }
    }
    out.set(rank, keys.get(rank));
  }

  @Kernel
  static void votesAtTheBarrier(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    int odd = block.syncCount(in.get(rank) % 2 == 1);
    out.set(rank, tile.get(63 - rank) + odd);
    while (block.syncOr(tile.get(rank) > 100)) {
      if (tile.get(rank) > 100) {
        tile.set(rank, tile.get(rank) / 2);
      }
    }
  }

  @Kernel
  static void rolesMeetAtNamedBarriers(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      int at = i % 2 * 32;
      if (rank < 32) {
        if (i >= 2) {
          Ptx.barSync(3 + i % 2, 64);
        }
        tile.set(at + rank, in.get(32 * i + rank));
        Ptx.barArrive(1 + i % 2, 64);
      } else {
        Ptx.barSync(1 + i % 2, 64);
        out.set(32 * i + rank - 32, tile.get(at + 63 - rank));
        if (i < 2) {
          Ptx.barArrive(3 + i % 2, 64);
        }
      }
    }
  }

  @Kernel
  static void aWarpKeepsToItself(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warp warp = block.warp();
    SharedInts tile = block.sharedInts(64);
    int first = 32 * warp.index();
    for (int i = 0; i < 3; i++) {
      tile.set(first + warp.lane(), in.get(64 * i + block.threadRank()));
      warp.sync();
      out.set(64 * i + block.threadRank(), tile.get(first + 31 - warp.lane()));
      warp.sync();
    }
  }

  @Kernel
  static void oneThreadWritesForAll(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts one = block.sharedInts(1);
    for (int i = 0; i < 4; i++) {
      if (block.threadRank() == i) {
        one.set(0, in.get(i));
      }
      block.sync();
      out.set(64 * i + block.threadRank(), one.get(0));
      block.sync();
    }
  }

  @Kernel
  static void storesVectors(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(256);
    tile.set4(4 * rank, in.get4(4 * rank));
    block.sync();
    Int4 four = tile.get4(252 - 4 * rank);
    out.set4(4 * rank, four);
  }

  // --- copies in groups

  @Kernel
  static void copiesOneTile(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(tile, 0, in, 0, 64);
    block.waitAll();
    out.set(rank, tile.get(63 - rank));
  }

  @Kernel
  static void copiesAheadWithTwoBuffers(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(128);
    block.memcpyAsync(tiles, 0, in, 0, 64);
    for (int i = 0; i < 8; i++) {
      if (i + 1 < 8) {
        block.memcpyAsync(tiles, (i + 1) % 2 * 64, in, 64 * (i + 1), 64);
        block.waitPrior(1);
      } else {
        block.waitAll();
      }
      out.set(64 * i + rank, tiles.get(i % 2 * 64 + 63 - rank));
      block.sync();
    }
  }

  @Kernel
  static void hasAPrologueAndAnEpilogue(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(4 * 64);
    for (int i = 0; i < 3; i++) {
      PtxCopies.cpAsyncCa4(tiles, 4 * (64 * i + rank), in, 4 * (64 * i + rank));
      PtxCopies.cpAsyncCommitGroup();
    }
    int stage = 0;
    int next = 3;
    for (int i = 0; i < 8; i++) {
      PtxCopies.cpAsyncWaitGroup(2);
      block.sync();
      if (i + 3 < 8) {
        PtxCopies.cpAsyncCa4(tiles, 4 * (64 * next + rank), in, 4 * (64 * (i + 3) + rank));
      }
      PtxCopies.cpAsyncCommitGroup();
      out.set(64 * i + rank, tiles.get(64 * stage + 63 - rank));
      stage = (stage + 1) % 4;
      next = (next + 1) % 4;
    }
    PtxCopies.cpAsyncWaitAll();
  }

  @Kernel
  static void copiesTheEdgesOnly(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(66);
    PtxCopies.cpAsyncCa4(tile, 4 * (rank + 1), in, 4 * (rank + 64));
    if (rank == 0) {
      PtxCopies.cpAsyncCa4(tile, 0, in, 4 * 63);
    }
    if (rank == 63) {
      PtxCopies.cpAsyncCa4(tile, 4 * 65, in, 4 * 128);
    }
    PtxCopies.cpAsyncCommitGroup();
    PtxCopies.cpAsyncWaitGroup(0);
    block.sync();
    out.set(rank, tile.get(rank) + tile.get(rank + 1) + tile.get(rank + 2));
  }

  @Kernel
  static void clearsWhatIsOutside(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 3; i++) {
      if (i < 2 || rank < 40) {
        PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * (64 * i + rank));
      } else {
        tile.set(rank, 0);
      }
      PtxCopies.cpAsyncWaitAll();
      block.sync();
      out.set(64 * i + rank, tile.get(63 - rank));
      block.sync();
    }
  }

  @Kernel
  static void readsOnlyItsOwn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    for (int i = 0; i < 4; i++) {
      PtxCopies.cpAsyncCa4(tile, 4 * rank, in, 4 * (64 * i + rank));
      PtxCopies.cpAsyncWaitAll();
      out.set(64 * i + rank, tile.get(rank));
    }
  }

  @Kernel
  static void workOnRegistersBeforeTheWait(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    SharedInts other = block.sharedInts(64);
    block.memcpyAsync(tile, 0, in, 0, 64);
    other.set(rank, rank);
    block.sync();
    int sum = other.get(63 - rank);
    block.waitAll();
    out.set(rank, sum + tile.get(63 - rank));
  }

  @Kernel
  static void readsTheTileOfAnEarlierTurn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(3 * 64);
    block.memcpyAsync(tiles, 0, in, 0, 64);
    block.memcpyAsync(tiles, 64, in, 64, 64);
    for (int i = 0; i < 6; i++) {
      block.memcpyAsync(tiles, (i + 2) % 3 * 64, in, 64 * (i + 2), 64);
      block.waitPrior(1);
      out.set(64 * i + rank, tiles.get(i % 3 * 64 + 63 - rank) + tiles.get((i + 1) % 3 * 64));
      block.sync();
    }
    block.waitAll();
  }

  // --- barrier objects

  @Kernel
  static void oneThreadArrivesForTheWarp(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warp warp = block.warp();
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier(2);
    for (int i = 0; i < 4; i++) {
      tile.set(rank, in.get(64 * i + rank));
      warp.sync();
      if (warp.lane() == 0) {
        barrier.arrive();
      }
      barrier.waitForParity(i & 1);
      out.set(64 * i + rank, tile.get(63 - rank));
      block.sync();
    }
  }

  @Kernel
  static void arrivesAndWorksAndWaits(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    for (int i = 0; i < 4; i++) {
      tile.set(rank, in.get(64 * i + rank));
      long phase = barrier.arrive();
      int own = in.get(rank) * i;
      barrier.waitFor(phase);
      out.set(64 * i + rank, own + tile.get(63 - rank));
      barrier.arriveAndWait();
    }
  }

  @Kernel
  static void initializesItsBarrierItself(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(2);
    if (rank == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
      PtxBarriers.mbarrierInit(words, 1, 64);
      PtxBulkCopies.fenceProxyAsyncShared();
    }
    block.sync();
    for (int i = 0; i < 4; i++) {
      if (rank == 0) {
        long from = 256L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 256, words, 0);
        PtxBarriers.mbarrierArriveExpectTx(words, 0, 256);
      }
      while (!PtxBarriers.mbarrierTryWaitParity(words, 0, i & 1)) {
        Ptx.nanosleep(20);
      }
      out.set(64 * i + rank, tile.get(63 - rank));
      long state = PtxBarriers.mbarrierArrive(words, 1);
      while (!PtxBarriers.mbarrierTryWait(words, 1, state)) {
        Ptx.nanosleep(20);
      }
    }
    block.sync();
    if (rank == 0) {
      PtxBarriers.mbarrierInval(words, 0);
      PtxBarriers.mbarrierInval(words, 1);
    }
  }

  @Kernel
  static void aBarrierForAWarp(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    SharedLongs words = block.sharedLongs(2);
    int warp = rank / 32;
    if (rank % 32 == 0) {
      PtxBarriers.mbarrierInit(words, warp, 1);
    }
    block.warp().sync();
    if (rank % 32 == 0) {
      PtxBarriers.mbarrierArriveExpectTx(words, warp, 128);
      PtxBulkCopies.cpAsyncBulkToShared(tile, 128 * warp, in, 128L * warp, 128, words, warp);
    }
    while (!PtxBarriers.mbarrierTryWaitParity(words, warp, 0)) {
      Ptx.nanosleep(20);
    }
    out.set(rank, tile.get(rank ^ 31));
  }

  @Kernel
  static void twoCopiesForOnePhase(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts a = block.sharedInts(64);
    SharedInts b = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    for (int i = 0; i < 3; i++) {
      if (rank == 0) {
        full.expectBytes(512);
        PtxBulkCopies.cpAsyncBulkToShared(a, 0, in, 256L * i, 256, words, place);
        PtxBulkCopies.cpAsyncBulkToShared(b, 0, in, 256L * i + 256, 256, words, place);
        full.arrive();
      }
      full.waitForParity(i & 1);
      out.set(64 * i + rank, a.get(63 - rank) + b.get(rank));
      block.sync();
    }
  }

  @Kernel
  static void expectsPieceByPiece(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(256);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    int place = full.index();
    if (rank == 0) {
      for (int i = 0; i < 4; i++) {
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(tile, 256 * i, in, 256L * i, 256, words, place);
      }
      full.arrive();
    }
    full.waitForParity(0);
    out.set(rank, tile.get(255 - rank));
  }

  @Kernel
  static void waitsForAConstantTileInEachTurn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts fixed = block.sharedInts(64);
    SharedInts tile = block.sharedInts(64);
    Barrier once = block.barrier(1);
    Barrier full = block.barrier(1);
    Barrier empty = block.barrier(32);
    if (rank == 0) {
      once.expectBytes(256);
      PtxBulkCopies.cpAsyncBulkToShared(fixed, 0, in, 0, 256, once.words(), once.index());
      once.arrive();
      for (int i = 0; i < 6; i++) {
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        long from = 256L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 256, full.words(), full.index());
        full.arrive();
      }
    } else if (rank >= 32) {
      for (int i = 0; i < 6; i++) {
        once.waitForParity(0);
        full.waitForParity(i & 1);
        out.set(64 * i + rank, tile.get(rank) + fixed.get(63 - rank));
        empty.arrive();
      }
    }
  }

  @Kernel
  static void refillsTheConstantTileNowAndThen(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts fixed = block.sharedInts(64);
    SharedInts tile = block.sharedInts(64);
    Barrier fullFixed = block.barrier(1);
    Barrier emptyFixed = block.barrier(32);
    Barrier full = block.barrier(1);
    Barrier empty = block.barrier(32);
    for (int i = 0; i < 8; i++) {
      int turn = i / 4;
      if (rank == 0) {
        if (i % 4 == 0) {
          emptyFixed.waitForParity((turn & 1) ^ 1);
          fullFixed.expectBytes(256);
          SharedLongs words = fullFixed.words();
          long from = 256L * turn;
          PtxBulkCopies.cpAsyncBulkToShared(fixed, 0, in, from, 256, words, fullFixed.index());
          fullFixed.arrive();
        }
        empty.waitForParity((i & 1) ^ 1);
        full.expectBytes(256);
        long from = 256L * i;
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 256, full.words(), full.index());
        full.arrive();
      } else if (rank >= 32) {
        fullFixed.waitForParity(turn & 1);
        full.waitForParity(i & 1);
        out.set(64 * i + rank - 32, tile.get(rank) + fixed.get(63 - rank));
        empty.arrive();
        if (i % 4 == 3) {
          emptyFixed.arrive();
        }
      }
    }
  }

  @Kernel
  static void theContentStaysForTwoTurns(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(32);
    Pipeline pipeline = block.pipeline(1, 32);
    for (int i = 0; i < 8; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        if (i % 2 == 0) {
          ThisThread.memcpyAsync(tile, rank, in, 32 * i + rank, 1, pipeline);
        }
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        out.set(32 * i + rank - 32, tile.get(63 - rank));
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void aPipelineOfAll(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(128);
    Pipeline pipeline = block.pipeline(2);
    pipeline.producerAcquire();
    block.memcpyAsync(tiles, 0, in, 0, 64, pipeline);
    pipeline.producerCommit();
    for (int i = 0; i < 8; i++) {
      if (i + 1 < 8) {
        pipeline.producerAcquire();
        block.memcpyAsync(tiles, (i + 1) % 2 * 64, in, 64 * (i + 1), 64, pipeline);
        pipeline.producerCommit();
      }
      pipeline.consumerWait();
      out.set(64 * i + rank, tiles.get(i % 2 * 64 + 63 - rank));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  static void waitsForSeveralStages(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(4 * 64);
    Pipeline pipeline = block.pipeline(4);
    for (int i = 0; i < 3; i++) {
      pipeline.producerAcquire();
      block.memcpyAsync(tiles, 64 * i, in, 64 * i, 64, pipeline);
      pipeline.producerCommit();
    }
    for (int i = 0; i < 6; i++) {
      if (i + 3 < 8) {
        pipeline.producerAcquire();
        block.memcpyAsync(tiles, (i + 3) % 4 * 64, in, 64 * (i + 3), 64, pipeline);
        pipeline.producerCommit();
      }
      pipeline.consumerWaitPrior(1);
      int sum = tiles.get(i % 4 * 64 + 63 - rank) + tiles.get((i + 1) % 4 * 64 + rank);
      out.set(64 * i + rank, sum);
      pipeline.consumerRelease();
    }
    pipeline.consumerWaitPrior(0);
  }

  @Kernel
  static void consumersReadAStageTwice(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    for (int i = 0; i < 8; i++) {
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        block.warp().memcpyAsync(tiles, at, in, 32 * i, 32, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        int most = 0;
        for (int j = 0; j < 32; j++) {
          most = Math.max(most, tiles.get(at + j));
        }
        block.warp().sync();
        int sum = 0;
        for (int j = 0; j < 32; j++) {
          sum += tiles.get(at + j) / (most + 1);
        }
        out.set(32 * i + rank - 32, sum);
        pipeline.consumerRelease();
      }
    }
    pipeline.drain();
  }

  @Kernel
  static void threadsLeaveThePipeline(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(2, 32);
    int turns = rank % 32 < 16 ? 4 : 8;
    if (pipeline.isProducer()) {
      for (int i = 0; i < 8; i++) {
        pipeline.producerAcquire();
        int at = 32 * pipeline.producerStage();
        ThisThread.memcpyAsync(tiles, at + rank, in, 32 * i + rank, 1, pipeline);
        pipeline.producerCommit();
      }
      pipeline.quit();
    } else {
      for (int i = 0; i < turns; i++) {
        pipeline.consumerWait();
        int at = 32 * pipeline.consumerStage();
        out.set(32 * i + rank - 32, tiles.get(at + 63 - rank));
        pipeline.consumerRelease();
      }
      pipeline.quit();
    }
  }

  // --- bulk copies to global memory

  @Kernel
  static void storesATileInBulk(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void storesWithTwoBuffers(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tiles = block.sharedInts(128);
    for (int i = 0; i < 8; i++) {
      int at = i % 2 * 64;
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(1);
      }
      block.sync();
      tiles.set(at + rank, in.get(64 * i + rank));
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * i, tiles, 4 * at, 256);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void readsWhatItStoredInBulk(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, tile, 0, 256);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
    block.sync();
    out.set(64 + rank, out.get(63 - rank));
  }

  @Kernel
  static void aWarpStoresItsPart(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warp warp = block.warp();
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    tile.set(rank, in.get(rank));
    PtxBulkCopies.fenceProxyAsyncShared();
    warp.sync();
    if (warp.elect()) {
      int at = 128 * warp.index();
      PtxBulkCopies.cpAsyncBulkToGlobal(out, at, tile, at, 128);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
    warp.sync();
  }

  @Kernel
  static void loadsWorksAndStores(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    for (int i = 0; i < 4; i++) {
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
        long from = 256L * i;
        full.expectBytes(256);
        PtxBulkCopies.cpAsyncBulkToShared(tile, 0, in, from, 256, full.words(), full.index());
        full.arrive();
      }
      full.waitForParity(i & 1);
      tile.set(rank, 2 * tile.get(rank));
      PtxBulkCopies.fenceProxyAsyncShared();
      block.sync();
      if (rank == 0) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 256L * i, tile, 0, 256);
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
    if (rank == 0) {
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  @Kernel
  static void storesFromOneOfTwoArrays(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts a = block.sharedInts(64);
    SharedInts b = block.sharedInts(64);
    boolean first = in.get(0) % 2 == 0;
    if (first) {
      a.set(rank, in.get(rank));
    } else {
      b.set(rank, in.get(rank));
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (rank == 0) {
      if (first) {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, a, 0, 256);
      } else {
        PtxBulkCopies.cpAsyncBulkToGlobal(out, 0, b, 0, 256);
      }
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  // --- between blocks

  @Kernel
  @Launched(blocks = 4)
  static void theLastBlockSums(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int rank = block.threadRank();
    SharedInts last = block.sharedInts(1);
    int sum = block.warp().reduceAdd(in.get(block.globalIndexX()));
    if (block.warp().lane() == 0) {
      out.set(64 + 2 * block.blockIndexX() + rank / 32, sum);
    }
    block.sync();
    if (rank == 0) {
      Atomics.fence(Scope.DEVICE);
      last.set(0, Atomics.add(out, 0, 1) == block.gridSizeX() - 1 ? 1 : 0);
      Atomics.fence(Scope.DEVICE);
    }
    block.sync();
    if (last.get(0) == 1 && rank == 0) {
      int all = 0;
      for (int i = 0; i < 2 * block.gridSizeX(); i++) {
        all += out.get(64 + i);
      }
      out.set(1, all);
    }
  }

  @Kernel
  @Launched(blocks = 4)
  static void addsBlockByBlock(ThreadBlock block, GlobalInts in, GlobalInts out) {
    int sum = block.warp().reduceAdd(in.get(block.globalIndexX()));
    if (block.warp().lane() == 0) {
      Atomics.add(out, 0, sum);
    }
  }

  @Kernel
  @Launched(blocks = 4)
  static void goesInGridStrides(ThreadBlock block, GlobalInts in, GlobalInts out) {
    long step = (long) block.gridSizeX() * block.blockSizeX();
    for (long i = block.globalIndexX(); i < ALL; i += step) {
      out.set(i, 3 * in.get(i));
    }
  }
}
