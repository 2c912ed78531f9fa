package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.BulkCopies;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.kernel.machine.Mbarrier;
import java.lang.foreign.MemorySegment;

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
 * <p>A kernel with {@code st.async} is written in PTX 8.1, which drivers have since CUDA 12.1; all
 * others in PTX 8.0.
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
   * {@code mbarrier.expect_tx.relaxed.cluster.shared::cluster}: makes the current phase of a
   * barrier object of a block of the cluster wait for additional bytes. It is no arrival.
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
        "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [remote], $2;",
        "}"
      },
      sm = 90)
  public static void mbarrierExpectTxAt(
      SharedLongs barriers, int index, @InRange(to = PtxBarriers.MOST) int bytes, int block) {
    remote("mbarrierExpectTxAt", barriers, index, block).expect("mbarrierExpectTxAt", bytes);
  }

  /**
   * {@code cp.async.bulk.shared::cluster.shared::cta}: begins to copy bytes of this block's shared
   * memory to a block of the cluster, whose barrier counts them. Both positions and the number of
   * bytes are multiples of 16.
   *
   * <p>The copy sees what threads wrote if each has then called {@link
   * PtxBulkCopies#fenceProxyAsyncShared()}, followed by a barrier. Nothing may write these bytes
   * again, and this block may not return, before a thread of the other block has waited at its
   * barrier and let this block know, with a barrier of the cluster or an arrival at one of its
   * barriers.
   *
   * @param to the destination, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that gets the bytes, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block, or a position
   *     or the number of bytes is not a multiple of 16
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such bytes
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 to, barrier;",
        "mapa.shared::cluster.u32 to, $&0[1], $7;",
        "mapa.shared::cluster.u32 barrier, $&5[6], $7;",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [to], [$2[3]], $4,"
            + " [barrier];",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkToBlock(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BulkCopies.beginToBlock(
        to.span(), toByte, from.span(), fromByte, bytes, barriers.span(), index, block);
  }

  /**
   * {@code st.async}: begins to set an element of an array of a block of the cluster, whose barrier
   * counts the four bytes. A thread that waits for that phase of the barrier sees the element.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the new value
   * @param barriers holds the barrier that counts the bytes, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such element
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 to, barrier;",
        "mapa.shared::cluster.u32 to, $&0[1], $5;",
        "mapa.shared::cluster.u32 barrier, $&3[4], $5;",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [to], $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void stAsync(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BulkCopies.storeInBlock(
        "stAsync",
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code st.async}: begins to set an element of an array of a block of the cluster, whose barrier
   * counts the four bytes. A thread that waits for that phase of the barrier sees the element.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the new value
   * @param barriers holds the barrier that counts the bytes, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such element
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 to, barrier;",
        "mapa.shared::cluster.u32 to, $&0[1], $5;",
        "mapa.shared::cluster.u32 barrier, $&3[4], $5;",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f32 [to], $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void stAsync(
      SharedFloats to, int element, float value, SharedLongs barriers, int index, int block) {
    BulkCopies.storeInBlock(
        "stAsync",
        to.span(),
        element,
        MemorySegment.ofArray(new float[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code st.async}: begins to set an element of an array of a block of the cluster, whose barrier
   * counts the eight bytes. A thread that waits for that phase of the barrier sees the element.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the new value
   * @param barriers holds the barrier that counts the bytes, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such element
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 to, barrier;",
        "mapa.shared::cluster.u32 to, $&0[1], $5;",
        "mapa.shared::cluster.u32 barrier, $&3[4], $5;",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u64 [to], $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void stAsync(
      SharedLongs to, int element, long value, SharedLongs barriers, int index, int block) {
    BulkCopies.storeInBlock(
        "stAsync",
        to.span(),
        element,
        MemorySegment.ofArray(new long[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code st.async}: begins to set an element of an array of a block of the cluster, whose barrier
   * counts the eight bytes. A thread that waits for that phase of the barrier sees the element.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the new value
   * @param barriers holds the barrier that counts the bytes, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such element
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 to, barrier;",
        "mapa.shared::cluster.u32 to, $&0[1], $5;",
        "mapa.shared::cluster.u32 barrier, $&3[4], $5;",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.f64 [to], $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void stAsync(
      SharedDoubles to, int element, double value, SharedLongs barriers, int index, int block) {
    BulkCopies.storeInBlock(
        "stAsync",
        to.span(),
        element,
        MemorySegment.ofArray(new double[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code st.async.v4}: begins to set four elements of an array of a block of the cluster, whose
   * barrier counts the 16 bytes. Like {@link #stAsync(SharedInts, int, int, SharedLongs, int,
   * int)}.
   *
   * @param to the array, at the same place in each block
   * @param element the index of the first; its place is a multiple of 16 bytes
   * @param a the first value
   * @param b the second value
   * @param c the third value
   * @param d the fourth value
   * @param barriers holds the barrier that counts the bytes, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block, or the place
   *     is not a multiple of 16 bytes
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 to, barrier;",
        "mapa.shared::cluster.u32 to, $&0[1], $8;",
        "mapa.shared::cluster.u32 barrier, $&6[7], $8;",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [to], {$2, $3, $4, $5},"
            + " [barrier];",
        "}"
      },
      sm = 90)
  public static void stAsync4(
      SharedInts to,
      int element,
      int a,
      int b,
      int c,
      int d,
      SharedLongs barriers,
      int index,
      int block) {
    BulkCopies.storeInBlock(
        "stAsync4",
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {a, b, c, d}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code st.async.v4}: begins to set four elements of an array of a block of the cluster, whose
   * barrier counts the 16 bytes. Like {@link #stAsync(SharedFloats, int, float, SharedLongs, int,
   * int)}.
   *
   * @param to the array, at the same place in each block
   * @param element the index of the first; its place is a multiple of 16 bytes
   * @param a the first value
   * @param b the second value
   * @param c the third value
   * @param d the fourth value
   * @param barriers holds the barrier that counts the bytes, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link #clusterBlocks()} - 1
   * @throws IllegalArgumentException on a virtual device, if there is no such block, or the place
   *     is not a multiple of 16 bytes
   * @throws IndexOutOfBoundsException on a virtual device, if an array has no such elements
   * @throws IllegalStateException on a virtual device, if the block's threads have all returned
   */
  @Instruction(
      value = {
        "{",
        ".reg .b32 to, barrier;",
        "mapa.shared::cluster.u32 to, $&0[1], $8;",
        "mapa.shared::cluster.u32 barrier, $&6[7], $8;",
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [to], {$2, $3, $4, $5},"
            + " [barrier];",
        "}"
      },
      sm = 90)
  public static void stAsync4(
      SharedFloats to,
      int element,
      float a,
      float b,
      float c,
      float d,
      SharedLongs barriers,
      int index,
      int block) {
    BulkCopies.storeInBlock(
        "stAsync4",
        to.span(),
        element,
        MemorySegment.ofArray(new float[] {a, b, c, d}),
        barriers.span(),
        index,
        block);
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
    return thread
        .cluster()
        .block(what, block)
        .mbarrier(what, thread.block(), barriers.span(), index);
  }
}
