package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.BlockState;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Mbarrier;

/**
 * The instructions of PTX for clusters: blocks that run at the same time and reach each other's
 * shared memory. As {@link Ptx}, one method for each instruction; where one needs the address of
 * another block's shared memory, the method takes the array of the block that calls and the other
 * block's number, and begins with {@code mapa}. They need compute capability 9.0; {@code
 * Grid.withCluster} says how many blocks a cluster has.
 *
 * <p>No block may return while others still use its shared memory: a cluster's last act is {@link
 * #barrierClusterArrive()} and {@link #barrierClusterWait()}.
 *
 * <p>A virtual device counts threads through the cluster in what it reports. PTX ISA, "Parallel
 * Synchronization and Communication Instructions: barrier.cluster", "mapa".
 */
public final class PtxClusters {
  private PtxClusters() {}

  private static DeviceThread thread(String what) {
    return DeviceThread.current(what);
  }

  /** {@return {@code %cluster_ctarank}: which block of its cluster this is, x first} */
  @Instruction(value = "mov.u32 $r, %cluster_ctarank;", pure = true, sm = 90)
  public static int clusterBlockRank() {
    return thread("clusterBlockRank").block().number();
  }

  /** {@return {@code %cluster_nctarank}: how many blocks the cluster has} */
  @Instruction(value = "mov.u32 $r, %cluster_nctarank;", pure = true, sm = 90)
  public static int clusterBlocks() {
    return thread("clusterBlocks").cluster().blocks().length;
  }

  /**
   * {@code barrier.cluster.arrive}: arrives at the barrier of all threads of the cluster. {@link
   * #barrierClusterWait()} has to come before the next arrival.
   *
   * @throws IllegalStateException on a virtual device, if it has not
   */
  @Instruction(value = "barrier.cluster.arrive;", convergent = true, sm = 90)
  public static void barrierClusterArrive() {
    DeviceThread thread = thread("barrierClusterArrive");
    thread.cluster().clusterBarrier().arrive(thread, true);
  }

  /**
   * {@code barrier.cluster.arrive.relaxed}: the same, and others do not see by it what this thread
   * has done.
   */
  @Instruction(value = "barrier.cluster.arrive.relaxed;", convergent = true, sm = 90)
  public static void barrierClusterArriveRelaxed() {
    DeviceThread thread = thread("barrierClusterArriveRelaxed");
    thread.cluster().clusterBarrier().arrive(thread, false);
  }

  /**
   * {@code barrier.cluster.wait}: waits until all threads of the cluster have arrived, those that
   * have returned left out.
   *
   * @throws IllegalStateException on a virtual device, if this thread has not arrived
   */
  @Instruction(value = "barrier.cluster.wait;", convergent = true, sm = 90)
  public static void barrierClusterWait() {
    DeviceThread thread = thread("barrierClusterWait");
    thread.cluster().clusterBarrier().await(thread);
  }

  /**
   * {@code fence.mbarrier_init.release.cluster}: other blocks may use the barrier objects that this
   * thread has made, after the next barrier of the cluster.
   */
  @Instruction(value = "fence.mbarrier_init.release.cluster;", sm = 90)
  public static void fenceMbarrierInit() {
    DeviceThread thread = thread("fenceMbarrierInit");
    thread.mbarriers().fence(thread);
  }

