package dev.stretto.contract;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Cluster;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxCopies;
import dev.stretto.kernel.PtxIm2colCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.PtxTensorCopies.Reduction;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.TensorColumns;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/** Kernels that copy columns of pixels. */
final class ColumnKernels {
  /** The pixels of a column of {@link #convolve}, and the channels of a pixel. */
  static final int PIXELS = 64;

  static final int CHANNELS = 8;

  private ColumnKernels() {}

  /**
   * Brings a column of images of one to three dimensions to shared memory, and shows all of its
   * bytes, gaps included. The place is packed: two numbers of 16 bits in each, place and offset.
   */
  @Kernel
  static void load(
      ThreadBlock block,
      TensorMap map,
      GlobalBytes out,
      @Const int dimensions,
      @Const boolean hinted,
      @Const int shared,
      int expected,
      int c,
      int w,
      int h,
      int d,
      int n,
      GlobalInts offsets) {
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
      int ow = offsets.get(0);
      int oh = offsets.get(1);
      int od = offsets.get(2);
      PtxTensorCopies.prefetchTensormap(map);
      PtxBarriers.mbarrierArriveExpectTx(words, 0, expected);
      long once = PtxCopies.createPolicyEvictFirst();
      if (dimensions == 3) {
        PtxIm2colCopies.cpAsyncBulkPrefetchTensorIm2col(map, c, w, n, ow);
        if (hinted) {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedCacheHint(
              tile, 0, map, c, w, n, ow, words, 0, once);
        } else {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(tile, 0, map, c, w, n, ow, words, 0);
        }
      } else if (dimensions == 4) {
        PtxIm2colCopies.cpAsyncBulkPrefetchTensorIm2col(map, c, w, h, n, ow, oh);
        if (hinted) {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedCacheHint(
              tile, 0, map, c, w, h, n, ow, oh, words, 0, once);
        } else {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
              tile, 0, map, c, w, h, n, ow, oh, words, 0);
        }
      } else {
        PtxIm2colCopies.cpAsyncBulkPrefetchTensorIm2col(map, c, w, h, d, n, ow, oh, od);
        if (hinted) {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedCacheHint(
              tile, 0, map, c, w, h, d, n, ow, oh, od, words, 0, once);
        } else {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
              tile, 0, map, c, w, h, d, n, ow, oh, od, words, 0);
        }
      }
    }
    while (!PtxBarriers.mbarrierTryWaitParity(words, 0, 0)) {
      // The device has given up for a moment.
    }
    for (int i = block.threadRank(); i < shared; i += block.size()) {
      out.set(i, tile.get(i));
    }
  }

  /** Writes ints 1000, 1001, 1002 and so on as a column, or adds them. */
  @Kernel
  static void store(
      ThreadBlock block,
      TensorMap map,
      @Const int dimensions,
      @Const boolean adds,
      @Const boolean hinted,
      @Const int shared,
      int c,
      int w,
      int h,
      int d,
      int n) {
    SharedInts tile = block.sharedInts(shared);
    for (int i = block.threadRank(); i < shared; i += block.size()) {
      tile.set(i, 1000 + i);
    }
    PtxBulkCopies.fenceProxyAsyncShared();
    block.sync();
    if (block.threadRank() == 0) {
      long p = PtxCopies.createPolicyEvictLast();
      if (adds) {
        if (dimensions == 3) {
          if (hinted) {
            PtxIm2colCopies.cpReduceAsyncBulkTensorIm2colCacheHint(
                Reduction.ADD, map, c, w, n, tile, 0, p);
          } else {
            PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(Reduction.ADD, map, c, w, n, tile, 0);
          }
        } else if (dimensions == 4) {
          if (hinted) {
            PtxIm2colCopies.cpReduceAsyncBulkTensorIm2colCacheHint(
                Reduction.ADD, map, c, w, h, n, tile, 0, p);
          } else {
            PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(Reduction.ADD, map, c, w, h, n, tile, 0);
          }
        } else {
          if (hinted) {
            PtxIm2colCopies.cpReduceAsyncBulkTensorIm2colCacheHint(
                Reduction.ADD, map, c, w, h, d, n, tile, 0, p);
          } else {
            PtxIm2colCopies.cpReduceAsyncBulkTensorIm2col(
                Reduction.ADD, map, c, w, h, d, n, tile, 0);
          }
        }
      } else if (dimensions == 3) {
        if (hinted) {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobalCacheHint(map, c, w, n, tile, 0, p);
        } else {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, c, w, n, tile, 0);
        }
      } else if (dimensions == 4) {
        if (hinted) {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobalCacheHint(map, c, w, h, n, tile, 0, p);
        } else {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, c, w, h, n, tile, 0);
        }
      } else {
        if (hinted) {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobalCacheHint(map, c, w, h, d, n, tile, 0, p);
        } else {
          PtxIm2colCopies.cpAsyncBulkTensorIm2colToGlobal(map, c, w, h, d, n, tile, 0);
        }
      }
      PtxBulkCopies.cpAsyncBulkCommitGroup();
      PtxBulkCopies.cpAsyncBulkWaitGroup(0);
    }
  }

  /** One block of a cluster has columns of images of two dimensions copied to all of them. */
  @Kernel
  static void multicast(ThreadBlock block, TensorMap map, GlobalInts out, @Const int blocks) {
    SharedInts tile = block.sharedInts(128);
    Barrier full = block.barrier(1, Scope.CLUSTER);
    if (block.threadRank() == 0) {
      full.arriveExpecting(512);
    }
    Cluster cluster = block.cluster();
    cluster.sync();
    if (cluster.blockRank() == 0 && block.threadRank() == 0) {
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticast(
          tile, 0, map, 4, 1, 0, 0, 1, 2, full.words(), full.index(), (1 << blocks) - 1);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToSharedMulticastCacheHint(
          tile,
          256,
          map,
          0,
          2,
          1,
          0,
          0,
          1,
          full.words(),
          full.index(),
          (1 << blocks) - 1,
          PtxCopies.createPolicyEvictLast());
    }
    full.waitForParity(0);
    for (int i = block.threadRank(); i < 128; i += block.size()) {
      out.set(block.blockIndexX() * 128 + i, tile.get(i) + cluster.blockRank());
    }
    cluster.sync();
  }

  /**
   * A convolution of images of two dimensions with one filter of {@code across} by {@code down}
   * elements of eight channels. Each block computes 64 pixels of the output, one for each thread,
   * several elements of the filter ahead.
   */
  @Kernel
  static void convolve(
      ThreadBlock block,
      TensorMap images,
      GlobalFloats filter,
      GlobalFloats out,
      int pixels,
      int outWidth,
      int outHeight,
      @Const int across,
      @Const int down,
      @Const int dilation,
      @Const int stride,
      @Const int padding) {
    SharedFloats columns = block.sharedFloats(2 * PIXELS * CHANNELS);
    Pipeline pipeline = block.pipeline(2);
    int first = block.blockIndexX() * PIXELS;
    int w = first % outWidth * stride - padding;
    int h = first / outWidth % outHeight * stride - padding;
    int n = first / (outWidth * outHeight);
    int begun = 0;
    float sum = 0;
    for (int element = 0; element < across * down; element++) {
      while (begun < across * down && begun < element + 2) {
        pipeline.producerAcquire();
        TensorColumns.memcpyAsync(
            block,
            columns,
            pipeline.producerStage() * PIXELS * CHANNELS,
            images,
            0,
            w,
            h,
            n,
            begun % across * dilation,
            begun / across * dilation,
            PIXELS * CHANNELS,
            pipeline);
        pipeline.producerCommit();
        begun++;
      }
      pipeline.consumerWait();
      int row = pipeline.consumerStage() * PIXELS * CHANNELS + block.threadRank() * CHANNELS;
      for (int c = 0; c < CHANNELS; c++) {
        sum += columns.get(row + c) * filter.get(element * CHANNELS + c);
      }
      pipeline.consumerRelease();
    }
    if (first + block.threadRank() < pixels) {
      out.set(first + block.threadRank(), sum);
    }
  }

  /**
   * The same column three times: by a barrier, by a pipeline, of images of 1, 2 or 3 dimensions.
   */
  @Kernel
  static void tiles(
      ThreadBlock block, TensorMap map, GlobalInts out, @Const int dimensions, int w, int offset) {
    SharedInts tile = block.sharedInts(128);
    Barrier full = block.barrier();
    Pipeline pipeline = block.pipeline(1);
    pipeline.producerAcquire();
    if (dimensions == 3) {
      TensorColumns.memcpyAsync(block, tile, 0, map, 0, w, 0, offset, 64, full);
      TensorColumns.memcpyAsync(block, tile, 64, map, 0, w, 0, offset, 64, pipeline);
    } else if (dimensions == 4) {
      TensorColumns.memcpyAsync(block, tile, 0, map, 0, w, 0, 0, offset, 0, 64, full);
      TensorColumns.memcpyAsync(block, tile, 64, map, 0, w, 0, 0, offset, 0, 64, pipeline);
    } else {
      TensorColumns.memcpyAsync(block, tile, 0, map, 0, w, 0, 0, 0, offset, 0, 0, 64, full);
      TensorColumns.memcpyAsync(block, tile, 64, map, 0, w, 0, 0, 0, offset, 0, 0, 64, pipeline);
    }
    pipeline.producerCommit();
    full.arriveAndWait();
    pipeline.consumerWait();
    for (int i = block.threadRank(); i < 128; i += block.size()) {
      out.set(i, tile.get(i));
    }
    pipeline.consumerRelease();
  }
}
