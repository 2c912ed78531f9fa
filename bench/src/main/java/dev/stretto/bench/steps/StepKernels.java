package dev.stretto.bench.steps;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.TensorTiles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.memory.TensorMap;

/** Kernels of blocks of 256 threads that wait for each other. */
final class StepKernels {
  static final int THREADS = 256;
  static final int WARPS = THREADS / 32;
  static final int SIDE = 16;

  /** The elements of a tile that threads copy to shared memory. */
  static final int TILE = 1024;

  static final int TILES = 16;

  /** The elements of a row of a tensor. */
  static final int BOX = 256;

  /** What a block has: the sum of its own elements, or of all up to its last one. */
  private static final long OWN = 1L << 32;

  private static final long WHOLE = 2L << 32;

  static final int STAGES = 4;
  static final int PRODUCERS = 64;

  private StepKernels() {}

  /** Adds the elements of each block as a tree, with a barrier before each level. */
  @Kernel
  static void reduce(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(THREADS);
    int rank = block.threadIndexX();
    tile.set(rank, in.get(block.globalIndexX()));
    block.sync();
    for (int half = THREADS / 2; half > 0; half >>= 1) {
      if (rank < half) {
        tile.set(rank, tile.get(rank) + tile.get(rank + half));
      }
      block.sync();
    }
    if (rank == 0) {
      out.set(block.blockIndexX(), tile.get(0));
    }
  }

  /** Adds the elements of each warp by shuffles, and then those sums. */
  @Kernel
  static void reduceByShuffles(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats parts = block.sharedFloats(WARPS);
    Warp warp = block.warp();
    float sum = in.get(block.globalIndexX());
    for (int half = 16; half > 0; half >>= 1) {
      sum += warp.shuffleDown(sum, half);
    }
    if (warp.lane() == 0) {
      parts.set(warp.index(), sum);
    }
    block.sync();
    if (block.threadIndexX() == 0) {
      float all = parts.get(0);
      for (int i = 1; i < WARPS; i++) {
        all += parts.get(i);
      }
      out.set(block.blockIndexX(), all);
    }
  }

  /** Adds to each element of a block all before it. */
  @Kernel
  static void scan(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tile = block.sharedFloats(2 * THREADS);
    int rank = block.threadIndexX();
    int from = 0;
    tile.set(rank, in.get(block.globalIndexX()));
    block.sync();
    for (int distance = 1; distance < THREADS; distance <<= 1) {
      int to = THREADS - from;
      float sum = tile.get(from + rank);
      if (rank >= distance) {
        sum += tile.get(from + rank - distance);
      }
      tile.set(to + rank, sum);
      from = to;
      block.sync();
    }
    out.set(block.globalIndexX(), tile.get(from + rank));
  }

  /**
   * Adds to each element all before it. A block looks at those before it, from the last one back,
   * for what they have: the sum of their own elements, or of all up to their last one.
   *
   * <p>Blocks number themselves as they begin, so that each waits only for ones that have begun.
   *
   * @param sums what blocks have; how much that is in the upper half, 0 at the beginning; and
   *     behind them, how many blocks have begun
   */
  @Kernel
  static void scanAll(ThreadBlock block, GlobalFloats in, GlobalInts out, GlobalLongs sums) {
    SharedInts tile = block.sharedInts(2 * THREADS);
    SharedInts before = block.sharedInts(2);
    int rank = block.threadIndexX();
    int from = 0;
    if (rank == 0) {
      before.set(1, (int) Atomics.add(sums, block.gridSizeX(), 1L));
    }
    block.sync();
    int number = before.get(1);
    int element = number * THREADS + rank;
    tile.set(rank, small(in.get(element)));
    block.sync();
    for (int distance = 1; distance < THREADS; distance <<= 1) {
      int to = THREADS - from;
      int sum = tile.get(from + rank);
      if (rank >= distance) {
        sum += tile.get(from + rank - distance);
      }
      tile.set(to + rank, sum);
      from = to;
      block.sync();
    }
    if (rank == THREADS - 1) {
      int own = tile.get(from + rank);
      int all = 0;
      Atomics.storeRelease(sums, number, (number == 0 ? WHOLE : OWN) | own);
      for (int at = number - 1; at >= 0; at--) {
        long there = Atomics.loadAcquire(sums, at);
        while (there == 0) {
          there = Atomics.loadAcquire(sums, at);
        }
        all += (int) there;
        if (there >= WHOLE) {
          break;
        }
      }
      Atomics.storeRelease(sums, number, WHOLE | (all + own));
      before.set(0, all);
    }
    block.sync();
    out.set(element, before.get(0) + tile.get(from + rank));
  }

