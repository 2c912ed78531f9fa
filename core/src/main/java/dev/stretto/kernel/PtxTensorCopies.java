// Generated from tools/families/PtxTensorCopies.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.TensorCopies;
import dev.stretto.memory.TensorMap;

/**
 * The {@code cp.async.bulk.tensor} instructions of PTX: one thread makes the tensor memory
 * accelerator (TMA) copy a box of a tensor between global and shared memory; a {@link TensorMap}
 * gives the tensor's extents and strides. As in {@link Ptx}, there is one method for each
 * instruction, here with one to five coordinates each. They need compute capability 9.0.
 *
 * <p>A box's position in shared memory is in bytes and must be a multiple of 128; the box takes
 * {@link TensorMap#sharedBytes()} from there. In kernels that call these methods, shared arrays of
 * 16 bytes and more begin at a multiple of 1024 bytes, so that a swizzle's pattern begins with the
 * array.
 *
 * <p>Copies to shared memory complete on a barrier, which must expect {@link TensorMap#boxBytes()},
 * including the bytes of elements outside the tensor. Copies and reductions to global memory belong
 * to the same groups as those of {@link PtxBulkCopies#cpAsyncBulkToGlobal}, and the same rules
 * apply: before them, each thread that has written to the box calls {@link
 * PtxBulkCopies#fenceProxyAsyncShared()}, followed by a barrier; after them comes a wait.
 *
 * <p>In the innermost dimension a box must begin at a multiple of 16 bytes, and a box that is
 * written must not begin at a negative position: otherwise an H200 stops with an illegal
 * instruction, and a virtual device throws {@link IllegalArgumentException}.
 *
 * <p>PTX ISA, "Data Movement and Conversion Instructions: cp.async.bulk.tensor", "Tensors".
 */
public final class PtxTensorCopies {
  /** How an element of global memory and one of the box are combined. */
  public enum Reduction {
    /** The sum: for 32-bit integers, {@code UINT64} and floating-point numbers. */
    ADD,
    /** The smaller one: for integers, {@code FLOAT16} and {@code BFLOAT16}. */
    MIN,
    /** The larger one: for integers, {@code FLOAT16} and {@code BFLOAT16}. */
    MAX,
    /** One more, or 0 if it was not less than the box's: for {@code UINT32}. */
    INC,
    /** One less, or the box's if it was 0 or greater than the box's: for {@code UINT32}. */
    DEC,
    /** The bits that both have: for 32-bit integers and {@code UINT64}. */
    AND,
    /** The bits that at least one has: for 32-bit integers and {@code UINT64}. */
    OR,
    /** The bits that exactly one has: for 32-bit integers and {@code UINT64}. */
    XOR
  }

  private PtxTensorCopies() {}