  /**
   * {@code mbarrier.arrive.release.cluster.shared::cluster}: arrives once at a barrier object of a
   * block of the cluster.
   *
   * @param barriers has the barrier, at the same place in each block
   * @param index of it
   * @param block whose it is, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 remote;",
        "mapa.shared::cluster.u32 remote, $&0[1], $2;",
        "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [remote];",
        "}"
      },
      sm = 90)
  public static void mbarrierArriveAt(SharedLongs barriers, int index, int block) {
    remote("mbarrierArriveAt", barriers, index, block).arrive("mbarrierArriveAt", 1, true);
  }

  /**
   * {@code mbarrier.arrive.release.cta.shared::cluster}: as {@link #mbarrierArriveAt}, for a thread
   * that has nothing to show the other block, but says that it needs something no more: that it has
   * waited for products of matrices, or read for the last time what the other block's copies bring.
   * What it has written the other block need not see.
   *
   * @param barriers has the barrier, at the same place in each block
   * @param index of it
   * @param block whose it is, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 remote;",
        "mapa.shared::cluster.u32 remote, $&0[1], $2;",
        "mbarrier.arrive.release.cta.shared::cluster.b64 _, [remote];",
        "}"
      },
      sm = 90)
  public static void mbarrierArriveReleaseBlockAt(SharedLongs barriers, int index, int block) {
    remote("mbarrierArriveReleaseBlockAt", barriers, index, block)
        .arrive("mbarrierArriveReleaseBlockAt", 1, true);
  }

  /**
   * {@code mbarrier.arrive.expect_tx.release.cluster.shared::cluster}: the phase of a barrier
   * object of a block of the cluster waits for so many bytes more; arrives there once.
   *
   * @param barriers has the barrier, at the same place in each block
   * @param index of it
   * @param bytes how many, 0 to {@link PtxBarriers#MOST}
   * @param block whose it is
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 remote;",
        "mapa.shared::cluster.u32 remote, $&0[1], $3;",
        "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64 _, [remote], $2;",
        "}"
      },
      sm = 90)
  public static void mbarrierArriveExpectTxAt(
      SharedLongs barriers, int index, @InRange(to = PtxBarriers.MOST) int bytes, int block) {
    Mbarrier barrier = remote("mbarrierArriveExpectTxAt", barriers, index, block);
    barrier.expect("mbarrierArriveExpectTxAt", bytes);
    barrier.arrive("mbarrierArriveExpectTxAt", 1, true);
  }

  /**
   * {@code mbarrier.try_wait.parity.acquire.cluster}: as {@link
   * PtxBarriers#mbarrierTryWaitParity(SharedLongs, int, int)}, and what threads of other blocks did
   * before they arrived is seen.
   *
   * @param barriers has the barrier
   * @param index of it
   * @param parity 0 or 1
   * @return whether the phase has ended; if not, try again
   */
  @Instruction(
      value = "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTryWaitParityAcquireCluster(
      SharedLongs barriers, int index, @InRange(to = 1) int parity) {
    return PtxBarriers.mbarrierTryWaitParity(barriers, index, parity);
  }

  /**
   * {@code mbarrier.try_wait.acquire.cluster}: as {@link PtxBarriers#mbarrierTryWait}, and what
   * threads of other blocks did before they arrived is seen.
   *
   * @param barriers has the barrier
   * @param index of it
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether it has ended; if not, try again
   */
  @Instruction(
      value = "mbarrier.try_wait.acquire.cluster.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTryWaitAcquireCluster(SharedLongs barriers, int index, long state) {
    return PtxBarriers.mbarrierTryWait(barriers, index, state);
  }

  /**
   * {@code mbarrier.test_wait.acquire.cluster}: as {@link PtxBarriers#mbarrierTestWait}, and what
   * threads of other blocks did before they arrived is seen.
   *
   * @param barriers has the barrier
   * @param index of it
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether it has
   */
  @Instruction(
      value = "mbarrier.test_wait.acquire.cluster.shared::cta.b64 $r, [$0[1]], $2;",
      sm = 90)
  public static boolean mbarrierTestWaitAcquireCluster(
      SharedLongs barriers, int index, long state) {
    return PtxBarriers.mbarrierTestWait(barriers, index, state);
  }

  private static Mbarrier remote(String what, SharedLongs barriers, int index, int block) {
    DeviceThread thread = thread(what);
    BlockState[] blocks = thread.cluster().blocks();
    if (block < 0 || block >= blocks.length) {
      throw new IllegalArgumentException(
          what + " to block " + block + " of a cluster of " + blocks.length);
    }
    return blocks[block].mbarrier(what, thread.block(), barriers.span(), index);
  }
}
