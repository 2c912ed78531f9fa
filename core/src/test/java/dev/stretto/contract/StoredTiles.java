package dev.stretto.contract;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedShorts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalShorts;

/**
 * Kernels whose threads bring shared memory to global memory by {@code memcpyAsync}. A block has 64
 * threads. Each kernel stores what {@link #changed} makes of its input.
 */
final class StoredTiles {
  /** The number of elements in a tile. */
  static final int TILE = 96;

  /** The number of tiles that a block stores. */
  static final int TILES = 5;

  private StoredTiles() {}

  static int changed(int value) {
    return 3 * value + 1;
  }

  private static void fill(ThreadBlock block, SharedInts tiles, int at, GlobalInts in, long from) {
    for (int i = block.threadRank(); i < TILE; i += block.size()) {
      tiles.set(at + i, changed(in.get(from + i)));
    }
    block.sync();
  }

  /** One tile after the other; and each thread reads what another one has stored. */
  @Kernel
  static void byBlock(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    SharedInts tile = block.sharedInts(TILE);
    long first = (long) block.blockIndexX() * TILES * TILE;
    for (int at = 0; at < TILES; at++) {
      long from = first + (long) at * TILE;
      fill(block, tile, 0, in, from);
      block.memcpyAsync(out, from, tile, 0, TILE, alignment);
      block.waitAll();
      for (int i = block.threadRank(); i < TILE / 2; i += block.size()) {
        int value = out.get(from + i);
        out.set(from + i, out.get(from + TILE - 1 - i));
        out.set(from + TILE - 1 - i, value);
      }
    }
  }

  /** Two tiles are under way while the third is filled, and none is waited for at the end. */
  @Kernel
  static void ahead(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    SharedInts tiles = block.sharedInts(3 * TILE);
    long first = (long) block.blockIndexX() * TILES * TILE;
    for (int at = 0; at < TILES; at++) {
      long from = first + (long) at * TILE;
      block.waitPrior(2);
      fill(block, tiles, at % 3 * TILE, in, from);
      block.memcpyAsync(out, from, tiles, at % 3 * TILE, TILE, alignment);
    }
  }

  /** Copies there and back; each is a group of its own. */
  @Kernel
  static void thereAndBack(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    SharedInts tiles = block.sharedInts(2 * TILE);
    SharedInts results = block.sharedInts(2 * TILE);
    long first = (long) block.blockIndexX() * TILES * TILE;
    block.memcpyAsync(tiles, 0, in, first, TILE, alignment);
    for (int at = 0; at < TILES; at++) {
      long from = first + (long) at * TILE;
      int count = at + 1 < TILES ? TILE : 0;
      int next = (at + 1) % 2 * TILE;
      block.memcpyAsync(tiles, next, in, count == 0 ? 0 : from + TILE, count, alignment);
      block.waitPrior(1);
      int here = at % 2 * TILE;
      for (int i = block.threadRank(); i < TILE; i += block.size()) {
        results.set(here + i, changed(tiles.get(here + i)));
      }
      block.sync();
      block.memcpyAsync(out, from, results, here, TILE, alignment);
    }
  }

  /** The same, where the tile before is still on its way back, and so is one that is empty. */
  @Kernel
  static void bothAhead(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    SharedInts tiles = block.sharedInts(2 * TILE);
    SharedInts results = block.sharedInts(2 * TILE);
    long first = (long) block.blockIndexX() * TILES * TILE;
    block.memcpyAsync(tiles, 0, in, first, TILE, alignment);
    block.memcpyAsync(out, 0, results, 0, 0, alignment);
    for (int at = 0; at < TILES; at++) {
      long from = first + (long) at * TILE;
      int count = at + 1 < TILES ? TILE : 0;
      int next = (at + 1) % 2 * TILE;
      block.memcpyAsync(tiles, next, in, count == 0 ? 0 : from + TILE, count, alignment);
      block.waitPrior(2);
      int here = at % 2 * TILE;
      for (int i = block.threadRank(); i < TILE; i += block.size()) {
        results.set(here + i, changed(tiles.get(here + i)));
      }
      block.sync();
      block.memcpyAsync(out, from, results, here, TILE, alignment);
    }
  }

  /** Each warp stores a part of its own, the last elements of which are no whole piece. */
  @Kernel
  static void byWarp(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    SharedInts tiles = block.sharedInts(2 * TILE);
    Warp warp = block.warp();
    int own = warp.index() * TILE;
    long first = (long) block.blockIndexX() * TILES * TILE;
    for (int at = warp.index(); at < TILES; at += 2) {
      long from = first + (long) at * TILE;
      for (int i = warp.lane(); i < TILE; i += 32) {
        tiles.set(own + i, changed(in.get(from + i)));
      }
      warp.sync();
      warp.memcpyAsync(out, from, tiles, own, TILE - 1, alignment);
      if (warp.lane() == 0) {
        out.set(from + TILE - 1, tiles.get(own + TILE - 1));
      }
      warp.waitAll();
    }
  }

