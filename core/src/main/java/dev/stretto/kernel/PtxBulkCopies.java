package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.BulkCopies;
import dev.stretto.kernel.machine.CopyEnds;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.memory.GlobalArray;

/**
 * The {@code cp.async.bulk} instructions of PTX: one thread starts a copy of a range of bytes
 * between global and shared memory, which bypasses the registers and continues while all threads do
 * other work. As in {@link Ptx}, there is one method for each instruction. They need compute
 * capability 9.0.
 *
 * <p>Positions are in bytes here, whatever the arrays hold. Both positions and the number of bytes
 * must be multiples of 16.
 *
 * <p>To shared memory: the barrier counts the bytes when they have arrived ({@link
 * PtxBarriers#mbarrierExpectTx}); a thread that waits for that phase may read them. To global
 * memory: a thread's copies since its last {@link #cpAsyncBulkCommitGroup()} become a group at the
 * next one. After {@link #cpAsyncBulkWaitGroupRead} of a group, its shared memory may be written
 * again; after {@link #cpAsyncBulkWaitGroup}, this thread sees the bytes in global memory. One of
 * the two must come before the block ends. Such a copy sees what threads wrote to shared memory if
 * each of them has then called {@link #fenceProxyAsyncShared()}, followed by a barrier.
 *
 * <p>A virtual device reads and writes as late as these rules allow, and keeps poison in the
 * destination until then. If a kernel breaks the rules, it throws an {@link IllegalStateException}
 * that names both lines; for an address or a number of bytes that is not allowed, it throws {@link
 * IllegalArgumentException}.
 *
 * <p>PTX ISA, "Data Movement and Conversion Instructions: cp.async.bulk".
 */
public final class PtxBulkCopies {
  private PtxBulkCopies() {}

  /**
   * {@code cp.async.bulk.shared::cluster.global}: copies to shared memory.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them
   * @param index of the barrier
   */
  @Instruction(
      value =
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [$0[1]], [$2[3]], $4,"
              + " [$5[6]];",
      sm = 90)
  public static void cpAsyncBulkToShared(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      GlobalArray from,
      @InRange(multipleOf = 16) long fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index) {
    BulkCopies.begin(to.span(), toByte, from, fromByte, bytes, barriers.span(), index);
  }

