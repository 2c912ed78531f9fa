package dev.stretto.contract;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.TensorTiles;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/** Kernels that copy boxes of tensors. */
final class TensorKernels {
  private TensorKernels() {}

  /** What a box brings, byte by byte as it lies in shared memory. */
  @Kernel
  static void load(
      ThreadBlock block,
      TensorMap map,
      GlobalBytes out,
      @Const int dimensions,
      @Const int shared,
      int expected,
      int x,
      int y,
      int z,
      int u,
      int v) {
    SharedBytes tile = block.sharedBytes(shared);
    SharedLongs words = block.sharedLongs(1);
    for (int i = block.threadRank(); i < shared; i += block.size()) {
      tile.set(i, (byte) 0x5a);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, 1);
    }
    block.sync();
    if (block.threadRank() == 0) {
      PtxTensorCopies.prefetchTensormap(map);
      PtxBarriers.mbarrierArriveExpectTx(words, 0, expected);
      if (dimensions == 1) {
        PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x);
        PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, x, words, 0);
      } else if (dimensions == 2) {
        PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x, y);
        PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, x, y, words, 0);
      } else if (dimensions == 3) {
        PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x, y, z);
        PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, x, y, z, words, 0);
      } else if (dimensions == 4) {
        PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x, y, z, u);
        PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, x, y, z, u, words, 0);
      } else {
        PtxTensorCopies.cpAsyncBulkPrefetchTensor(map, x, y, z, u, v);
        PtxTensorCopies.cpAsyncBulkTensorToShared(tile, 0, map, x, y, z, u, v, words, 0);
      }
    }
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // The device has given up for a moment.
    }
    for (int i = block.threadRank(); i < shared; i += block.size()) {
      out.set(i, tile.get(i));
    }
  }

  /** Writes bytes 1, 2, 3 and so on as a box. */
  @Kernel
  static void store(
      ThreadBlock block,
      TensorMap map,
      @Const int dimensions,
      @Const int shared,
      int x,
      int y,
      int z,
      int u,
      int v) {
    SharedBytes tile = block.sharedBytes(shared);
    for (int i = block.threadRank(); i < shared; i += block.size()) {
      tile.set(i, (byte) (i * 7 + 1));
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      if (dimensions == 1) {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, tile, 0);
      } else if (dimensions == 2) {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, y, tile, 0);
      } else if (dimensions == 3) {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, y, z, tile, 0);
      } else if (dimensions == 4) {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, y, z, u, tile, 0);
      } else {
        PtxTensorCopies.cpAsyncBulkTensorToGlobal(map, x, y, z, u, v, tile, 0);
      }
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  /** Joins a box of bytes that are given with a tensor. */
  @Kernel
  static void reduce(
      ThreadBlock block,
      GlobalBytes with,
      TensorMap map,
      @Const PtxTensorCopies.Reduction how,
      @Const int dimensions,
      @Const int shared,
      int x,
      int y) {
    SharedBytes tile = block.sharedBytes(shared);
    for (int i = block.threadRank(); i < shared; i += block.size()) {
      tile.set(i, with.get(i));
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      if (dimensions == 1) {
        PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, tile, 0);
      } else if (dimensions == 2) {
        PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, y, tile, 0);
      } else if (dimensions == 3) {
        PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, y, 0, tile, 0);
      } else if (dimensions == 4) {
        PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, y, 0, 0, tile, 0);
      } else {
        PtxTensorCopies.cpReduceAsyncBulkTensor(how, map, x, y, 0, 0, 0, tile, 0);
      }
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  /** Transposes a matrix, tile by tile, several tiles ahead. */
  @Kernel
  static void transpose(
      ThreadBlock block, TensorMap in, GlobalInts out, int width, int height, @Const int stages) {
    SharedInts tiles = block.sharedInts(stages * 32 * 32);
    Pipeline pipeline = block.pipeline(stages);
    int across = (width + 31) / 32;
    int all = across * ((height + 31) / 32);
    int begun = block.blockIndexX();
    for (int at = block.blockIndexX(); at < all; at += block.gridSizeX()) {
      while (begun < all && begun < at + stages * block.gridSizeX()) {
        pipeline.producerAcquire();
        TensorTiles.memcpyAsync(
            block,
            tiles,
            pipeline.producerStage() * 1024,
            in,
            begun % across * 32,
            begun / across * 32,
            1024,
            pipeline);
        pipeline.producerCommit();
        begun += block.gridSizeX();
      }
      pipeline.consumerWait();
      int first = pipeline.consumerStage() * 1024;
      for (int i = block.threadRank(); i < 1024; i += block.size()) {
        int column = at % across * 32 + i / 32;
        int row = at / across * 32 + i % 32;
        if (row < height && column < width) {
          out.set((long) column * height + row, tiles.get(first + i % 32 * 32 + i / 32));
        }
      }
      pipeline.consumerRelease();
    }
  }

  /** One block of a cluster has a box copied to all of them. */
  @Kernel
  static void multicast(ThreadBlock block, TensorMap map, GlobalInts out, @Const int blocks) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
    }
    Cluster cluster = block.cluster();
    cluster.sync();
    if (cluster.blockRank() == 0 && block.threadRank() == 0) {
      PtxTensorCopies.cpAsyncBulkTensorToSharedMulticast(
          tile, 0, map, 8, 1, full.words(), full.index(), (1 << blocks) - 1);
    }
    full.waitForParity(0);
    for (int i = block.threadRank(); i < 64; i += block.size()) {
      out.set(block.blockIndexX() * 64 + i, tile.get(i) + cluster.blockRank());
    }
    cluster.sync();
  }

  /** The blocks of a cluster each have a part of an array copied to all of them. */
  @Kernel
  static void multicastBytes(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int blocks) {
    SharedInts all = block.sharedInts(blocks * 32);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    if (block.threadRank() == 0) {
      full.arriveExpecting(blocks * 128);
    }
    Cluster cluster = block.cluster();
    cluster.sync();
    int rank = cluster.blockRank();
    if (block.threadRank() == 0) {
      PtxBulkCopies.cpAsyncBulkToSharedMulticast(
          all, rank * 128, in, rank * 128, 128, full.words(), full.index(), (1 << blocks) - 1);
    }
    full.waitForParity(0);
    for (int i = block.threadRank(); i < blocks * 32; i += block.size()) {
      out.set((long) block.blockIndexX() * blocks * 32 + i, all.get(i));
    }
    cluster.sync();
  }

  /** Each block of a cluster waits for the one before it, round by round. */
  @Kernel
  static void relay(ThreadBlock block, GlobalInts out, int rounds) {
    Barrier turn = block.barrier(1, Scope.CLUSTER);
    Cluster cluster = block.cluster();
    int rank = cluster.blockRank();
    int next = (rank + 1) % cluster.size();
    if (block.threadRank() == 0) {
      if (rank == cluster.size() - 1) {
        turn.arriveAt(0);
      }
      for (int round = 0; round < rounds; round++) {
        turn.waitForParity(round & 1);
        out.set(0, out.get(0) * 3 + rank);
        if (round < rounds - 1 || rank < cluster.size() - 1) {
          turn.arriveAt(next);
        }
      }
    }
    cluster.arrive();
    cluster.waitForAll();
    out.set(
        1 + block.blockIndexX() * block.size() + block.threadRank(), rank * 10 + cluster.size());
  }
}