  // --- to shared memory
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.bulk.tensor.1d.shared::cluster.global}: copies a box of a tensor of one
   * dimension to shared memory.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + " [$0[1]], [$2, {$3}], [$4[5]];",
      sm = 90)
  public static void cpAsyncBulkTensorToShared(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      SharedLongs barriers,
      int index) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x);
  }

  /**
   * {@code cp.async.bulk.tensor.2d.shared::cluster.global}: copies a box of a tensor of two
   * dimensions to shared memory.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + " [$0[1]], [$2, {$3, $4}], [$5[6]];",
      sm = 90)
  public static void cpAsyncBulkTensorToShared(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      SharedLongs barriers,
      int index) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x, y);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.shared::cluster.global}: copies a box of a tensor of three
   * dimensions to shared memory.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + " [$0[1]], [$2, {$3, $4, $5}], [$6[7]];",
      sm = 90)
  public static void cpAsyncBulkTensorToShared(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      SharedLongs barriers,
      int index) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x, y, z);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.shared::cluster.global}: copies a box of a tensor of four
   * dimensions to shared memory.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + " [$0[1]], [$2, {$3, $4, $5, $6}], [$7[8]];",
      sm = 90)
  public static void cpAsyncBulkTensorToShared(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      SharedLongs barriers,
      int index) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x, y, z, u);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.shared::cluster.global}: copies a box of a tensor of five
   * dimensions to shared memory.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + " [$0[1]], [$2, {$3, $4, $5, $6, $7}], [$8[9]];",
      sm = 90)
  public static void cpAsyncBulkTensorToShared(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      SharedLongs barriers,
      int index) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x, y, z, u, v);
  }

  /**
   * {@code cp.async.bulk.tensor.1d.shared::cluster.global}: the same, with {@code .L2::cache_hint}.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + ".L2::cache_hint [$0[1]], [$2, {$3}], [$4[5]], $6;",
      sm = 90)
  public static void cpAsyncBulkTensorToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      SharedLongs barriers,
      int index,
      long policy) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x);
  }

  /**
   * {@code cp.async.bulk.tensor.2d.shared::cluster.global}: the same, with {@code .L2::cache_hint}.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + ".L2::cache_hint [$0[1]], [$2, {$3, $4}], [$5[6]], $7;",
      sm = 90)
  public static void cpAsyncBulkTensorToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      SharedLongs barriers,
      int index,
      long policy) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x, y);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.shared::cluster.global}: the same, with {@code .L2::cache_hint}.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + ".L2::cache_hint [$0[1]], [$2, {$3, $4, $5}], [$6[7]], $8;",
      sm = 90)
  public static void cpAsyncBulkTensorToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      SharedLongs barriers,
      int index,
      long policy) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x, y, z);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.shared::cluster.global}: the same, with {@code .L2::cache_hint}.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + ".L2::cache_hint [$0[1]], [$2, {$3, $4, $5, $6}], [$7[8]], $9;",
      sm = 90)
  public static void cpAsyncBulkTensorToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      SharedLongs barriers,
      int index,
      long policy) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x, y, z, u);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.shared::cluster.global}: the same, with {@code .L2::cache_hint}.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
              + ".L2::cache_hint [$0[1]], [$2, {$3, $4, $5, $6, $7}], [$8[9]], $10;",
      sm = 90)
  public static void cpAsyncBulkTensorToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      SharedLongs barriers,
      int index,
      long policy) {
    TensorCopies.begin(to.span(), toByte, map, barriers.span(), index, x, y, z, u, v);
  }

  /**
   * {@code cp.async.bulk.tensor.1d.shared::cluster.global} with {@code .multicast::cluster}: copies
   * a box of a tensor of one dimension to the same position in the shared memory of several blocks
   * of the cluster; the barrier at the same position in each of them counts its bytes.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $6;",
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster [$0[1]], [$2, {$3}], [$4[5]], blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    TensorCopies.beginMulticast(to.span(), toByte, map, barriers.span(), index, blocks, x);
  }

  /**
   * {@code cp.async.bulk.tensor.2d.shared::cluster.global} with {@code .multicast::cluster}: copies
   * a box of a tensor of two dimensions to the same position in the shared memory of several blocks
   * of the cluster; the barrier at the same position in each of them counts its bytes.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $7;",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster [$0[1]], [$2, {$3, $4}], [$5[6]], blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    TensorCopies.beginMulticast(to.span(), toByte, map, barriers.span(), index, blocks, x, y);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.shared::cluster.global} with {@code .multicast::cluster}: copies
   * a box of a tensor of three dimensions to the same position in the shared memory of several
   * blocks of the cluster; the barrier at the same position in each of them counts its bytes.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $8;",
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster [$0[1]], [$2, {$3, $4, $5}], [$6[7]], blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    TensorCopies.beginMulticast(to.span(), toByte, map, barriers.span(), index, blocks, x, y, z);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.shared::cluster.global} with {@code .multicast::cluster}: copies
   * a box of a tensor of four dimensions to the same position in the shared memory of several
   * blocks of the cluster; the barrier at the same position in each of them counts its bytes.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $9;",
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster [$0[1]], [$2, {$3, $4, $5, $6}], [$7[8]], blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    TensorCopies.beginMulticast(to.span(), toByte, map, barriers.span(), index, blocks, x, y, z, u);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.shared::cluster.global} with {@code .multicast::cluster}: copies
   * a box of a tensor of five dimensions to the same position in the shared memory of several
   * blocks of the cluster; the barrier at the same position in each of them counts its bytes.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $10;",
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster [$0[1]], [$2, {$3, $4, $5, $6, $7}], [$8[9]], blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    TensorCopies.beginMulticast(
        to.span(), toByte, map, barriers.span(), index, blocks, x, y, z, u, v);
  }

  /**
   * {@code cp.async.bulk.tensor.1d.shared::cluster.global} with {@code .multicast::cluster} and
   * {@code .L2::cache_hint}: the same as {@code cpAsyncBulkTensorToSharedMulticast} with a cache
   * policy.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $6;",
        "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster.L2::cache_hint [$0[1]], [$2, {$3}],"
            + " [$4[5]], blocks, $7;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    TensorCopies.beginMulticast(to.span(), toByte, map, barriers.span(), index, blocks, x);
  }

  /**
   * {@code cp.async.bulk.tensor.2d.shared::cluster.global} with {@code .multicast::cluster} and
   * {@code .L2::cache_hint}: the same as {@code cpAsyncBulkTensorToSharedMulticast} with a cache
   * policy.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $7;",
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster.L2::cache_hint [$0[1]], [$2, {$3, $4}],"
            + " [$5[6]], blocks, $8;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    TensorCopies.beginMulticast(to.span(), toByte, map, barriers.span(), index, blocks, x, y);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.shared::cluster.global} with {@code .multicast::cluster} and
   * {@code .L2::cache_hint}: the same as {@code cpAsyncBulkTensorToSharedMulticast} with a cache
   * policy.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $8;",
        "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster.L2::cache_hint [$0[1]], [$2, {$3, $4, $5}],"
            + " [$6[7]], blocks, $9;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    TensorCopies.beginMulticast(to.span(), toByte, map, barriers.span(), index, blocks, x, y, z);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.shared::cluster.global} with {@code .multicast::cluster} and
   * {@code .L2::cache_hint}: the same as {@code cpAsyncBulkTensorToSharedMulticast} with a cache
   * policy.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $9;",
        "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster.L2::cache_hint [$0[1]], [$2, {$3, $4, $5, $6}],"
            + " [$7[8]], blocks, $10;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    TensorCopies.beginMulticast(to.span(), toByte, map, barriers.span(), index, blocks, x, y, z, u);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.shared::cluster.global} with {@code .multicast::cluster} and
   * {@code .L2::cache_hint}: the same as {@code cpAsyncBulkTensorToSharedMulticast} with a cache
   * policy.
   *
   * @param to receives the box
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $10;",
        "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
            + ".multicast::cluster.L2::cache_hint [$0[1]], [$2, {$3, $4, $5, $6, $7}],"
            + " [$8[9]], blocks, $11;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    TensorCopies.beginMulticast(
        to.span(), toByte, map, barriers.span(), index, blocks, x, y, z, u, v);
  }

  // --- to global memory
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.bulk.tensor.1d.global.shared::cta}: copies a box to a tensor of one dimension.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group" + " [$0, {$1}], [$2[3]];",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobal(
      TensorMap map, int x, SharedArray from, @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x);
  }

  /**
   * {@code cp.async.bulk.tensor.2d.global.shared::cta}: copies a box to a tensor of two dimensions.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group"
              + " [$0, {$1, $2}], [$3[4]];",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobal(
      TensorMap map, int x, int y, SharedArray from, @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x, y);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.global.shared::cta}: copies a box to a tensor of three
   * dimensions.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group"
              + " [$0, {$1, $2, $3}], [$4[5]];",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobal(
      TensorMap map,
      int x,
      int y,
      int z,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x, y, z);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.global.shared::cta}: copies a box to a tensor of four
   * dimensions.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group"
              + " [$0, {$1, $2, $3, $4}], [$5[6]];",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobal(
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x, y, z, u);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.global.shared::cta}: copies a box to a tensor of five
   * dimensions.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group"
              + " [$0, {$1, $2, $3, $4, $5}], [$6[7]];",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobal(
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x, y, z, u, v);
  }

  /**
   * {@code cp.async.bulk.tensor.1d.global.shared::cta}: the same, with {@code .L2::cache_hint}.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group.L2::cache_hint"
              + " [$0, {$1}], [$2[3]], $4;",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobalCacheHint(
      TensorMap map,
      int x,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x);
  }

  /**
   * {@code cp.async.bulk.tensor.2d.global.shared::cta}: the same, with {@code .L2::cache_hint}.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group.L2::cache_hint"
              + " [$0, {$1, $2}], [$3[4]], $5;",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobalCacheHint(
      TensorMap map,
      int x,
      int y,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x, y);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.global.shared::cta}: the same, with {@code .L2::cache_hint}.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group.L2::cache_hint"
              + " [$0, {$1, $2, $3}], [$4[5]], $6;",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobalCacheHint(
      TensorMap map,
      int x,
      int y,
      int z,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x, y, z);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.global.shared::cta}: the same, with {@code .L2::cache_hint}.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group.L2::cache_hint"
              + " [$0, {$1, $2, $3, $4}], [$5[6]], $7;",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobalCacheHint(
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x, y, z, u);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.global.shared::cta}: the same, with {@code .L2::cache_hint}.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group.L2::cache_hint"
              + " [$0, {$1, $2, $3, $4, $5}], [$6[7]], $8;",
      sm = 90)
  public static void cpAsyncBulkTensorToGlobalCacheHint(
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.store("cpAsyncBulkTensorToGlobal", map, from.span(), fromByte, x, y, z, u, v);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.1d.global.shared::cta}: combines each element of a box with
   * its counterpart in a tensor of one dimension, each of them atomically.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.1d.global.shared::cta.$0.tile.bulk_group"
              + " [$1, {$2}], [$3[4]];",
      sm = 90)
  public static void cpReduceAsyncBulkTensor(
      @Const Reduction how,
      TensorMap map,
      int x,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.reduce(TensorReduction.of(how, map.element()), map, from.span(), fromByte, x);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.2d.global.shared::cta}: combines each element of a box with
   * its counterpart in a tensor of two dimensions, each of them atomically.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.2d.global.shared::cta.$0.tile.bulk_group"
              + " [$1, {$2, $3}], [$4[5]];",
      sm = 90)
  public static void cpReduceAsyncBulkTensor(
      @Const Reduction how,
      TensorMap map,
      int x,
      int y,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.reduce(TensorReduction.of(how, map.element()), map, from.span(), fromByte, x, y);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.3d.global.shared::cta}: combines each element of a box with
   * its counterpart in a tensor of three dimensions, each of them atomically.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.3d.global.shared::cta.$0.tile.bulk_group"
              + " [$1, {$2, $3, $4}], [$5[6]];",
      sm = 90)
  public static void cpReduceAsyncBulkTensor(
      @Const Reduction how,
      TensorMap map,
      int x,
      int y,
      int z,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.reduce(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, x, y, z);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.4d.global.shared::cta}: combines each element of a box with
   * its counterpart in a tensor of four dimensions, each of them atomically.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.4d.global.shared::cta.$0.tile.bulk_group"
              + " [$1, {$2, $3, $4, $5}], [$6[7]];",
      sm = 90)
  public static void cpReduceAsyncBulkTensor(
      @Const Reduction how,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.reduce(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, x, y, z, u);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.5d.global.shared::cta}: combines each element of a box with
   * its counterpart in a tensor of five dimensions, each of them atomically.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.5d.global.shared::cta.$0.tile.bulk_group"
              + " [$1, {$2, $3, $4, $5, $6}], [$7[8]];",
      sm = 90)
  public static void cpReduceAsyncBulkTensor(
      @Const Reduction how,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.reduce(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, x, y, z, u, v);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.1d.global.shared::cta}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.1d.global.shared::cta.$0.tile.bulk_group.L2::cache_hint"
              + " [$1, {$2}], [$3[4]], $5;",
      sm = 90)
  public static void cpReduceAsyncBulkTensorCacheHint(
      @Const Reduction how,
      TensorMap map,
      int x,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.reduce(TensorReduction.of(how, map.element()), map, from.span(), fromByte, x);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.2d.global.shared::cta}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.2d.global.shared::cta.$0.tile.bulk_group.L2::cache_hint"
              + " [$1, {$2, $3}], [$4[5]], $6;",
      sm = 90)
  public static void cpReduceAsyncBulkTensorCacheHint(
      @Const Reduction how,
      TensorMap map,
      int x,
      int y,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.reduce(TensorReduction.of(how, map.element()), map, from.span(), fromByte, x, y);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.3d.global.shared::cta}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.3d.global.shared::cta.$0.tile.bulk_group.L2::cache_hint"
              + " [$1, {$2, $3, $4}], [$5[6]], $7;",
      sm = 90)
  public static void cpReduceAsyncBulkTensorCacheHint(
      @Const Reduction how,
      TensorMap map,
      int x,
      int y,
      int z,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.reduce(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, x, y, z);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.4d.global.shared::cta}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.4d.global.shared::cta.$0.tile.bulk_group.L2::cache_hint"
              + " [$1, {$2, $3, $4, $5}], [$6[7]], $8;",
      sm = 90)
  public static void cpReduceAsyncBulkTensorCacheHint(
      @Const Reduction how,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.reduce(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, x, y, z, u);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.5d.global.shared::cta}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param how they are combined
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param from holds the box
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.5d.global.shared::cta.$0.tile.bulk_group.L2::cache_hint"
              + " [$1, {$2, $3, $4, $5, $6}], [$7[8]], $9;",
      sm = 90)
  public static void cpReduceAsyncBulkTensorCacheHint(
      @Const Reduction how,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.reduce(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, x, y, z, u, v);
  }

  // --- to the cache
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.bulk.prefetch.tensor.1d.L2.global}: loads a box of a tensor of one dimension
   * into the level-2 cache.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   */
  @Instruction(value = "cp.async.bulk.prefetch.tensor.1d.L2.global.tile [$0, {$1}];", sm = 90)
  public static void cpAsyncBulkPrefetchTensor(TensorMap map, int x) {
    TensorCopies.prefetch(map, x);
  }

  /**
   * {@code cp.async.bulk.prefetch.tensor.2d.L2.global}: loads a box of a tensor of two dimensions
   * into the level-2 cache.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   */
  @Instruction(value = "cp.async.bulk.prefetch.tensor.2d.L2.global.tile [$0, {$1, $2}];", sm = 90)
  public static void cpAsyncBulkPrefetchTensor(TensorMap map, int x, int y) {
    TensorCopies.prefetch(map, x, y);
  }

  /**
   * {@code cp.async.bulk.prefetch.tensor.3d.L2.global}: loads a box of a tensor of three dimensions
   * into the level-2 cache.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   */
  @Instruction(
      value = "cp.async.bulk.prefetch.tensor.3d.L2.global.tile [$0, {$1, $2, $3}];",
      sm = 90)
  public static void cpAsyncBulkPrefetchTensor(TensorMap map, int x, int y, int z) {
    TensorCopies.prefetch(map, x, y, z);
  }

  /**
   * {@code cp.async.bulk.prefetch.tensor.4d.L2.global}: loads a box of a tensor of four dimensions
   * into the level-2 cache.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   */
  @Instruction(
      value = "cp.async.bulk.prefetch.tensor.4d.L2.global.tile [$0, {$1, $2, $3, $4}];",
      sm = 90)
  public static void cpAsyncBulkPrefetchTensor(TensorMap map, int x, int y, int z, int u) {
    TensorCopies.prefetch(map, x, y, z, u);
  }

  /**
   * {@code cp.async.bulk.prefetch.tensor.5d.L2.global}: loads a box of a tensor of five dimensions
   * into the level-2 cache.
   *
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   */
  @Instruction(
      value = "cp.async.bulk.prefetch.tensor.5d.L2.global.tile [$0, {$1, $2, $3, $4, $5}];",
      sm = 90)
  public static void cpAsyncBulkPrefetchTensor(TensorMap map, int x, int y, int z, int u, int v) {
    TensorCopies.prefetch(map, x, y, z, u, v);
  }

  /**
   * {@code prefetch.tensormap}: loads a tensor map itself into the cache, before the first copy.
   *
   * @param map the map
   */
  @Instruction(value = "prefetch.tensormap [$0];", sm = 90)
  public static void prefetchTensormap(TensorMap map) {
    TensorCopies.prefetch(map);
  }
}