  /**
   * {@code cp.async.bulk.shared::cluster.global} with {@code .L2::cache_hint}: copies to shared
   * memory.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them
   * @param index of the barrier
   * @param policy how the level-2 cache treats the bytes, of {@link
   *     PtxCopies#createPolicyEvictFirst()} or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint"
              + " [$0[1]], [$2[3]], $4, [$5[6]], $7;",
      sm = 90)
  public static void cpAsyncBulkToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      GlobalArray from,
      @InRange(multipleOf = 16) long fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      long policy) {
    BulkCopies.begin(to.span(), toByte, from, fromByte, bytes, barriers.span(), index);
  }

  /**
   * {@code cp.async.bulk.shared::cluster.global} with {@code .multicast::cluster}: copies to the
   * same position in the shared memory of several blocks of the cluster; the barrier at the same
   * position in each of them counts the bytes.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives the bytes
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $7;",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
            + " [$0[1]], [$2[3]], $4, [$5[6]], blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      GlobalArray from,
      @InRange(multipleOf = 16) long fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    BulkCopies.beginMulticast(
        to.span(), toByte, from, fromByte, bytes, barriers.span(), index, blocks);
  }

  /**
   * {@code cp.async.bulk.shared::cluster.global} with {@code .multicast::cluster} and {@code
   * .L2::cache_hint}: the same as {@link #cpAsyncBulkToSharedMulticast} with a cache policy.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives the bytes
   * @param policy how the level-2 cache treats the bytes, of {@link
   *     PtxCopies#createPolicyEvictFirst()} or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $7;",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster"
            + ".L2::cache_hint [$0[1]], [$2[3]], $4, [$5[6]], blocks, $8;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      GlobalArray from,
      @InRange(multipleOf = 16) long fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    BulkCopies.beginMulticast(
        to.span(), toByte, from, fromByte, bytes, barriers.span(), index, blocks);
  }

  /**
   * {@code cp.async.bulk.prefetch.L2.global}: loads bytes into the level-2 cache.
   *
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(value = "cp.async.bulk.prefetch.L2.global [$0[1]], $2;", sm = 90)
  public static void cpAsyncBulkPrefetch(
      GlobalArray from,
      @InRange(multipleOf = 16) long fromByte,
      @InRange(multipleOf = 16) int bytes) {
    CopyEnds.requireUnits("cpAsyncBulkPrefetch", bytes);
    CopyEnds.global("cpAsyncBulkPrefetch", from, fromByte, CopyEnds.BULK, bytes);
  }

  /**
   * {@code cp.async.bulk.global.shared::cta}: copies to global memory.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(value = "cp.async.bulk.global.shared::cta.bulk_group [$0[1]], [$2[3]], $4;", sm = 90)
  public static void cpAsyncBulkToGlobal(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    DeviceThread.current("cpAsyncBulkToGlobal")
        .bulkStores()
        .begin(to, toByte, from.span(), fromByte, bytes);
  }

  /**
   * {@code cp.async.bulk.global.shared::cta} with {@code .L2::cache_hint}: copies to global memory.
   *
   * @param to the destination
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from the source
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param policy how the level-2 cache treats the bytes, of {@link
   *     PtxCopies#createPolicyEvictFirst()} or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [$0[1]], [$2[3]], $4, $5;",
      sm = 90)
  public static void cpAsyncBulkToGlobalCacheHint(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      long policy) {
    DeviceThread.current("cpAsyncBulkToGlobal")
        .bulkStores()
        .begin(to, toByte, from.span(), fromByte, bytes);
  }

  /**
   * {@code cp.async.bulk.commit_group}: makes a group of all copies to global memory that this
   * thread has begun since its last one; there may be none.
   */
  @Instruction(value = "cp.async.bulk.commit_group;", sm = 90)
  public static void cpAsyncBulkCommitGroup() {
    DeviceThread.current("cpAsyncBulkCommitGroup").bulkStores().commit();
  }

  /**
   * {@code cp.async.bulk.wait_group}: waits until all of this thread's groups are complete, except
   * for the newest ones.
   *
   * @param pending how many may be left, 0 or more
   */
  @Instruction(value = "cp.async.bulk.wait_group $0;", sm = 90)
  public static void cpAsyncBulkWaitGroup(@Const @InRange int pending) {
    DeviceThread.current("cpAsyncBulkWaitGroup").bulkStores().await(pending);
  }

  /**
   * {@code cp.async.bulk.wait_group.read}: waits until all of this thread's groups have read their
   * shared memory, except for the newest ones.
   *
   * @param pending how many may be left, 0 or more
   */
  @Instruction(value = "cp.async.bulk.wait_group.read $0;", sm = 90)
  public static void cpAsyncBulkWaitGroupRead(@Const @InRange int pending) {
    DeviceThread.current("cpAsyncBulkWaitGroupRead").bulkStores().awaitRead(pending);
  }

  /**
   * {@code fence.proxy.async.shared::cta}: orders this thread's earlier accesses to shared memory
   * before accesses by bulk copies and matrix units that begin later.
   */
  @Instruction(value = "fence.proxy.async.shared::cta;", sm = 90)
  public static void fenceProxyAsyncShared() {
    DeviceThread.current("fenceProxyAsyncShared").order().fenceProxy(DeviceThread.current("fence"));
  }

  /** {@code fence.proxy.async}: the same for all memory. */
  @Instruction(value = "fence.proxy.async;", sm = 90)
  public static void fenceProxyAsync() {
    DeviceThread thread = DeviceThread.current("fenceProxyAsync");
    thread.cluster().stores().fence(thread);
    thread.order().fenceProxy(thread);
  }

  /**
   * {@code elect.sync}: elects one lane of the warp. All lanes call it.
   *
   * @return true for one lane
   */
  @Instruction(
      value = {"{", ".reg .b32 lane;", "elect.sync lane|$r, 0xffffffff;", "}"},
      convergent = true,
      sm = 90)
  public static boolean electSync() {
    DeviceThread thread = DeviceThread.current("electSync");
    return thread.meetings().meet("electSync", -1, 0).first() == thread.lane();
  }
}
