package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedShorts;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalInts;

/**
 * Kernels in pairs, like those of {@link MisusedCopies}: what {@code memcpyAsync} stores, and what
 * it copies plainly on this device but not on every other one.
 */
final class MisusedStores {
  private MisusedStores() {}

  private static SharedInts filled(ThreadBlock block, GlobalInts in) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), in.get(block.threadRank()));
    block.sync();
    return tile;
  }

  // --- copies that are bulk copies
  // ------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.STORE_NOT_READ)
  static void refillsWhatIsStoredBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    block.memcpyAsync(out, 0, tile, 0, 64, 16);
    block.sync();
    tile.set(block.threadRank(), 1); // wrong
  }

  @Kernel
  static void refillsWhatIsStoredGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    block.memcpyAsync(out, 0, tile, 0, 64, 16);
    block.waitAll();
    tile.set(block.threadRank(), 1);
  }

  @Kernel
  @Breaks(CopyRule.STORE_NOT_READ)
  static void leavesTheStoreBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    block.memcpyAsync(out, 0, tile, 0, 64, 16);
    block.waitPrior(1);
    tile.set(block.threadRank(), 1); // wrong
  }

  @Kernel
  static void leavesTheStoreGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    SharedInts other = block.sharedInts(64);
    block.memcpyAsync(out, 0, tile, 0, 64, 16);
    block.memcpyAsync(other, 0, in, 64, 64, 16);
    block.waitPrior(1);
    tile.set(block.threadRank(), 1);
    block.waitAll();
    out.set(64 + block.threadRank(), other.get(block.threadRank()));
  }

  /** What is stored has to be there before the call: on other devices each thread stores a part. */
  @Kernel
  @Breaks(CopyRule.MISSING_BARRIER)
  static void storesWhatComesBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    tile.set(63 - block.threadRank(), in.get(block.threadRank()));
    block.memcpyAsync(out, 0, tile, 0, 64, 16); // wrong
  }

  @Kernel
  static void storesWhatComesGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    tile.set(63 - block.threadRank(), in.get(block.threadRank()));
    block.sync();
    block.memcpyAsync(out, 0, tile, 0, 64, 16);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void oneStoresForAllBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    if (block.threadRank() == 0) {
      ThisThread.memcpyAsync(out, 0, tile, 0, 64, 16); // wrong
    }
  }

  @Kernel
  static void oneStoresForAllGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    tile.set(block.threadRank(), in.get(block.threadRank()));
    block.fenceProxyAsync();
    block.sync();
    if (block.threadRank() == 0) {
      ThisThread.memcpyAsync(out, 0, tile, 0, 64, 16);
    }
  }

  @Kernel
  @Breaks({CopyRule.STORE_NOT_READ, CopyRule.MISSING_BARRIER})
  static void refillsTheStageBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    Pipeline pipeline = block.pipeline(1);
    pipeline.producerAcquire();
    block.memcpyAsync(out, 0, tile, 0, 64, 16, pipeline);
    pipeline.producerCommit();
    tile.set(block.threadRank(), 1); // wrong
    pipeline.consumerWait();
    pipeline.consumerRelease();
  }

  @Kernel
  static void refillsTheStageGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    Pipeline pipeline = block.pipeline(1);
    pipeline.producerAcquire();
    block.memcpyAsync(out, 0, tile, 0, 64, 16, pipeline);
    pipeline.producerCommit();
    pipeline.consumerWait();
    tile.set(block.threadRank(), 1);
    pipeline.consumerRelease();
  }

  // --- copies that are none here
  // --------------------------------------------------------------------------------------

  @Kernel
  @Breaks(CopyRule.STORE_NOT_READ)
  static void refillsAPlainTileBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    block.memcpyAsync(out, 0, tile, 0, 64);
    tile.set(block.threadRank(), 1); // wrong
  }

  @Kernel
  static void refillsAPlainTileGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    block.memcpyAsync(out, 0, tile, 0, 64);
    block.waitAll();
    tile.set(block.threadRank(), 1);
  }

  @Kernel
  @Breaks(CopyRule.MISSING_PROXY_FENCE)
  static void bringsBackWhatItStoredBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    SharedInts again = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(out, 0, tile, 0, 64);
    block.waitAll();
    block.memcpyAsync(again, 0, out, 0, 64, 16, barrier); // wrong
    barrier.arriveAndWait();
    out.set(64 + block.threadRank(), again.get(63 - block.threadRank()));
  }

  @Kernel
  static void bringsBackWhatItStoredGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = filled(block, in);
    SharedInts again = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(out, 0, tile, 0, 64);
    block.fenceProxyAsync();
    block.waitAll();
    block.memcpyAsync(again, 0, out, 0, 64, 16, barrier);
    barrier.arriveAndWait();
    out.set(64 + block.threadRank(), again.get(63 - block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void onlySyncsBytesBad(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    SharedBytes tile = block.sharedBytes(256);
    block.memcpyAsync(tile, 0, in, 0, 256);
    block.sync();
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
  }

  @Kernel
  static void onlySyncsBytesGood(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    SharedBytes tile = block.sharedBytes(256);
    block.memcpyAsync(tile, 0, in, 0, 256);
    block.waitAll();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsShortsAtOnceBad(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    SharedShorts tile = block.sharedShorts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 0, in.asShorts(), 0, 64, barrier);
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
    barrier.arriveAndWait();
  }

  @Kernel
  static void readsShortsAtOnceGood(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    SharedShorts tile = block.sharedShorts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 0, in.asShorts(), 0, 64, barrier);
    barrier.arriveAndWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
  }

  /** 3 of 67 elements are no whole piece of a bulk copy. */
  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsTheRestAtOnceBad(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(67);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 0, in, 0, 67, 16, barrier);
    if (block.threadRank() < 3) {
      out.set(block.threadRank(), tile.get(64 + block.threadRank())); // wrong
    }
    barrier.arriveAndWait();
  }

  @Kernel
  static void readsTheRestAtOnceGood(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(67);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 0, in, 0, 67, 16, barrier);
    barrier.arriveAndWait();
    if (block.threadRank() < 3) {
      out.set(block.threadRank(), tile.get(64 + block.threadRank()));
    }
  }

  @Kernel
  @Breaks(CopyRule.MISSING_WAIT)
  static void readsBytesOfAStageBad(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    SharedBytes tile = block.sharedBytes(64);
    Pipeline pipeline = block.pipeline(1);
    pipeline.producerAcquire();
    block.memcpyAsync(tile, 0, in, 0, 64, pipeline);
    pipeline.producerCommit();
    out.set(block.threadRank(), tile.get(block.threadRank())); // wrong
    pipeline.consumerWait();
    pipeline.consumerRelease();
  }

  @Kernel
  static void readsBytesOfAStageGood(ThreadBlock block, GlobalBytes in, GlobalInts out) {
    SharedBytes tile = block.sharedBytes(64);
    Pipeline pipeline = block.pipeline(1);
    pipeline.producerAcquire();
    block.memcpyAsync(tile, 0, in, 0, 64, pipeline);
    pipeline.producerCommit();
    pipeline.consumerWait();
    out.set(block.threadRank(), tile.get(block.threadRank()));
    pipeline.consumerRelease();
  }
}
