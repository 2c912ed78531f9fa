package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Tile;
import dev.stretto.kernel.Warp;
import dev.stretto.kernel.Warps;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels in pairs, like those of {@link MisusedCopies}: what parts of a block copy. A block has 64
 * threads.
 */
final class MisusedGroups {
  private MisusedGroups() {}

  // --- tiles
  // --------------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void tileOnlySyncsBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    SharedInts room = block.sharedInts(64);
    int own = 8 * tile.index();
    tile.memcpyAsync(room, own, in, own, 8, 4);
    tile.sync();
    out.set(block.threadRank(), room.get(own + tile.threadRank())); // wrong
  }

  @Kernel
  static void tileOnlySyncsGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    SharedInts room = block.sharedInts(64);
    int own = 8 * tile.index();
    tile.memcpyAsync(room, own, in, own, 8, 4);
    tile.waitAll();
    out.set(block.threadRank(), room.get(own + tile.threadRank()));
  }

  /** Each tile waits for its own copies: they meet at no barrier. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void readsTheNextTileBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    SharedInts room = block.sharedInts(64);
    int own = 8 * tile.index();
    tile.memcpyAsync(room, own, in, own, 8, 4);
    tile.waitAll();
    out.set(block.threadRank(), room.get((block.threadRank() + 8) % 64)); // wrong
  }

  @Kernel
  static void readsTheNextTileGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    SharedInts room = block.sharedInts(64);
    int own = 8 * tile.index();
    tile.memcpyAsync(room, own, in, own, 8, 4);
    tile.waitAll();
    block.sync();
    out.set(block.threadRank(), room.get((block.threadRank() + 8) % 64));
  }

  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void oneCopiesForItsTileBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    SharedInts room = block.sharedInts(64);
    int own = 8 * tile.index();
    if (tile.threadRank() == 0) {
      tile.memcpyAsync(room, own, in, own, 8, 4); // wrong
    }
    block.waitAll();
  }

  @Kernel
  static void oneCopiesForItsTileGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    SharedInts room = block.sharedInts(64);
    int own = 8 * tile.index();
    tile.memcpyAsync(room, own, in, own, 8, 4);
    block.waitAll();
  }

  /** Threads of a tile share a copy: each names the same range. */
  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void eachNamesItsElementBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(4);
    SharedInts room = block.sharedInts(64);
    tile.memcpyAsync(room, block.threadRank(), in, block.threadRank(), 1, 4); // wrong
    block.waitAll();
  }

  @Kernel
  static void eachNamesItsElementGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(4);
    SharedInts room = block.sharedInts(64);
    tile.memcpyAsync(room, 4 * tile.index(), in, 4 * tile.index(), 4, 4);
    block.waitAll();
  }

  @Kernel
  @Breaks(CopyRule.EARLY_REFILL)
  static void refillsItsTileBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(16);
    SharedInts room = block.sharedInts(64);
    int own = 16 * tile.index();
    tile.memcpyAsync(room, own, in, own, 16, 4);
    tile.waitAll();
    out.set(block.threadRank(), room.get(own + 15 - tile.threadRank()));
    tile.memcpyAsync(room, own, in, 64 + own, 16, 4); // wrong
    tile.waitAll();
  }

  @Kernel
  static void refillsItsTileGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(16);
    SharedInts room = block.sharedInts(64);
    int own = 16 * tile.index();
    tile.memcpyAsync(room, own, in, own, 16, 4);
    tile.waitAll();
    out.set(block.threadRank(), room.get(own + 15 - tile.threadRank()));
    tile.sync();
    tile.memcpyAsync(room, own, in, 64 + own, 16, 4);
    tile.waitAll();
  }

  // --- pipelines
  // ----------------------------------------------------------------------------------------------------------

  /** The barriers of a warp's pipeline count its 32 lanes, not the block's threads. */
  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void blockCopiesForAWarpBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts room = block.sharedInts(64);
    Pipeline pipeline = block.warp().pipeline(1, 2);
    pipeline.producerAcquire();
    block.memcpyAsync(room, 0, in, 0, 64, 16, pipeline); // wrong
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), room.get(block.threadRank()));
    pipeline.consumerRelease();
  }

  @Kernel
  static void blockCopiesForAWarpGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts room = block.sharedInts(64);
    Warp warp = block.warp();
    Pipeline pipeline = warp.pipeline(1, 2);
    pipeline.producerAcquire();
    warp.memcpyAsync(room, 32 * warp.index(), in, 32 * warp.index(), 32, 16, pipeline);
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), room.get(block.threadRank()));
    pipeline.consumerRelease();
  }

  /** Lanes that only consume share the warp's copy, and commit nothing. */
  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void consumersCopyTooBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts room = block.sharedInts(64);
    Warp warp = block.warp();
    Pipeline pipeline = warp.pipeline(1, 2, warp.lane() >= 16);
    int own = 32 * warp.index();
    warp.memcpyAsync(room, own, in, own, 32, 16, pipeline); // wrong
    if (pipeline.isProducer()) {
      pipeline.producerAcquire();
      pipeline.producerCommit();
    } else {
      pipeline.consumerWait();
      out.set(own + warp.lane(), room.get(own + warp.lane()));
      pipeline.consumerRelease();
    }
  }

  @Kernel
  static void consumersCopyTooGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts room = block.sharedInts(64);
    Warp warp = block.warp();
    Pipeline pipeline = warp.pipeline(1, 2, warp.lane() >= 16);
    int own = 32 * warp.index();
    if (pipeline.isProducer()) {
      pipeline.producerAcquire();
      warp.tile(16).memcpyAsync(room, own, in, own, 32, 16, pipeline);
      pipeline.producerCommit();
    } else {
      pipeline.consumerWait();
      out.set(own + warp.lane(), room.get(own + warp.lane()));
      pipeline.consumerRelease();
    }
  }

  /** A pipeline of tiles has room for as many as the kernel says. */
  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void moreTilesThanToldBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    Pipeline pipeline = tile.pipeline(2, 7); // wrong
    pipeline.producerAcquire();
    pipeline.producerCommit();
    pipeline.consumerWait();
    pipeline.consumerRelease();
  }

  @Kernel
  static void moreTilesThanToldGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Tile tile = block.warp().tile(8);
    Pipeline pipeline = tile.pipeline(2, 8);
    pipeline.producerAcquire();
    pipeline.producerCommit();
    pipeline.consumerWait();
    pipeline.consumerRelease();
  }

  // --- some warps
  // --------------------------------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.NOT_TOGETHER)
  static void othersCopyTooBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts room = block.sharedInts(64);
    Warps first = block.warps(0, 1, 1);
    first.memcpyAsync(room, 0, in, 0, 32, 4); // wrong
    block.waitAll();
  }

  @Kernel
  static void othersCopyTooGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts room = block.sharedInts(64);
    Warps first = block.warps(0, 1, 1);
    if (first.contains()) {
      first.memcpyAsync(room, 0, in, 0, 32, 4);
    }
    block.waitAll();
  }

  @Kernel
  @Breaks(CopyRule.OUT_OF_RANGE)
  static void warpsBehindTheBlockBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warps warps = block.warps(block.warp().index(), 2, 1); // wrong
    out.set(block.threadRank(), warps.threadRank());
  }

  @Kernel
  static void warpsBehindTheBlockGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    Warps warps = block.warps(block.warp().index(), 1, 1);
    out.set(block.threadRank(), warps.threadRank());
  }

  /** The second warp reads what both copied, when the first one has not met it. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void meetsOnlyItsWarpBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts room = block.sharedInts(64);
    SharedBytes memory = block.sharedBytes(2 * Pipeline.bytes(1));
    Warps own = block.warps(block.warp().index(), 1, 1 + block.warp().index());
    int at = 32 * own.first();
    Pipeline pipeline =
        own.pipeline(1, memory.slice(own.first() * Pipeline.bytes(1), Pipeline.bytes(1)));
    own.memcpyAsync(room, at, in, at, 32, 4);
    own.waitAll();
    pipeline.producerAcquire();
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), room.get(63 - block.threadRank())); // wrong
    pipeline.consumerRelease();
  }

  @Kernel
  static void meetsOnlyItsWarpGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts room = block.sharedInts(64);
    SharedBytes memory = block.sharedBytes(Pipeline.bytes(1));
    Warps own = block.warps(block.warp().index(), 1, 1 + block.warp().index());
    Warps both = block.warps(0, 2, 3);
    int at = 32 * own.first();
    Pipeline pipeline = both.pipeline(1, memory);
    own.memcpyAsync(room, at, in, at, 32, 4);
    own.waitAll();
    pipeline.producerAcquire();
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), room.get(63 - block.threadRank()));
    pipeline.consumerRelease();
  }
}
