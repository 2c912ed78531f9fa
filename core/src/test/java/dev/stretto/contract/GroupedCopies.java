package dev.stretto.contract;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Tile;
import dev.stretto.kernel.Warp;
import dev.stretto.kernel.Warps;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels whose copies belong to parts of a block. A block has 128 threads and turns parts of its
 * input around, each of {@link #PART} elements: a part's last element comes first, and each element
 * is one larger.
 */
final class GroupedCopies {
  static final int THREADS = 128;
  static final int PART = 32;
  static final int PARTS = 48;

  private GroupedCopies() {}

  private static long first(ThreadBlock block) {
    return (long) block.blockIndexX() * PARTS * PART;
  }

  private static void turn(
      SharedInts from, int at, GlobalInts out, long to, int rank, int threads) {
    for (int i = rank; i < PART; i += threads) {
      out.set(to + i, from.get(at + PART - 1 - i) + 1);
    }
  }

  // --- tiles
  // --------------------------------------------------------------------------------------------------------------

  /** Each tile of 8 lanes brings its parts one after the other. */
  @Kernel
  static void byTile(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Tile tile = block.warp().tile(8);
    int tiles = block.size() / 8;
    SharedInts room = block.sharedInts(16 * PART);
    int own = tile.index() * PART;
    for (int part = tile.index(); part < PARTS; part += tiles) {
      long at = first(block) + part * PART;
      tile.memcpyAsync(room, own, in, at, PART, alignment);
      tile.waitAll();
      turn(room, own, out, at, tile.threadRank(), tile.size());
      tile.sync();
    }
  }

  /** Each tile of 4 lanes has a pipeline of two stages. */
  @Kernel
  static void tilesAhead(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Tile tile = block.warp().tile(4);
    int tiles = block.size() / 4;
    SharedInts room = block.sharedInts(32 * 2 * PART);
    int own = tile.index() * 2 * PART;
    Pipeline pipeline = tile.pipeline(2, 32);
    int next = tile.index();
    for (int part = tile.index(); part < PARTS; part += tiles) {
      while (next < PARTS && next < part + 2 * tiles) {
        pipeline.producerAcquire();
        int to = own + pipeline.producerStage() * PART;
        tile.memcpyAsync(room, to, in, first(block) + next * PART, PART, alignment, pipeline);
        pipeline.producerCommit();
        next += tiles;
      }
      pipeline.consumerWait();
      int stage = own + pipeline.consumerStage() * PART;
      turn(room, stage, out, first(block) + part * PART, tile.threadRank(), tile.size());
      pipeline.consumerRelease();
    }
  }

  /** Each tile of 16 lanes turns a part in shared memory and stores it. */
  @Kernel
  static void tilesStore(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Tile tile = block.warp().tile(16);
    int tiles = block.size() / 16;
    SharedInts room = block.sharedInts(8 * PART);
    int own = tile.index() * PART;
    for (int part = tile.index(); part < PARTS; part += tiles) {
      long at = first(block) + part * PART;
      for (int i = tile.threadRank(); i < PART; i += tile.size()) {
        room.set(own + i, in.get(at + PART - 1 - i) + 1);
      }
      tile.sync();
      tile.memcpyAsync(out, at, room, own, PART, alignment);
      tile.waitAll();
    }
  }

  // --- warps
  // --------------------------------------------------------------------------------------------------------------

  /** Each warp has a pipeline of three stages. */
  @Kernel
  static void warpsAhead(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Warp warp = block.warp();
    int warps = block.size() / 32;
    SharedInts room = block.sharedInts(4 * 3 * PART);
    int own = warp.index() * 3 * PART;
    Pipeline pipeline = warp.pipeline(3, 4);
    int next = warp.index();
    for (int part = warp.index(); part < PARTS; part += warps) {
      while (next < PARTS && next < part + 3 * warps) {
        pipeline.producerAcquire();
        int to = own + pipeline.producerStage() * PART;
        warp.memcpyAsync(room, to, in, first(block) + next * PART, PART, alignment, pipeline);
        pipeline.producerCommit();
        next += warps;
      }
      pipeline.consumerWait();
      int stage = own + pipeline.consumerStage() * PART;
      turn(room, stage, out, first(block) + part * PART, warp.threadRank(), warp.size());
      pipeline.consumerRelease();
    }
    pipeline.quit();
  }

  /** In each warp, the third tile of 8 lanes copies for the other three. */
  @Kernel
  static void lanesProduce(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Warp warp = block.warp();
    Tile tile = warp.tile(8);
    int warps = block.size() / 32;
    int which = warp.lane() / 8;
    SharedInts room = block.sharedInts(4 * 2 * PART);
    int own = warp.index() * 2 * PART;
    Pipeline pipeline = warp.pipeline(2, 4, which == 2);
    int consumer = which == 3 ? warp.lane() - 8 : warp.lane();
    for (int part = warp.index(); part < PARTS; part += warps) {
      long at = first(block) + part * PART;
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int to = own + pipeline.producerStage() * PART;
        tile.memcpyAsync(room, to, in, at, PART, alignment, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        turn(room, own + pipeline.consumerStage() * PART, out, at, consumer, 24);
        pipeline.consumerRelease();
      }
    }
  }

  /** One warp of the block, not its first, copies for the others. */
  @Kernel
  static void aWarpProduces(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Warp warp = block.warp();
    boolean produces = warp.index() == 2;
    SharedInts room = block.sharedInts(3 * PART);
    Pipeline pipeline = block.pipeline(3, produces);
    int consumer = warp.index() > 2 ? block.threadRank() - 32 : block.threadRank();
    for (int part = 0; part < PARTS; part++) {
      long at = first(block) + part * PART;
      if (produces) {
        pipeline.producerAcquire();
        int to = pipeline.producerStage() * PART;
        warp.memcpyAsync(room, to, in, at, PART, alignment, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        turn(room, pipeline.consumerStage() * PART, out, at, consumer, 96);
        pipeline.consumerRelease();
      }
    }
  }

  /** Tiles bring all stages at once, use some and leave; each fills its part of a stage itself. */
  @Kernel
  static void tilesLeave(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Tile tile = block.warp().tile(8);
    int tiles = block.size() / 8;
    SharedInts room = block.sharedInts(16 * 4 * PART);
    int own = tile.index() * 4 * PART;
    Pipeline pipeline = tile.pipeline(4, 16);
    for (int part = tile.index(); part < PARTS; part += tiles) {
      pipeline.producerAcquire();
      int to = own + pipeline.producerStage() * PART;
      for (int i = tile.threadRank(); i < PART; i += tile.size()) {
        room.set(to + i, in.get(first(block) + part * PART + i) + 1);
      }
      pipeline.producerCommit();
    }
    for (int part = tile.index(); part < PARTS; part += tiles) {
      pipeline.consumerWait();
      int stage = own + pipeline.consumerStage() * PART;
      for (int i = tile.threadRank(); i < PART; i += tile.size()) {
        out.set(first(block) + part * PART + i, room.get(stage + PART - 1 - i));
      }
      pipeline.consumerRelease();
    }
    pipeline.producerAcquire();
    tile.memcpyAsync(room, own + 3 * PART, in, 0, PART, alignment, pipeline);
    pipeline.producerCommit();
    pipeline.quit();
  }

  /** In each stage another lane, and another half, of the tile brings a part for all. */
  @Kernel
  static void lanesTakeTurns(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Tile tile = block.warp().tile(8);
    Tile half = block.warp().tile(4);
    int tiles = block.size() / 8;
    SharedInts room = block.sharedInts(16 * 2 * PART);
    int own = tile.index() * 2 * PART;
    Pipeline pipeline = tile.pipeline(2, 16);
    for (int part = tile.index(); part < PARTS; part += tiles) {
      long at = first(block) + part * PART;
      pipeline.producerAcquire();
      int to = own + pipeline.producerStage() * PART;
      if (tile.threadRank() == part % 8) {
        ThisThread.memcpyAsync(room, to, in, at, PART / 2, alignment, pipeline);
      }
      if (half.index() % 2 == part / 2 % 2) {
        half.memcpyAsync(room, to + PART / 2, in, at + PART / 2, PART / 2, alignment, pipeline);
      }
      pipeline.producerCommit();
      pipeline.consumerWait();
      turn(room, own + pipeline.consumerStage() * PART, out, at, tile.threadRank(), 8);
      pipeline.consumerRelease();
    }
  }

  /** Each stage brings a part and stores what the tile has made of the one before. */
  @Kernel
  static void tilesBringAndStore(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Tile tile = block.warp().tile(16);
    int tiles = block.size() / 16;
    SharedInts room = block.sharedInts(8 * 2 * PART);
    SharedInts turned = block.sharedInts(8 * 2 * PART);
    int own = tile.index() * 2 * PART;
    Pipeline pipeline = tile.pipeline(2, 8);
    int turns = PARTS / tiles;
    for (int turn = 0; turn <= turns; turn++) {
      pipeline.producerAcquire();
      int stage = own + pipeline.producerStage() * PART;
      long at = first(block) + (turn * tiles + tile.index()) * PART;
      if (turn < turns) {
        tile.memcpyAsync(room, stage, in, at, PART, alignment, pipeline);
      }
      if (turn > 0) {
        long before = at - (long) tiles * PART;
        tile.memcpyAsync(out, before, turned, stage, PART, alignment, pipeline);
      }
      pipeline.producerCommit();
      pipeline.consumerWait();
      if (turn < turns) {
        int next = own + (pipeline.consumerStage() ^ 1) * PART;
        for (int i = tile.threadRank(); i < PART; i += tile.size()) {
          turned.set(next + i, room.get(stage + PART - 1 - i) + 1);
        }
      }
      pipeline.consumerRelease();
    }
    pipeline.quit();
  }

  /**
   * In each stage another lane stores what the tile has filled, and the next lane reads it there.
   */
  @Kernel
  static void lanesStoreInTurns(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Tile tile = block.warp().tile(8);
    int tiles = block.size() / 8;
    SharedInts room = block.sharedInts(16 * PART);
    int own = tile.index() * PART;
    Pipeline pipeline = tile.pipeline(1, 16);
    for (int part = tile.index(); part < PARTS; part += tiles) {
      long at = first(block) + part * PART;
      pipeline.producerAcquire();
      for (int i = tile.threadRank(); i < PART; i += tile.size()) {
        room.set(own + i, in.get(at + PART - 1 - i));
      }
      block.fenceProxyAsync();
      tile.sync();
      if (tile.threadRank() == part % 8) {
        ThisThread.memcpyAsync(out, at, room, own, PART, alignment, pipeline);
      }
      pipeline.producerCommit();
      pipeline.consumerWait();
      for (int i = 7 - tile.threadRank(); i < PART; i += tile.size()) {
        out.set(at + i, out.get(at + i) + 1);
      }
      pipeline.consumerRelease();
    }
    pipeline.quit();
  }

  /** One lane leaves, and the others go on. */
  @Kernel
  static void oneLeavesItsTile(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    Pipeline pipeline = tile.pipeline(2, 4);
    pipeline.producerAcquire();
    pipeline.producerCommit();
    pipeline.consumerWait();
    if (tile.threadRank() != 3) {
      pipeline.consumerRelease();
    }
    pipeline.quit();
  }

  // --- some warps
  // --------------------------------------------------------------------------------------------------------------

  /** The block's halves do not wait for each other. */
  @Kernel
  static void byHalves(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    int half = block.warp().index() / 2;
    Warps warps = block.warps(2 * half, 2, 1 + half);
    SharedInts room = block.sharedInts(2 * PART);
    for (int part = half; part < PARTS; part += 2) {
      long at = first(block) + part * PART;
      warps.memcpyAsync(room, half * PART, in, at, PART, alignment);
      warps.waitAll();
      turn(room, half * PART, out, at, warps.threadRank(), warps.size());
      warps.sync();
    }
  }

  /** Two of three warps have a pipeline; the first does its parts alone, the last does nothing. */
  @Kernel
  static void someWarpsAhead(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    Warps warps = block.warps(1, 2, 5);
    SharedInts room = block.sharedInts(2 * PART);
    SharedBytes memory = block.sharedBytes(Pipeline.bytes(2));
    if (warps.contains()) {
      Pipeline pipeline = warps.pipeline(2, memory);
      int next = 0;
      for (int part = 0; part < PARTS / 2; part++) {
        while (next < PARTS / 2 && next < part + 2) {
          pipeline.producerAcquire();
          int to = pipeline.producerStage() * PART;
          warps.memcpyAsync(room, to, in, first(block) + next * PART, PART, alignment, pipeline);
          pipeline.producerCommit();
          next++;
        }
        pipeline.consumerWait();
        int stage = pipeline.consumerStage() * PART;
        turn(room, stage, out, first(block) + part * PART, warps.threadRank(), warps.size());
        pipeline.consumerRelease();
      }
    } else if (block.warp().index() == 0) {
      for (int part = PARTS / 2; part < PARTS; part++) {
        long at = first(block) + part * PART;
        out.set(at + PART - 1 - block.threadRank(), in.get(at + block.threadRank()) + 1);
      }
    }
  }

  /** The first of two warps produces for the other, and both store what they have together. */
  @Kernel
  static void rolesOfSomeWarps(
      ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    int half = block.warp().index() / 2;
    Warps warps = block.warps(2 * half, 2, 1 + half);
    SharedInts room = block.sharedInts(2 * 2 * PART);
    SharedInts turned = block.sharedInts(2 * PART);
    SharedBytes memory = block.sharedBytes(2 * Pipeline.bytes(2));
    int own = half * 2 * PART;
    boolean produces = block.warp().index() % 2 == 0;
    Pipeline pipeline =
        warps.pipeline(2, memory.slice(half * Pipeline.bytes(2), Pipeline.bytes(2)), produces);
    for (int part = half; part < PARTS; part += 2) {
      long at = first(block) + part * PART;
      if (produces) {
        pipeline.producerAcquire();
        int to = own + pipeline.producerStage() * PART;
        block.warp().memcpyAsync(room, to, in, at, PART, alignment, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        int from = own + pipeline.consumerStage() * PART;
        int lane = block.warp().lane();
        turned.set(half * PART + lane, room.get(from + PART - 1 - lane) + 1);
        pipeline.consumerRelease();
      }
      warps.sync();
      warps.memcpyAsync(out, at, turned, half * PART, PART, alignment);
      warps.waitAll();
    }
  }

  // --- exchanges
  // ------------------------------------------------------------------------------------------------------------

  /** How many numbers {@link #exchanges} writes for each thread. */
  static final int EXCHANGES = 24;

  /** What the lanes of a tile exchange. */
  @Kernel
  static void exchanges(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int lanes) {
    Tile tile = block.warp().tile(lanes);
    int rank = block.threadRank();
    int value = in.get(rank);
    long wide = value * 0x1_0000_0001L;
    int to = rank * EXCHANGES;
    out.set(to, tile.threadRank());
    out.set(to + 1, tile.size());
    out.set(to + 2, tile.index());
    out.set(to + 3, tile.members());
    out.set(to + 4, tile.shuffle(value, tile.threadRank() + 3));
    out.set(to + 5, tile.shuffleUp(value, 1));
    out.set(to + 6, tile.shuffleDown(value, 1));
    out.set(to + 7, tile.shuffleXor(value, 1));
    out.set(to + 8, (int) (tile.shuffle(wide, 1) >> 32));
    out.set(to + 9, (int) tile.shuffleUp((float) value, 2));
    out.set(to + 10, (int) tile.shuffleDown((double) value, 2));
    out.set(to + 11, (int) (tile.shuffleXor(wide, lanes - 1) >> 32));
    out.set(to + 12, tile.ballot((value & 1) == 0));
    out.set(to + 13, tile.any(value % 5 == 0) ? 1 : 0);
    out.set(to + 14, tile.all(value % 7 != 0) ? 1 : 0);
    out.set(to + 15, tile.matchAny(value & 3));
    out.set(to + 16, tile.matchAny(wide & 1));
    out.set(to + 17, tile.reduceAdd(value));
    out.set(to + 18, tile.reduceMin(value) - tile.reduceMax(value));
    out.set(to + 19, tile.reduceAnd(value) ^ tile.reduceOr(value) ^ tile.reduceXor(value));
    out.set(to + 20, (int) (tile.reduceAdd(wide) >> 32) + (int) tile.reduceMax(wide));
    out.set(to + 21, (int) tile.reduceAdd((float) value) + (int) tile.reduceMin((float) value));
    out.set(to + 22, (int) tile.reduceAdd((double) value) + (int) tile.reduceMax((double) value));
    out.set(to + 23, tile.shuffle(value, -1));
  }

  /** Tiles of one warp are at different places of the program. */
  @Kernel
  static void tilesDiverge(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    int rank = block.threadRank();
    int value = in.get(rank);
    int turns = 1 + tile.index() % 4;
    for (int turn = 0; turn < turns; turn++) {
      value = tile.reduceAdd(value) + tile.shuffleUp(value, 1);
    }
    out.set(rank, value);
  }
}
