package dev.stretto.compiler;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.PtxIm2colCopies;
import dev.stretto.kernel.PtxTensorCopies.Reduction;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.TensorColumns;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/** The smallest kernel of each copy of a column: lines, pictures and volumes are images. */
final class ColumnInstructions {
  private ColumnInstructions() {}

  @Kernel
  static void linesToShared(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(tile, 0, map, 0, x, 2, x, words, 0);
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void linesToSharedHinted(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedCacheHint(
          tile, 0, map, 0, x, 2, x, words, 0, PtxCopies.createPolicyEvictLast());
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void linesToAll(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticast(
          tile, 0, map, 0, x, 2, x, words, 0, 3);
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
    block.cluster().sync();
  }

  @Kernel
  static void linesToAllHinted(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticastCacheHint(
          tile, 0, map, 0, x, 2, x, words, 0, 3, PtxCopies.createPolicyEvictLast());
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
    block.cluster().sync();
  }

  @Kernel
  static void linesStored(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, x, 2, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void linesStoredHinted(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobalCacheHint(
          map, 0, x, 2, tile, 0, PtxCopies.createPolicyEvictFirst());
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void linesAdded(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(Reduction.XOR, map, 0, x, 2, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void linesAddedHinted(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpReduceAsyncBulkTensorIm2colCacheHint(
          Reduction.XOR, map, 0, x, 2, tile, 0, PtxCopies.createPolicyEvictFirst());
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void linesFetched(ThreadBlock block, TensorMap map, int x) {
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkPrefetchTensorIm2col(map, 0, x, 2, x);
    }
  }

  @Kernel
  static void linesOnBarrier(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, x, 2, x, 64, full);
    full.arriveAndWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void linesInStage(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    pipeline.producerAcquire();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, x, 2, x, 64, pipeline);
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
    pipeline.consumerRelease();
  }

  @Kernel
  static void picturesToShared(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(tile, 0, map, 0, x, 1, 2, x, 1, words, 0);
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void picturesToSharedHinted(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedCacheHint(
          tile, 0, map, 0, x, 1, 2, x, 1, words, 0, PtxCopies.createPolicyEvictLast());
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void picturesToAll(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticast(
          tile, 0, map, 0, x, 1, 2, x, 1, words, 0, 3);
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
    block.cluster().sync();
  }

  @Kernel
  static void picturesToAllHinted(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticastCacheHint(
          tile, 0, map, 0, x, 1, 2, x, 1, words, 0, 3, PtxCopies.createPolicyEvictLast());
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
    block.cluster().sync();
  }

  @Kernel
  static void picturesStored(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, x, 1, 2, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void picturesStoredHinted(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobalCacheHint(
          map, 0, x, 1, 2, tile, 0, PtxCopies.createPolicyEvictFirst());
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void picturesAdded(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(Reduction.XOR, map, 0, x, 1, 2, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void picturesAddedHinted(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpReduceAsyncBulkTensorIm2colCacheHint(
          Reduction.XOR, map, 0, x, 1, 2, tile, 0, PtxCopies.createPolicyEvictFirst());
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void picturesFetched(ThreadBlock block, TensorMap map, int x) {
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkPrefetchTensorIm2col(map, 0, x, 1, 2, x, 1);
    }
  }

  @Kernel
  static void picturesOnBarrier(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, x, 1, 2, x, 1, 64, full);
    full.arriveAndWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void picturesInStage(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    pipeline.producerAcquire();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, x, 1, 2, x, 1, 64, pipeline);
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
    pipeline.consumerRelease();
  }

  @Kernel
  static void volumesToShared(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          tile, 0, map, 0, x, 1, 1, 2, x, 1, 1, words, 0);
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void volumesToSharedHinted(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedCacheHint(
          tile, 0, map, 0, x, 1, 1, 2, x, 1, 1, words, 0, PtxCopies.createPolicyEvictLast());
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void volumesToAll(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticast(
          tile, 0, map, 0, x, 1, 1, 2, x, 1, 1, words, 0, 3);
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
    block.cluster().sync();
  }

  @Kernel
  static void volumesToAllHinted(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    SharedLongs words = full.words();
    if (block.threadRank() == 0) {
      full.arriveExpecting(256);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticastCacheHint(
          tile, 0, map, 0, x, 1, 1, 2, x, 1, 1, words, 0, 3, PtxCopies.createPolicyEvictLast());
    }
    full.waitForParity(0);
    out.set(block.threadRank(), tile.get(block.threadRank()));
    block.cluster().sync();
  }

  @Kernel
  static void volumesStored(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, 0, x, 1, 1, 2, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void volumesStoredHinted(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobalCacheHint(
          map, 0, x, 1, 1, 2, tile, 0, PtxCopies.createPolicyEvictFirst());
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void volumesAdded(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(Reduction.XOR, map, 0, x, 1, 1, 2, tile, 0);
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void volumesAddedHinted(ThreadBlock block, TensorMap map, int x) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), x);
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpReduceAsyncBulkTensorIm2colCacheHint(
          Reduction.XOR, map, 0, x, 1, 1, 2, tile, 0, PtxCopies.createPolicyEvictFirst());
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
    }
  }

  @Kernel
  static void volumesFetched(ThreadBlock block, TensorMap map, int x) {
    if (block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkPrefetchTensorIm2col(map, 0, x, 1, 1, 2, x, 1, 1);
    }
  }

  @Kernel
  static void volumesOnBarrier(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Barrier full = block.barrier();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, x, 1, 1, 2, x, 1, 1, 64, full);
    full.arriveAndWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  static void volumesInStage(ThreadBlock block, TensorMap map, GlobalInts out, int x) {
    SharedInts tile = block.sharedInts(64);
    Pipeline pipeline = block.pipeline(1);
    pipeline.producerAcquire();
    TensorColumns.memcpyAsync(block, tile, 0, map, 0, x, 1, 1, 2, x, 1, 1, 64, pipeline);
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
    pipeline.consumerRelease();
  }
}
