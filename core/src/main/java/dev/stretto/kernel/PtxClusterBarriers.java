package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Mbarrier;

/**
 * The {@code mbarrier} instructions of PTX in the scope of a cluster that {@link PtxClusters} does
 * not have: arrivals that make nothing known, arrivals for the last time, bytes that count as
 * arrived, waits for a time, and questions for a parity. As in {@link Ptx}, there is one method for
 * each instruction; one whose name ends with {@code At} takes the calling block's array and the
 * other block's rank, and begins with {@code mapa}. They need compute capability 9.0.
 *
 * <p>An arrival that is relaxed makes nothing known: a thread that waits for the phase need not see
 * what the arriving one wrote before, unless that has called {@link Ptx#fenceAcqRel} in between. A
 * wait that is relaxed learns nothing without a fence behind it. A kernel with one is written in
 * PTX 8.6, which drivers have since CUDA 12.7.
 *
 * <p>PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".
 */
public final class PtxClusterBarriers {
  private PtxClusterBarriers() {}

  private static Mbarrier own(String what, SharedLongs barriers, int index) {
    return DeviceThread.current(what).mbarriers().at(what, barriers.span(), index);
  }

  private static Mbarrier remote(String what, SharedLongs barriers, int index, int block) {
    DeviceThread thread = DeviceThread.current(what);
    return thread
        .cluster()
        .block(what, block)
        .mbarrier(what, thread.block(), barriers.span(), index);
  }

  /**
   * {@code mbarrier.arrive.relaxed.cluster}: arrives once at a barrier of this block, and makes
   * nothing known.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @return the phase, to wait for
   */
  @Instruction(value = "mbarrier.arrive.relaxed.cluster.shared::cta.b64 $r, [$0[1]];", sm = 90)
  public static long mbarrierArriveRelaxedCluster(SharedLongs barriers, int index) {
    return own("mbarrierArriveRelaxedCluster", barriers, index)
        .arriveRelaxed("mbarrierArriveRelaxedCluster", 1);
  }

