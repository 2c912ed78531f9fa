package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.BlockState;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Mbarrier;

/**
 * The instructions of PTX for clusters: blocks that run at the same time and can access each
 * other's shared memory. As in {@link Ptx}, there is one method for each instruction; if an
 * instruction needs the address of another block's shared memory, the method takes the calling
 * block's array and the other block's rank, and begins with {@code mapa}. They need compute
 * capability 9.0; {@code Grid.withCluster} sets how many blocks a cluster has.
 *
 * <p>No block may return while others still use its shared memory: a cluster's last act is {@link
 * #barrierClusterArrive()} and {@link #barrierClusterWait()}.
 *
 * <p>In its reports, a virtual device numbers threads through the whole cluster. PTX ISA, "Parallel
 * Synchronization and Communication Instructions: barrier.cluster", "mapa".
 */
public final class PtxClusters {
  private PtxClusters() {}

  private static DeviceThread thread(String what) {
    return DeviceThread.current(what);
  }

  /**
   * {@return {@code %cluster_ctarank}: the rank of this block in its cluster, with x varying
   * fastest}
   */
  @Instruction(value = "mov.u32 $r, %cluster_ctarank;", pure = true, sm = 90)
  public static int clusterBlockRank() {
    return thread("clusterBlockRank").block().number();
  }

  /** {@return {@code %cluster_nctarank}: the number of blocks in the cluster} */
  @Instruction(value = "mov.u32 $r, %cluster_nctarank;", pure = true, sm = 90)
  public static int clusterBlocks() {
    return thread("clusterBlocks").cluster().blocks().length;
  }

  /**
   * {@code barrier.cluster.arrive}: arrives at the barrier of all threads of the cluster. {@link
   * #barrierClusterWait()} must come before the next arrival.
   *
   * @throws IllegalStateException on a virtual device, if it has not
   */
  @Instruction(value = "barrier.cluster.arrive;", convergent = true, sm = 90)
  public static void barrierClusterArrive() {
    DeviceThread thread = thread("barrierClusterArrive");
    thread.cluster().clusterBarrier().arrive(thread, true);
  }

  /**
   * {@code barrier.cluster.arrive.relaxed}: the same, but this arrival does not make this thread's
   * writes visible to others.
   */
  @Instruction(value = "barrier.cluster.arrive.relaxed;", convergent = true, sm = 90)
  public static void barrierClusterArriveRelaxed() {
    DeviceThread thread = thread("barrierClusterArriveRelaxed");
    thread.cluster().clusterBarrier().arrive(thread, false);
  }

  /**
   * {@code barrier.cluster.wait}: waits until all threads of the cluster have arrived, except those
   * that have returned.
   *
   * @throws IllegalStateException on a virtual device, if this thread has not arrived
   */
  @Instruction(value = "barrier.cluster.wait;", convergent = true, sm = 90)
  public static void barrierClusterWait() {
    DeviceThread thread = thread("barrierClusterWait");
    thread.cluster().clusterBarrier().await(thread);
  }

  /**
   * {@code fence.mbarrier_init.release.cluster}: makes the barrier objects that this thread has
   * initialized usable by other blocks after the next barrier of the cluster.
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
   * @param barriers holds the barrier, at the same position in each block
   * @param index of the barrier
   * @param block the rank of the block that owns it, 0 to {@link #clusterBlocks()} - 1
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
   * {@code mbarrier.arrive.release.cta.shared::cluster}: like {@link #mbarrierArriveAt}, for a
   * thread that only signals that it no longer needs something: for example, that it has waited for
   * matrix products, or has read for the last time what the other block's copies bring. The other
   * block need not see this thread's writes.
   *
   * @param barriers holds the barrier, at the same position in each block
   * @param index of the barrier
   * @param block the rank of the block that owns it, 0 to {@link #clusterBlocks()} - 1
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
   * {@code mbarrier.arrive.expect_tx.release.cluster.shared::cluster}: makes the current phase of a
   * barrier object of a block of the cluster wait for additional bytes, and arrives there once.
   *
   * @param barriers holds the barrier, at the same position in each block
   * @param index of the barrier
   * @param bytes how many, 0 to {@link PtxBarriers#MOST}
   * @param block the rank of the block that owns it
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
   * {@code mbarrier.try_wait.parity.acquire.cluster}: like {@link
   * PtxBarriers#mbarrierTryWaitParity(SharedLongs, int, int)}, and also makes visible what threads
   * of other blocks wrote before they arrived.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
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
   * {@code mbarrier.try_wait.acquire.cluster}: like {@link PtxBarriers#mbarrierTryWait}, and also
   * makes visible what threads of other blocks wrote before they arrived.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
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
   * {@code mbarrier.test_wait.acquire.cluster}: like {@link PtxBarriers#mbarrierTestWait}, and also
   * makes visible what threads of other blocks wrote before they arrived.
   *
   * @param barriers holds the barrier
   * @param index of the barrier
   * @param state of the current phase or of the one before, as an arrival has returned it
   * @return whether the phase has ended
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