  /** Each thread stores what it has written itself. */
  @Kernel
  static void byThread(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    SharedInts mine = block.sharedInts(64 * 8);
    int own = 8 * block.threadRank();
    long first = (long) block.blockIndexX() * TILES * TILE;
    for (int at = 8 * block.threadRank(); at < TILES * TILE; at += 8 * block.size()) {
      for (int i = 0; i < 8; i++) {
        mine.set(own + i, changed(in.get(first + at + i)));
      }
      ThisThread.memcpyAsync(out, first + at, mine, own, 8, alignment);
      ThisThread.waitAll();
    }
  }

  /** A stage is full when it has been stored; the threads then turn around what they find there. */
  @Kernel
  static void inStages(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    SharedInts tiles = block.sharedInts(2 * TILE);
    Pipeline pipeline = block.pipeline(2);
    long first = (long) block.blockIndexX() * TILES * TILE;
    for (int at = 0; at <= TILES; at++) {
      if (at < TILES) {
        pipeline.producerAcquire();
        int stage = pipeline.producerStage() * TILE;
        long from = first + (long) at * TILE;
        fill(block, tiles, stage, in, from);
        block.memcpyAsync(out, from, tiles, stage, TILE, alignment, pipeline);
        pipeline.producerCommit();
      }
      if (at > 0) {
        pipeline.consumerWait();
        long from = first + (at - 1L) * TILE;
        for (int i = block.threadRank(); i < TILE / 2; i += block.size()) {
          int value = out.get(from + i);
          out.set(from + i, out.get(from + TILE - 1 - i));
          out.set(from + TILE - 1 - i, value);
        }
        pipeline.consumerRelease();
      }
    }
  }

  /** One warp fills and stores; the other turns around what it finds. */
  @Kernel
  static void byRoles(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int alignment) {
    SharedInts tiles = block.sharedInts(2 * TILE);
    Pipeline pipeline = block.pipeline(2, 32);
    Warp warp = block.warp();
    long first = (long) block.blockIndexX() * TILES * TILE;
    for (int at = 0; at < TILES; at++) {
      long from = first + (long) at * TILE;
      if (pipeline.isProducer()) {
        pipeline.producerAcquire();
        int stage = pipeline.producerStage() * TILE;
        for (int i = warp.lane(); i < TILE; i += 32) {
          tiles.set(stage + i, changed(in.get(from + i)));
        }
        warp.sync();
        warp.memcpyAsync(out, from, tiles, stage, TILE, alignment, pipeline);
        pipeline.producerCommit();
      } else {
        pipeline.consumerWait();
        for (int i = warp.lane(); i < TILE / 2; i += 32) {
          int value = out.get(from + i);
          out.set(from + i, out.get(from + TILE - 1 - i));
          out.set(from + TILE - 1 - i, value);
        }
        pipeline.consumerRelease();
      }
    }
  }

  /** Bulk copies that the kernel begins itself, and those of {@code memcpyAsync}. */
  @Kernel
  static void bothWays(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * TILE);
    long first = (long) block.blockIndexX() * TILES * TILE;
    for (int at = 0; at < TILES; at++) {
      long from = first + (long) at * TILE;
      int here = at % 2 * TILE;
      fill(block, tiles, here, in, from);
      if (at % 2 == 0) {
        block.memcpyAsync(out, from, tiles, here, TILE, 16);
      } else {
        PtxBulkCopies.fenceProxyAsyncShared();
        block.sync();
        if (block.threadRank() == 0) {
          PtxBulkCopies.cpAsyncBulkToGlobal(out, 4 * from, tiles, 4 * here, 4 * TILE);
        }
        PtxBulkCopies.cpAsyncBulkCommitGroup();
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
        block.waitAll();
      }
    }
  }

  /** Elements that are smaller than any asynchronous copy. */
  @Kernel
  static void bytes(ThreadBlock block, GlobalBytes in, GlobalBytes out, int first, int count) {
    SharedBytes tile = block.sharedBytes(1024);
    block.memcpyAsync(tile, 3, in, first, count);
    block.waitAll();
    block.memcpyAsync(out, first, tile, 3, count);
    block.waitAll();
    if (block.threadRank() == 0) {
      tile.set(3, out.get(first));
      out.set(0, tile.get(3));
    }
  }

  /** The same with a barrier object, of which a thread reads nothing before its phase has ended. */
  @Kernel
  static void shorts(ThreadBlock block, GlobalShorts in, GlobalShorts out, int count) {
    SharedShorts tile = block.sharedShorts(1024);
    var barrier = block.barrier();
    block.memcpyAsync(tile, 1, in, 1, count, barrier);
    barrier.arriveAndWait();
    block.memcpyAsync(out, 1, tile, 1, count);
  }
}
