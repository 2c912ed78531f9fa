package dev.stretto.twin;

import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PipelinePrimitives;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedShorts;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;

/** The kernels of {@code semantics/pipelines.cuh} that wait for groups of copies. */
final class GroupKernels {
  private static final int TILES = 20;

  private GroupKernels() {}

  @Kernel
  static void ofTheBlock(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(300);
    for (int round = 0; round < 3; round++) {
      block.memcpyAsync(values, 0, in, 300 * round, 300);
      block.waitAll();
      for (int i = block.threadRank(); i < 300; i += block.size()) {
        out.set(300 * round + i, values.get(299 - i));
      }
      block.sync();
    }
  }

  /** The next tile is under way while one is used. */
  @Kernel
  static void ahead(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * 128);
    block.memcpyAsync(tiles, 0, in, 0, 128, 16);
    for (int tile = 0; tile < TILES; tile++) {
      if (tile + 1 < TILES) {
        block.memcpyAsync(tiles, 128 * ((tile + 1) % 2), in, 128 * (tile + 1), 128, 16);
        block.waitPrior(1);
      } else {
        block.waitAll();
      }
      for (int i = block.threadRank(); i < 128; i += block.size()) {
        out.set(128 * tile + i, tiles.get(128 * (tile % 2) + 127 - i));
      }
      block.sync();
    }
  }

  @Kernel
  static void ofWarps(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(4 * 100);
    Warp warp = block.warp();
    int index = block.threadRank() / 32;
    for (int round = 0; round <= index; round++) {
      int from = 100 * (4 * round + index);
      warp.memcpyAsync(values, 100 * index, in, from, 100);
      warp.waitAll();
      for (int i = warp.lane(); i < 100; i += 32) {
        out.set(from + i, values.get(100 * index + 99 - i));
      }
      warp.sync();
    }
  }

  /** 4, 8 and 16 bytes. */
  @Kernel
  static void ofEachSize(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(3 * 256);
    int rank = block.threadRank();
    PipelinePrimitives.memcpyAsync(values, rank, in, rank, 4);
    PipelinePrimitives.memcpyAsync(values, 256 + 2 * rank, in, 1000 + 2 * rank, 8);
    PipelinePrimitives.memcpyAsync(values, 512 + 4 * rank, in, 2000 + 4 * rank, 16);
    PipelinePrimitives.commit();
    PipelinePrimitives.waitPrior(0);
    block.sync();
    out.set(rank, values.get(63 - rank));
    for (int i = 0; i < 2; i++) {
      out.set(64 + 2 * rank + i, values.get(256 + 127 - 2 * rank - i));
    }
    for (int i = 0; i < 4; i++) {
      out.set(192 + 4 * rank + i, values.get(512 + 255 - 4 * rank - i));
    }
  }

  /** Three groups, of which each thread waits for the oldest, the next and the last. */
  @Kernel
  static void inTurn(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(3 * 64);
    int rank = block.threadRank();
    for (int i = 0; i < 3; i++) {
      PipelinePrimitives.memcpyAsync(values, 64 * i + rank, in, 64 * i + rank, 4);
      PipelinePrimitives.commit();
    }
    PipelinePrimitives.waitPrior(2);
    out.set(rank, values.get(rank));
    PipelinePrimitives.waitPrior(1);
    out.set(64 + rank, values.get(64 + rank));
    PipelinePrimitives.waitPrior(0);
    block.sync();
    out.set(128 + rank, values.get(128 + 63 - rank));
  }

  /** A group counts, though there is nothing in it. */
  @Kernel
  static void empty(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(64);
    int rank = block.threadRank();
    PipelinePrimitives.memcpyAsync(values, rank, in, rank, 4);
    PipelinePrimitives.commit();
    PipelinePrimitives.commit();
    PipelinePrimitives.commit();
    PipelinePrimitives.waitPrior(2);
    out.set(rank, values.get(rank));
  }

  /** The last bytes become zero, and are not read. */
  @Kernel
  static void zeros(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(5 * 128);
    int rank = block.threadRank();
    for (int i = rank; i < 5 * 128; i += block.size()) {
      values.set(i, -1);
    }
    block.sync();
    for (int i = 0; i < 5; i++) {
      int at = 128 * i + 4 * rank;
      PipelinePrimitives.memcpyAsync(values, at, in, at, 16, 4 * i);
    }
    PipelinePrimitives.commit();
    PipelinePrimitives.waitPrior(0);
    block.sync();
    for (int i = rank; i < 5 * 128; i += block.size()) {
      out.set(i, values.get(i));
    }
  }

  /** Behind the array's end nothing is read, and zeros arrive. */
  @Kernel
  static void beyondTheEnd(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(4 * 64);
    int rank = block.threadRank();
    int first = (int) in.length() - 132 + 4 * rank;
    int left = (int) in.length() - 2 - first;
    int zeros = left >= 4 ? 0 : left <= 0 ? 16 : 4 * (4 - left);
    PipelinePrimitives.memcpyAsync(values, 4 * rank, in, first, 16, zeros);
    PipelinePrimitives.commit();
    PipelinePrimitives.waitPrior(0);
    block.sync();
    for (int i = rank; i < 256; i += block.size()) {
      out.set(i, values.get(255 - i));
    }
  }

  @Kernel
  static void toGlobal(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts values = block.sharedInts(200);
    for (int i = block.threadRank(); i < 200; i += block.size()) {
      values.set(i, 2 * in.get(i));
    }
    block.sync();
    block.memcpyAsync(out, 0, values, 0, 200, 4);
    block.waitAll();
    for (int i = block.threadRank(); i < 200; i += block.size()) {
      out.set(200 + i, out.get(199 - i));
    }
  }

  @Kernel
  static void storedTiles(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(3 * 100);
    for (int tile = 0; tile < 8; tile++) {
      int at = tile % 3 * 100;
      block.waitPrior(2);
      for (int i = block.threadRank(); i < 100; i += block.size()) {
        tiles.set(at + i, in.get(100 * tile + 99 - i) * 3);
      }
      block.sync();
      block.memcpyAsync(out, 100 * tile, tiles, at, 100, 16);
    }
  }

  @Kernel
  static void storedStages(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tiles = block.sharedInts(2 * 100);
    Pipeline pipeline = block.pipeline(2);
    for (int tile = 0; tile <= 8; tile++) {
      if (tile < 8) {
        pipeline.producerAcquire();
        int at = tile % 2 * 100;
        for (int i = block.threadRank(); i < 100; i += block.size()) {
          tiles.set(at + i, in.get(100 * tile + i) + tile);
        }
        block.sync();
        block.memcpyAsync(out, 100 * tile, tiles, at, 100, 16, pipeline);
        pipeline.producerCommit();
      }
      if (tile > 0) {
        pipeline.consumerWait();
        for (int i = block.threadRank(); i < 100; i += block.size()) {
          out.set(800 + 100 * (tile - 1) + i, out.get(100 * (tile - 1) + 99 - i));
        }
        pipeline.consumerRelease();
      }
    }
  }

  @Kernel
  static void storedBytes(ThreadBlock block, GlobalBytes in, GlobalBytes outBytes) {
    GlobalInts out = outBytes.asInts();
    SharedBytes bytes = block.sharedBytes(203);
    SharedShorts shorts = block.sharedShorts(203);
    block.memcpyAsync(bytes, 0, in, 5, 203);
    block.memcpyAsync(shorts, 0, in.asShorts(), 301, 203);
    block.waitAll();
    for (int i = block.threadRank(); i < 203; i += block.size()) {
      out.set(i, bytes.get(202 - i) + shorts.get(202 - i));
    }
    block.memcpyAsync(outBytes, 1601, bytes, 0, 203);
  }
}