  static int small(float value) {
    return (int) (8 * value);
  }

  /** Transposes a square matrix through shared memory. */
  @Kernel
  static void transpose(ThreadBlock block, GlobalFloats in, GlobalFloats out, int side) {
    SharedFloats tile = block.sharedFloats(SIDE * (SIDE + 1));
    int x = block.threadIndexX();
    int y = block.threadIndexY();
    int left = block.blockIndexX() * SIDE;
    int top = block.blockIndexY() * SIDE;
    tile.set(y * (SIDE + 1) + x, in.get((long) (top + y) * side + left + x));
    block.sync();
    out.set((long) (left + y) * side + top + x, tile.get(x * (SIDE + 1) + y));
  }

  /** A product of square matrices: each thread reads a row and a column of two tiles. */
  @Kernel
  static void product(ThreadBlock block, GlobalFloats a, GlobalFloats b, GlobalFloats c, int size) {
    SharedFloats left = block.sharedFloats(SIDE * SIDE);
    SharedFloats right = block.sharedFloats(SIDE * SIDE);
    int x = block.threadIndexX();
    int y = block.threadIndexY();
    int row = block.blockIndexY() * SIDE + y;
    int column = block.blockIndexX() * SIDE + x;
    float sum = 0;
    for (int from = 0; from < size; from += SIDE) {
      left.set(y * SIDE + x, a.get((long) row * size + from + x));
      right.set(y * SIDE + x, b.get((long) (from + y) * size + column));
      block.sync();
      for (int k = 0; k < SIDE; k++) {
        sum += left.get(y * SIDE + k) * right.get(k * SIDE + x);
      }
      block.sync();
    }
    c.set((long) row * size + column, sum);
  }

  /** Counts in shared memory, and adds what each block has counted. */
  @Kernel
  static void histogram(ThreadBlock block, GlobalFloats in, GlobalInts out) {
    SharedInts bins = block.sharedInts(THREADS);
    int rank = block.threadIndexX();
    bins.set(rank, 0);
    block.sync();
    int _ = Atomics.add(bins, (int) (in.get(block.globalIndexX()) * THREADS) & 255, 1);
    block.sync();
    int _ = Atomics.add(out, rank, bins.get(rank));
  }

  /** Sums tiles that are copied to shared memory, one ahead, in groups. */
  @Kernel
  static void copies(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tiles = block.sharedFloats(2 * TILE);
    long base = (long) block.blockIndexX() * TILES * TILE;
    float sum = 0;
    block.memcpyAsync(tiles, 0, in, base, TILE, 16);
    for (int i = 0; i < TILES; i++) {
      int now = i % 2 * TILE;
      if (i + 1 < TILES) {
        block.memcpyAsync(tiles, TILE - now, in, base + (long) (i + 1) * TILE, TILE, 16);
        block.waitPrior(1);
      } else {
        block.waitAll();
      }
      for (int k = block.threadIndexX(); k < TILE; k += THREADS) {
        sum += tiles.get(now + k);
      }
      block.sync();
    }
    out.set(block.globalIndexX(), sum);
  }

  /** The same with two barriers. */
  @Kernel
  static void copiesWithBarriers(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tiles = block.sharedFloats(2 * TILE);
    Barrier even = block.barrier();
    Barrier odd = block.barrier();
    long base = (long) block.blockIndexX() * TILES * TILE;
    float sum = 0;
    block.memcpyAsync(tiles, 0, in, base, TILE, 16, even);
    for (int i = 0; i < TILES; i += 2) {
      block.memcpyAsync(tiles, TILE, in, base + (long) (i + 1) * TILE, TILE, 16, odd);
      even.arriveAndWait();
      for (int k = block.threadIndexX(); k < TILE; k += THREADS) {
        sum += tiles.get(k);
      }
      block.sync();
      if (i + 2 < TILES) {
        block.memcpyAsync(tiles, 0, in, base + (long) (i + 2) * TILE, TILE, 16, even);
      }
      odd.arriveAndWait();
      for (int k = block.threadIndexX(); k < TILE; k += THREADS) {
        sum += tiles.get(TILE + k);
      }
      block.sync();
    }
    out.set(block.globalIndexX(), sum);
  }

