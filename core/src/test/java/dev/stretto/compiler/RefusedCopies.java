package dev.stretto.compiler;

import dev.stretto.kernel.Barrier;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Pipeline;
import dev.stretto.kernel.PipelinePrimitives;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.Scope;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.TensorTiles;
import dev.stretto.kernel.ThisThread;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.TensorMap;

/**
 * What kernels cannot do with shared memory, copies and barriers, each beside a twin that says much
 * the same in the Java that kernels may use.
 */
@SuppressWarnings("unused")
final class RefusedCopies {
  private enum Width {
    NARROW,
    WIDE
  }

  private RefusedCopies() {}

  // --- promises of a copy

  @Kernel
  @Refused(
      reason = "-1 is given, but the number of elements that memcpyAsync copies has to be 0",
      advice = "such a number")
  static void negativeCount(ThreadBlock block, GlobalInts in) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 8, in, 8, -1, 16, barrier); // refused
    barrier.arriveAndWait();
  }

  @Kernel
  @Refused(
      reason = "-1 is given, but the number of elements that memcpyAsync copies has to be 0",
      advice = "such a number",
      sm = 80)
  static void negativeCountOfAGroup(ThreadBlock block, GlobalInts in, @Const int n) {
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(tile, 8, in, 8, 7 - n, 4); // refused
    block.waitAll();
  }

  @Kernel
  @Refused(reason = "-4 is given, but the index of memcpyAsync in shared memory", advice = "such")
  static void negativePlace(ThreadBlock block, GlobalInts in) {
    SharedInts tile = block.sharedInts(64);
    ThisThread.memcpyAsync(tile, -4, in, 8, 4); // refused
    block.waitAll();
  }

  @Kernel
  @Refused(reason = "-4 is given, but the index of memcpyAsync in global memory", advice = "such")
  static void negativeSource(ThreadBlock block, GlobalInts in) {
    SharedInts tile = block.sharedInts(64);
    block.warp().memcpyAsync(tile, 4, in, -4, 4); // refused
    block.waitAll();
  }

  @Kernel
  @Refused(
      reason = "-2 is given, but the number of elements of a shared array behind the last one",
      advice = "such")
  static void beyondTheEnd(ThreadBlock block, GlobalInts in, GlobalInts out) {
    SharedInts tile = block.sharedInts(64);
    block.memcpyAsync(out, 0, tile, 34, 32, 4); // refused
  }

  @Kernel
  static void withinTheArray(ThreadBlock block, GlobalInts in, GlobalInts out, @Const int n) {
    SharedInts tile = block.sharedInts(64);
    Barrier barrier = block.barrier();
    block.memcpyAsync(tile, 8, in, 8, n - 8, 16, barrier);
    block.memcpyAsync(tile, 64, in, 1L << 40, 0, 4, barrier);
    barrier.arriveAndWait();
    block.memcpyAsync(out, 0, tile, 32, 32, 4);
  }

  // --- pipelines, barriers and waits

  @Kernel
  @Refused(
      reason = "0 is given, but the number of threads of a pipeline that produce has to be 1",
      advice = "such")
  static void noProducer(ThreadBlock block, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2, 0); // refused
    out.set(0, pipeline.stages());
  }

  @Kernel
  @Refused(reason = "a pipeline of less than one stage", advice = "1 stage or more")
  static void noStage(ThreadBlock block, GlobalInts out, @Const int n) {
    Pipeline pipeline = block.pipeline(n - 8); // refused
    out.set(0, pipeline.stages());
  }

  @Kernel
  @Refused(reason = "-1 is given, but the number of stages that a wait leaves", advice = "such")
  static void leavesFewerThanNoStage(ThreadBlock block, GlobalInts out) {
    Pipeline pipeline = block.pipeline(2);
    pipeline.consumerWaitPrior(-1); // refused
    out.set(0, pipeline.stages());
  }

  @Kernel
  @Refused(reason = "-1 is given, but the number of groups that a wait leaves", advice = "such")
  static void leavesFewerThanNoGroup(ThreadBlock block, GlobalInts out) {
    PipelinePrimitives.waitPrior(-1); // refused
    out.set(0, 1);
  }

  @Kernel
  @Refused(reason = "0 is given, but the number of arrivals", advice = "such", sm = 80)
  static void noArrival(ThreadBlock block, GlobalInts out) {
    Barrier barrier = block.barrier();
    barrier.waitFor(barrier.arrive(0)); // refused
    out.set(0, 1);
  }

  @Kernel
  static void oneOfEach(ThreadBlock block, GlobalInts out) {
    Pipeline pipeline = block.pipeline(1, 1);
    pipeline.consumerWaitPrior(0);
    PipelinePrimitives.waitPrior(0);
    Barrier barrier = block.barrier();
    barrier.waitFor(barrier.arrive(1));
    out.set(0, pipeline.stages());
  }

  @Kernel
  @Refused(
      reason = "index of an array of barriers is not constant",
      advice = "use block.barrierAt(words, i)")
  static void barrierOfARunTimeIndex(ThreadBlock block, GlobalInts out, int n) {
    Barrier[] barriers = new Barrier[2];
    for (int i = 0; i < barriers.length; i++) {
      barriers[i] = block.barrier();
    }
    for (int i = 0; i < n; i++) {
      barriers[i & 1].arriveAndWait(); // refused
    }
    out.set(0, n);
  }

  @Kernel
  static void barrierAtARunTimeIndex(ThreadBlock block, GlobalInts out, int n) {
    SharedLongs words = block.sharedLongs(2);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierInit(words, 0, block.size());
      PtxBarriers.mbarrierInit(words, 1, block.size());
    }
    block.sync();
    for (int i = 0; i < n; i++) {
      block.barrierAt(words, i & 1).arriveAndWait();
    }
    out.set(0, n);
  }

  // --- what a target does not have

  @Kernel
  @Refused(
      reason = "TensorTiles.memcpyAsync needs compute capability 9.0, and the target is sm_80",
      advice = "row by row with memcpyAsync",
      sm = 80)
  static void boxOnAnOlderDevice(ThreadBlock block, TensorMap map) {
    SharedFloats tile = block.sharedFloats(64);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 0, 0, 64, full); // refused
    full.arriveAndWait();
  }

  @Kernel
  static void boxOnANewerDevice(ThreadBlock block, TensorMap map) {
    SharedFloats tile = block.sharedFloats(64);
    Barrier full = block.barrier();
    TensorTiles.memcpyAsync(block, tile, 0, map, 0, 0, 64, full);
    full.arriveAndWait();
  }

  @Kernel
  @Refused(
      reason = "barrier of Scope.CLUSTER needs compute capability 9.0",
      advice = "newer device",
      sm = 80)
  static void clusterBarrierOnAnOlderDevice(ThreadBlock block, GlobalInts out) {
    Barrier full = block.barrier(1, Scope.CLUSTER); // refused
    out.set(0, full.index());
  }

  @Kernel
  @Refused(
      reason = "Barrier.arriveExpecting needs compute capability 9.0, and the target is sm_80",
      advice = "memcpyAsync on a Barrier or a Pipeline",
      sm = 80)
  static void bytesOnAnOlderDevice(ThreadBlock block, GlobalInts out) {
    Barrier full = block.barrier();
    full.arriveExpecting(16); // refused
    out.set(0, full.index());
  }

  @Kernel
  static void clusterBarrierOnANewerDevice(ThreadBlock block, GlobalInts out) {
    Barrier full = block.barrier(1, Scope.CLUSTER);
    full.arriveExpecting(16);
    out.set(0, full.index());
  }

  // --- lengths that constants choose

  private static int length(Width width) {
    return switch (width) {
      case NARROW -> 32;
      case WIDE -> 64;
    };
  }

  private static int lengthOf(boolean wide) {
    if (wide) {
      return 64;
    }
    return 32;
  }

  @Kernel
  static void chosenLengths(ThreadBlock block, GlobalInts out, @Const int n) {
    boolean wide = n == 8;
    SharedInts chosen = block.sharedInts(wide ? 64 : 32);
    SharedInts called = block.sharedInts(lengthOf(wide));
    SharedInts ofEnum = block.sharedInts(length(Width.WIDE) * (wide ? 2 : 1));
    SharedInts least = block.sharedInts(Math.max(n, 4));
    int length = 16;
    for (int i = 0; i < n; i++) {
      length += 2;
    }
    SharedFloats counted = block.sharedFloats(length);
    Pipeline pipeline = block.pipeline(wide ? 3 : 2);
    out.set(
        0,
        chosen.length()
            + called.length()
            + ofEnum.length()
            + least.length()
            + counted.length()
            + pipeline.stages());
  }

  @Kernel
  @Refused(
      reason = "length of a shared array must be a positive constant",
      advice = "block.dynamicShared()")
  static void lengthThatADeviceChooses(ThreadBlock block, GlobalInts out, int n) {
    SharedInts chosen = block.sharedInts(n > 0 ? 64 : 32); // refused
    out.set(0, chosen.length());
  }

  @Kernel
  @Refused(
      reason = "length of a shared array must be a positive constant",
      advice = "block.dynamicShared()")
  static void lengthOfNothing(ThreadBlock block, GlobalInts out, @Const int n) {
    SharedInts chosen = block.sharedInts(n == 8 ? 0 : 32); // refused
    out.set(0, chosen.length());
  }

  @Kernel
  @Refused(reason = "a shared array has two lengths, 16 and 32", advice = "before the loop")
  static void twoLengthsOfOnePlace(ThreadBlock block, GlobalInts out, @Const int n) {
    for (int i = 0; i < 2; i++) {
      SharedInts chosen = block.sharedInts(i == 0 ? 16 : 32); // refused
      chosen.set(block.threadRank(), i);
      out.set(i, chosen.get(0));
    }
  }

  // --- shared memory that a block does not have

  @Kernel
  @Refused(
      reason =
          "take 400000 bytes, this one 400000 of them, and a block has at most 232448 on sm_90",
      advice = "smaller")
  static void moreThanABlockHas(ThreadBlock block, GlobalInts out) {
    SharedFloats all = block.sharedFloats(100_000); // refused
    all.set(block.threadRank(), 1);
    out.set(0, all.length());
  }

  @Kernel
  @Refused(reason = "a block has at most 166912 on sm_80", advice = "smaller", sm = 80)
  static void moreThanABlockHasTogether(ThreadBlock block, GlobalInts out) {
    SharedFloats few = block.sharedFloats(10_000);
    SharedFloats many = block.sharedFloats(40_000); // refused
    few.set(block.threadRank(), 1);
    many.set(block.threadRank(), 1);
    out.set(0, many.length());
  }

  @Kernel
  static void allThatABlockHas(ThreadBlock block, GlobalInts out) {
    SharedFloats all = block.sharedFloats(232_448 / 4);
    all.set(block.threadRank(), 1);
    out.set(0, all.length());
  }
}
