package dev.stretto.twin;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Tile;
import dev.stretto.kernel.Warp;
import dev.stretto.kernel.Warps;
import dev.stretto.memory.GlobalInts;

/** The kernels of {@code semantics/groups.cuh}. */
final class PartKernels {
  private static final int NUMBERS = 32;

  private PartKernels() {}

  @Kernel
  static void exchanges(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int lanes) {
    Tile tile = block.warp().tile(lanes);
    int value = in.get(block.threadRank());
    long wide = value * 0x1_0000_0001L;
    int to = 20 * block.threadRank();
    out.set(to, tile.threadRank());
    out.set(to + 1, tile.size());
    out.set(to + 2, tile.index());
    out.set(to + 3, tile.shuffle(value, tile.threadRank() + 3));
    out.set(to + 4, tile.shuffleUp(value, 1));
    out.set(to + 5, tile.shuffleDown(value, 1));
    out.set(to + 6, tile.shuffleXor(value, 1));
    out.set(to + 7, (int) (tile.shuffle(wide, 1) >> 32));
    out.set(to + 8, (int) tile.shuffleUp((float) value, 2));
    out.set(to + 9, (int) tile.shuffleDown((double) value, 2));
    out.set(to + 10, (int) (tile.shuffleXor(wide, lanes - 1) >> 32));
    out.set(to + 11, tile.ballot(value % 2 == 0));
    out.set(to + 12, tile.any(value % 5 == 0) ? 1 : 0);
    out.set(to + 13, tile.all(value % 7 != 0) ? 1 : 0);
    out.set(to + 14, tile.matchAny(value & 3));
    out.set(to + 15, tile.reduceAdd(value));
    out.set(to + 16, tile.reduceMin(value) - tile.reduceMax(value));
    out.set(to + 17, tile.reduceAnd(value) ^ tile.reduceOr(value) ^ tile.reduceXor(value));
    out.set(to + 18, (int) (tile.reduceAdd(wide) >> 32));
    out.set(to + 19, (int) tile.reduceAdd((double) value));
  }

  @Kernel
  static void apart(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    int value = in.get(block.threadRank());
    for (int turn = 0; turn <= tile.index() % 4; turn++) {
      value = tile.reduceAdd(value) + tile.shuffleUp(value, 1);
    }
    out.set(block.threadRank(), value);
  }

  @Kernel
  static void copies(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts rooms = block.sharedInts(2 * 16 * NUMBERS);
    Tile tile = block.warp().tile(8);
    int own = NUMBERS * tile.index();
    tile.memcpyAsync(rooms, own, in, own, NUMBERS);
    for (int turn = 0; turn < 6; turn++) {
      if (turn < 5) {
        int next = 512 * (turn + 1);
        tile.memcpyAsync(rooms, next % 1024 + own, in, next + own, NUMBERS);
        tile.waitPrior(1);
      } else {
        tile.waitAll();
      }
      for (int i = tile.threadRank(); i < NUMBERS; i += tile.size()) {
        int from = 512 * (turn % 2) + own + NUMBERS - 1 - i;
        out.set(512 * turn + own + i, rooms.get(from));
      }
      tile.sync();
    }
  }

  /** Each tile has a pipeline of two stages. */
  @Kernel
  static void pipelines(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int lanes) {
    int tiles = 128 / lanes;
    SharedInts rooms = block.sharedInts(2 * NUMBERS * (128 / lanes));
    Tile tile = block.warp().tile(lanes);
    int own = 2 * NUMBERS * tile.index();
    Pipeline pipeline = tile.pipeline(2, 128 / lanes);
    int turns = 4096 / NUMBERS / tiles;
    for (int turn = 0; turn <= turns; turn++) {
      if (turn < turns) {
        pipeline.producerAcquire();
        int from = NUMBERS * (turn * tiles + tile.index());
        int to = own + NUMBERS * pipeline.producerStage();
        tile.memcpyAsync(rooms, to, in, from, NUMBERS, 16, pipeline);
        pipeline.producerCommit();
      }
      if (turn > 0) {
        pipeline.consumerWait();
        int from = own + NUMBERS * pipeline.consumerStage();
        int to = NUMBERS * ((turn - 1) * tiles + tile.index());
        for (int i = tile.threadRank(); i < NUMBERS; i += tile.size()) {
          out.set(to + i, rooms.get(from + NUMBERS - 1 - i) + turn);
        }
        pipeline.consumerRelease();
      }
    }
  }

  /** Each warp has one. */
  @Kernel
  static void pipelinesOfWarps(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts rooms = block.sharedInts(4 * 2 * NUMBERS);
    Warp warp = block.warp();
    int own = 2 * NUMBERS * warp.index();
    Pipeline pipeline = warp.pipeline(2, 4);
    for (int turn = 0; turn <= 32; turn++) {
      if (turn < 32) {
        pipeline.producerAcquire();
        int from = NUMBERS * (4 * turn + warp.index());
        int to = own + NUMBERS * pipeline.producerStage();
        warp.memcpyAsync(rooms, to, in, from, NUMBERS, 16, pipeline);
        pipeline.producerCommit();
      }
      if (turn > 0) {
        pipeline.consumerWait();
        int from = own + NUMBERS * pipeline.consumerStage() + NUMBERS - 1 - warp.lane();
        int to = NUMBERS * (4 * (turn - 1) + warp.index()) + warp.lane();
        out.set(to, rooms.get(from) + turn);
        pipeline.consumerRelease();
      }
    }
  }

  @Kernel
  static void laterProducer(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts rooms = block.sharedInts(3 * 96);
    Warp warp = block.warp();
    boolean produces = warp.index() == 2;
    Pipeline pipeline = block.pipeline(3, produces);
    int rank = block.threadRank();
    int consumer = rank < 64 ? rank : rank - 32;
    for (int turn = 0; turn < 20; turn++) {
      if (produces) {
        pipeline.producerAcquire();
        int to = 96 * pipeline.producerStage();
        warp.memcpyAsync(rooms, to, in, 96 * turn, 96, 16, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int from = 96 * pipeline.consumerStage() + 95 - consumer;
        out.set(96 * turn + consumer, rooms.get(from) * 3);
        pipeline.consumerRelease();
      }
    }
  }

  @Kernel
  static void halves(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts rooms = block.sharedInts(2 * 64);
    int half = block.threadRank() / 64;
    Warps warps = block.warps(2 * half, 2, 1 + half);
    int own = warps.threadRank();
    for (int turn = 0; turn < 5 + 4 * half; turn++) {
      rooms.set(64 * half + own, in.get(512 * half + 32 * turn + own));
      warps.sync();
      out.set(1024 * half + 64 * turn + own, rooms.get(64 * half + 63 - own));
      warps.sync();
    }
  }
}