  /**
   * The same with two warps that copy and six that add. The sums of a block are those of its
   * consumers, which take every 192nd element.
   */
  @Kernel
  static void copiesWithRoles(ThreadBlock block, GlobalFloats in, GlobalFloats out) {
    SharedFloats tiles = block.sharedFloats(STAGES * TILE);
    Pipeline pipeline = block.pipeline(STAGES, PRODUCERS);
    long base = (long) block.blockIndexX() * TILES * TILE;
    if (pipeline.isProducer()) {
      for (int i = 0; i < TILES; i++) {
        pipeline.producerAcquire();
        int half = block.threadIndexX() / 32 * (TILE / 2);
        int at = pipeline.producerStage() * TILE + half;
        long from = base + (long) i * TILE + half;
        block.warp().memcpyAsync(tiles, at, in, from, TILE / 2, 16, pipeline);
        pipeline.producerCommit();
      }
      pipeline.drain();
    } else {
      float sum = 0;
      for (int i = 0; i < TILES; i++) {
        pipeline.consumerWait();
        int at = pipeline.consumerStage() * TILE;
        for (int k = block.threadIndexX() - PRODUCERS; k < TILE; k += THREADS - PRODUCERS) {
          sum += tiles.get(at + k);
        }
        pipeline.consumerRelease();
      }
      out.set(block.globalIndexX(), sum);
    }
  }

  /** The same as with barriers, where a tensor map says what is copied. */
  @Kernel
  static void copiesOfTensor(ThreadBlock block, TensorMap in, GlobalFloats out) {
    SharedFloats tiles = block.sharedFloats(2 * TILE);
    Barrier even = block.barrier();
    Barrier odd = block.barrier();
    int rows = TILE / BOX;
    int top = block.blockIndexX() * TILES * rows;
    float sum = 0;
    TensorTiles.memcpyAsync(block, tiles, 0, in, 0, top, TILE, even);
    for (int i = 0; i < TILES; i += 2) {
      TensorTiles.memcpyAsync(block, tiles, TILE, in, 0, top + (i + 1) * rows, TILE, odd);
      even.arriveAndWait();
      for (int k = block.threadIndexX(); k < TILE; k += THREADS) {
        sum += tiles.get(k);
      }
      block.sync();
      if (i + 2 < TILES) {
        TensorTiles.memcpyAsync(block, tiles, 0, in, 0, top + (i + 2) * rows, TILE, even);
      }
      odd.arriveAndWait();
      for (int k = block.threadIndexX(); k < TILE; k += THREADS) {
        sum += tiles.get(TILE + k);
      }
      block.sync();
    }
    out.set(block.globalIndexX(), sum);
  }

  /** Two warps fill a ring of four places, and six take what is there, by phases. */
  @Kernel
  static void phases(ThreadBlock block, GlobalFloats in, GlobalFloats out, int tiles) {
    SharedFloats ring = block.sharedFloats(STAGES * PRODUCERS);
    SharedLongs full = block.sharedLongs(STAGES);
    SharedLongs empty = block.sharedLongs(STAGES);
    int rank = block.threadIndexX();
    if (rank < STAGES) {
      PtxBarriers.mbarrierInit(full, rank, PRODUCERS);
      PtxBarriers.mbarrierInit(empty, rank, THREADS - PRODUCERS);
    }
    block.sync();
    float sum = 0;
    for (int i = 0; i < tiles; i++) {
      int stage = i % STAGES;
      int parity = i / STAGES % 2;
      if (rank < PRODUCERS) {
        while (i >= STAGES && !PtxBarriers.mbarrierTryWaitParity(empty, stage, parity ^ 1)) {
          // until the place is empty
        }
        ring.set(stage * PRODUCERS + rank, in.get(rank) + i);
        long _ = PtxBarriers.mbarrierArrive(full, stage);
      } else {
        while (!PtxBarriers.mbarrierTryWaitParity(full, stage, parity)) {
          // until it is full
        }
        sum += ring.get(stage * PRODUCERS + rank % PRODUCERS);
        long _ = PtxBarriers.mbarrierArrive(empty, stage);
      }
    }
    out.set(rank, sum);
  }
}