  /**
   * {@code mbarrier.arrive.relaxed.cluster.shared::cluster}: arrives once at a barrier of a block
   * of the cluster, and makes nothing known.
   *
   * @param barriers holds the barrier, at the same position in each block
   * @param index of the barrier
   * @param block the rank of the block that owns it, 0 to {@link PtxClusters#clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 remote;",
        "mapa.shared::cluster.u32 remote, $&0[1], $2;",
        "mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [remote];",
        "}"
      },
      sm = 90)
  public static void mbarrierArriveRelaxedAt(SharedLongs barriers, int index, int block) {
    remote("mbarrierArriveRelaxedAt", barriers, index, block)
        .arriveRelaxed("mbarrierArriveRelaxedAt", 1);
  }

  /**
   * {@code mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster}: makes the current phase of a
   * barrier of a block of the cluster wait for additional bytes, and arrives there once; it makes
   * nothing known.
   *
   * @param barriers holds the barrier, at the same position in each block
   * @param index of the barrier
   * @param bytes how many, 0 to {@link PtxBarriers#MOST}
   * @param block the rank of the block that owns it, 0 to {@link PtxClusters#clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 remote;",
        "mapa.shared::cluster.u32 remote, $&0[1], $3;",
        "mbarrier.arrive.expect_tx.relaxed.cluster.shared::cluster.b64 _, [remote], $2;",
        "}"
      },
      sm = 90)
  public static void mbarrierArriveExpectTxRelaxedAt(
      SharedLongs barriers, int index, @InRange(to = PtxBarriers.MOST) int bytes, int block) {
    Mbarrier barrier = remote("mbarrierArriveExpectTxRelaxedAt", barriers, index, block);
    barrier.expect("mbarrierArriveExpectTxRelaxedAt", bytes);
    barrier.arriveRelaxed("mbarrierArriveExpectTxRelaxedAt", 1);
  }

  /**
   * {@code mbarrier.arrive_drop.release.cluster.shared::cluster}: arrives once at a barrier of a
   * block of the cluster, and for the last time: later phases need one arrival fewer.
   *
   * @param barriers holds the barrier, at the same position in each block
   * @param index of the barrier
   * @param block the rank of the block that owns it, 0 to {@link PtxClusters#clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 remote;",
        "mapa.shared::cluster.u32 remote, $&0[1], $2;",
        "mbarrier.arrive_drop.release.cluster.shared::cluster.b64 _, [remote];",
        "}"
      },
      sm = 90)
  public static void mbarrierArriveDropAt(SharedLongs barriers, int index, int block) {
    remote("mbarrierArriveDropAt", barriers, index, block)
        .arriveDrop("mbarrierArriveDropAt", 1, true);
  }

  /**
   * {@code mbarrier.arrive_drop.relaxed.cluster.shared::cluster}: the same, but it makes nothing
   * known.
   *
   * @param barriers holds the barrier, at the same position in each block
   * @param index of the barrier
   * @param block the rank of the block that owns it, 0 to {@link PtxClusters#clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 remote;",
        "mapa.shared::cluster.u32 remote, $&0[1], $2;",
        "mbarrier.arrive_drop.relaxed.cluster.shared::cluster.b64 _, [remote];",
        "}"
      },
      sm = 90)
  public static void mbarrierArriveDropRelaxedAt(SharedLongs barriers, int index, int block) {
    remote("mbarrierArriveDropRelaxedAt", barriers, index, block)
        .arriveDropRelaxed("mbarrierArriveDropRelaxedAt");
  }

  /**
   * {@code mbarrier.complete_tx.relaxed.cluster.shared::cluster}: counts bytes as arrived at a
   * barrier of a block of the cluster, as if a copy had brought them.
   *
   * @param barriers holds the barrier, at the same position in each block
   * @param index of the barrier
   * @param bytes how many, 0 to {@link PtxBarriers#MOST}
   * @param block the rank of the block that owns it, 0 to {@link PtxClusters#clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 remote;",
        "mapa.shared::cluster.u32 remote, $&0[1], $3;",
        "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [remote], $2;",
        "}"
      },
      sm = 90)
  public static void mbarrierCompleteTxAt(
      SharedLongs barriers, int index, @InRange(to = PtxBarriers.MOST) int bytes, int block) {
    remote("mbarrierCompleteTxAt", barriers, index, block)
        .completeTx("mbarrierCompleteTxAt", bytes);
  }

  /**
   * {@code mbarrier.test_wait.parity.acquire.cluster}: like {@link
   * PtxBarriers#mbarrierTestWaitParity}, and also makes visible what threads of other blocks wrote
   * before they arrived.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.test_wait.parity.acquire.cluster.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTestWaitParityAcquireCluster(
      SharedLongs barriers, int index, @InRange(to = 1) int parity) {
    return PtxBarriers.mbarrierTestWaitParity(barriers, index, parity);
  }

  /**
   * {@code mbarrier.try_wait.acquire.cluster} with a time: like {@link
   * PtxBarriers#mbarrierTryWait(SharedLongs, int, long, int)}, and also makes visible what threads
   * of other blocks wrote before they arrived.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @param nanoseconds the approximate limit, 0 or more
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.acquire.cluster.shared::cta.b64 $r, [$0[1]], $2, $3;",
      sm = 90)
  public static boolean mbarrierTryWaitAcquireCluster(
      SharedLongs barriers,
      int index,
      long state,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return PtxBarriers.mbarrierTryWait(barriers, index, state, nanoseconds);
  }

  /**
   * {@code mbarrier.try_wait.parity.acquire.cluster} with a time: like {@link
   * PtxBarriers#mbarrierTryWaitParity(SharedLongs, int, int, int)}, and also makes visible what
   * threads of other blocks wrote before they arrived.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @param nanoseconds the approximate limit, 0 or more
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 $r, [$0[1]], $2, $3;",
      sm = 90)
  public static boolean mbarrierTryWaitParityAcquireCluster(
      SharedLongs barriers,
      int index,
      @InRange(to = 1) int parity,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return PtxBarriers.mbarrierTryWaitParity(barriers, index, parity, nanoseconds);
  }

  /**
   * {@code mbarrier.test_wait.relaxed.cluster}: like {@link
   * PtxBarriers#mbarrierTestWaitRelaxed(SharedLongs, int, long)}, also where threads of other
   * blocks arrive.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.test_wait.relaxed.cluster.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTestWaitRelaxedCluster(
      SharedLongs barriers, int index, long state) {
    return own("mbarrierTestWaitRelaxedCluster", barriers, index)
        .relaxed()
        .test("mbarrierTestWaitRelaxedCluster", state);
  }

  /**
   * {@code mbarrier.test_wait.parity.relaxed.cluster}: like {@link
   * PtxBarriers#mbarrierTestWaitParityRelaxed(SharedLongs, int, int)}, also where threads of other
   * blocks arrive.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.test_wait.parity.relaxed.cluster.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTestWaitParityRelaxedCluster(
      SharedLongs barriers, int index, @InRange(to = 1) int parity) {
    return own("mbarrierTestWaitParityRelaxedCluster", barriers, index)
        .relaxed()
        .testParity("mbarrierTestWaitParityRelaxedCluster", parity);
  }

  /**
   * {@code mbarrier.try_wait.relaxed.cluster}: like {@link
   * PtxBarriers#mbarrierTryWaitRelaxed(SharedLongs, int, long)}, also where threads of other blocks
   * arrive.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.relaxed.cluster.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTryWaitRelaxedCluster(SharedLongs barriers, int index, long state) {
    return own("mbarrierTryWaitRelaxedCluster", barriers, index)
        .relaxed()
        .tryWait("mbarrierTryWaitRelaxedCluster", state);
  }

  /**
   * {@code mbarrier.try_wait.relaxed.cluster} with a time: like {@link
   * PtxBarriers#mbarrierTryWaitRelaxed(SharedLongs, int, long, int)}, also where threads of other
   * blocks arrive.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @param nanoseconds the approximate limit, 0 or more
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.relaxed.cluster.shared::cta.b64 $r, [$0[1]], $2, $3;",
      sm = 90)
  public static boolean mbarrierTryWaitRelaxedCluster(
      SharedLongs barriers,
      int index,
      long state,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return own("mbarrierTryWaitRelaxedCluster", barriers, index)
        .relaxed()
        .tryWaitFor("mbarrierTryWaitRelaxedCluster", state, nanoseconds);
  }

  /**
   * {@code mbarrier.try_wait.parity.relaxed.cluster}: like {@link
   * PtxBarriers#mbarrierTryWaitParityRelaxed(SharedLongs, int, int)}, also where threads of other
   * blocks arrive.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTryWaitParityRelaxedCluster(
      SharedLongs barriers, int index, @InRange(to = 1) int parity) {
    return own("mbarrierTryWaitParityRelaxedCluster", barriers, index)
        .relaxed()
        .tryWaitParity("mbarrierTryWaitParityRelaxedCluster", parity);
  }

  /**
   * {@code mbarrier.try_wait.parity.relaxed.cluster} with a time: like {@link
   * PtxBarriers#mbarrierTryWaitParityRelaxed(SharedLongs, int, int, int)}, also where threads of
   * other blocks arrive.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param parity 0 or 1
   * @param nanoseconds the approximate limit, 0 or more
   * @return whether the phase has ended
   */
  @Instruction(
      value = "mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 $r, [$0[1]], $2, $3;",
      sm = 90)
  public static boolean mbarrierTryWaitParityRelaxedCluster(
      SharedLongs barriers,
      int index,
      @InRange(to = 1) int parity,
      @InRange(to = Integer.MAX_VALUE) int nanoseconds) {
    return own("mbarrierTryWaitParityRelaxedCluster", barriers, index)
        .relaxed()
        .tryWaitParityFor("mbarrierTryWaitParityRelaxedCluster", parity, nanoseconds);
  }
}
