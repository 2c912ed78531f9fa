// Generated from tools/families/PtxIm2colCopies.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.PtxTensorCopies.Reduction;
import dev.stretto.kernel.machine.TensorCopies;
import dev.stretto.memory.TensorMap;

/**
 * The {@code cp.async.bulk.tensor} instructions of PTX in im2col mode: one thread makes the tensor
 * memory accelerator (TMA) copy a column of pixels between a batch of images and shared memory; a
 * {@link TensorMap} for {@linkplain TensorMap.Builder#im2col im2col} gives the images, the bounding
 * box and the size of a column. As in {@link Ptx}, there is one method for each instruction, here
 * for images of one to three dimensions each. They need compute capability 9.0.
 *
 * <p>A column is a box of two dimensions, channels and pixels. What {@link PtxTensorCopies} says of
 * boxes holds for columns: their position in shared memory, the bytes that a barrier must expect
 * ({@link TensorMap#boxBytes()}, always all channels of all pixels), swizzles, groups, fences and
 * waits.
 *
 * <p>The first pixel must lie within the map's bounding box. The offsets are added to the place of
 * each pixel. Each is 0 to 65,535 for images of one dimension, 0 to 255 for two, 0 to 31 for three.
 * Copies and reductions to global memory have no offsets, and their bounding box must lie within
 * the image: an H200 stops with an illegal instruction if its lower corner is negative or its upper
 * one positive. A virtual device throws {@link IllegalArgumentException} for what breaks these
 * rules, and for a map that is not for im2col.
 *
 * <p>PTX ISA, "im2col mode", "Data Movement and Conversion Instructions: cp.async.bulk.tensor".
 */
public final class PtxIm2colCopies {
  private PtxIm2colCopies() {}

  // --- to shared memory
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.bulk.tensor.3d.shared::cluster.global.im2col}: copies a column of pixels of
   * images of one dimension to shared memory.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param offsetW what is added to each pixel's place along the width, at most 0xffff
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW;",
        "cvt.u16.u32 offsetW, $6;",
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
            + " [$0[1]], [$2, {$3, $4, $5}], [$7[8]], {offsetW};",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToShared(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int n,
      @InRange(to = 0xffff) int offsetW,
      SharedLongs barriers,
      int index) {
    int[] at = {c, w, n};
    TensorCopies.beginColumn(to.span(), toByte, map, barriers.span(), index, at, offsetW);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.shared::cluster.global.im2col}: copies a column of pixels of
   * images of two dimensions to shared memory.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0xff
   * @param offsetH what is added to each pixel's place along the height, at most 0xff
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH;",
        "cvt.u16.u32 offsetW, $7;",
        "cvt.u16.u32 offsetH, $8;",
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
            + " [$0[1]], [$2, {$3, $4, $5, $6}], [$9[10]], {offsetW, offsetH};",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToShared(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      @InRange(to = 0xff) int offsetW,
      @InRange(to = 0xff) int offsetH,
      SharedLongs barriers,
      int index) {
    int[] at = {c, w, h, n};
    TensorCopies.beginColumn(to.span(), toByte, map, barriers.span(), index, at, offsetW, offsetH);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.shared::cluster.global.im2col}: copies a column of pixels of
   * images of three dimensions to shared memory.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0x1f
   * @param offsetH what is added to each pixel's place along the height, at most 0x1f
   * @param offsetD what is added to each pixel's place along the depth, at most 0x1f
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH, offsetD;",
        "cvt.u16.u32 offsetW, $8;",
        "cvt.u16.u32 offsetH, $9;",
        "cvt.u16.u32 offsetD, $10;",
        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
            + " [$0[1]], [$2, {$3, $4, $5, $6, $7}], [$11[12]], {offsetW, offsetH, offsetD};",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToShared(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      @InRange(to = 0x1f) int offsetW,
      @InRange(to = 0x1f) int offsetH,
      @InRange(to = 0x1f) int offsetD,
      SharedLongs barriers,
      int index) {
    int[] at = {c, w, h, d, n};
    TensorCopies.beginColumn(
        to.span(), toByte, map, barriers.span(), index, at, offsetW, offsetH, offsetD);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.shared::cluster.global.im2col}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param offsetW what is added to each pixel's place along the width, at most 0xffff
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW;",
        "cvt.u16.u32 offsetW, $6;",
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
            + ".L2::cache_hint [$0[1]], [$2, {$3, $4, $5}], [$7[8]], {offsetW}, $9;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int n,
      @InRange(to = 0xffff) int offsetW,
      SharedLongs barriers,
      int index,
      long policy) {
    int[] at = {c, w, n};
    TensorCopies.beginColumn(to.span(), toByte, map, barriers.span(), index, at, offsetW);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.shared::cluster.global.im2col}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0xff
   * @param offsetH what is added to each pixel's place along the height, at most 0xff
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH;",
        "cvt.u16.u32 offsetW, $7;",
        "cvt.u16.u32 offsetH, $8;",
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
            + ".L2::cache_hint [$0[1]], [$2, {$3, $4, $5, $6}], [$9[10]], {offsetW, offsetH}, $11;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      @InRange(to = 0xff) int offsetW,
      @InRange(to = 0xff) int offsetH,
      SharedLongs barriers,
      int index,
      long policy) {
    int[] at = {c, w, h, n};
    TensorCopies.beginColumn(to.span(), toByte, map, barriers.span(), index, at, offsetW, offsetH);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.shared::cluster.global.im2col}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0x1f
   * @param offsetH what is added to each pixel's place along the height, at most 0x1f
   * @param offsetD what is added to each pixel's place along the depth, at most 0x1f
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH, offsetD;",
        "cvt.u16.u32 offsetW, $8;",
        "cvt.u16.u32 offsetH, $9;",
        "cvt.u16.u32 offsetD, $10;",
        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.L2::cache_hint"
            + " [$0[1]], [$2, {$3, $4, $5, $6, $7}], [$11[12]], {offsetW, offsetH, offsetD}, $13;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      @InRange(to = 0x1f) int offsetW,
      @InRange(to = 0x1f) int offsetH,
      @InRange(to = 0x1f) int offsetD,
      SharedLongs barriers,
      int index,
      long policy) {
    int[] at = {c, w, h, d, n};
    TensorCopies.beginColumn(
        to.span(), toByte, map, barriers.span(), index, at, offsetW, offsetH, offsetD);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.shared::cluster.global.im2col} with {@code .multicast::cluster}:
   * copies a column of pixels of images of one dimension to the same position in the shared memory
   * of several blocks of the cluster; the barrier at the same position in each of them counts its
   * bytes.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param offsetW what is added to each pixel's place along the width, at most 0xffff
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW;",
        "cvt.u16.u32 offsetW, $6;",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $9;",
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes"
            + ".multicast::cluster [$0[1]], [$2, {$3, $4, $5}], [$7[8]], {offsetW}, blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int n,
      @InRange(to = 0xffff) int offsetW,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    int[] at = {c, w, n};
    TensorCopies.beginColumnMulticast(
        to.span(), toByte, map, barriers.span(), index, blocks, at, offsetW);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.shared::cluster.global.im2col} with {@code .multicast::cluster}:
   * copies a column of pixels of images of two dimensions to the same position in the shared memory
   * of several blocks of the cluster; the barrier at the same position in each of them counts its
   * bytes.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0xff
   * @param offsetH what is added to each pixel's place along the height, at most 0xff
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH;",
        "cvt.u16.u32 offsetW, $7;",
        "cvt.u16.u32 offsetH, $8;",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $11;",
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster"
            + " [$0[1]], [$2, {$3, $4, $5, $6}], [$9[10]], {offsetW, offsetH}, blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      @InRange(to = 0xff) int offsetW,
      @InRange(to = 0xff) int offsetH,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    int[] at = {c, w, h, n};
    TensorCopies.beginColumnMulticast(
        to.span(), toByte, map, barriers.span(), index, blocks, at, offsetW, offsetH);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.shared::cluster.global.im2col} with {@code .multicast::cluster}:
   * copies a column of pixels of images of three dimensions to the same position in the shared
   * memory of several blocks of the cluster; the barrier at the same position in each of them
   * counts its bytes.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0x1f
   * @param offsetH what is added to each pixel's place along the height, at most 0x1f
   * @param offsetD what is added to each pixel's place along the depth, at most 0x1f
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH, offsetD;",
        "cvt.u16.u32 offsetW, $8;",
        "cvt.u16.u32 offsetH, $9;",
        "cvt.u16.u32 offsetD, $10;",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $13;",
        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster"
            + " [$0[1]], [$2, {$3, $4, $5, $6, $7}], [$11[12]], {offsetW, offsetH, offsetD},"
            + " blocks;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedMulticast(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      @InRange(to = 0x1f) int offsetW,
      @InRange(to = 0x1f) int offsetH,
      @InRange(to = 0x1f) int offsetD,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks) {
    int[] at = {c, w, h, d, n};
    TensorCopies.beginColumnMulticast(
        to.span(), toByte, map, barriers.span(), index, blocks, at, offsetW, offsetH, offsetD);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.shared::cluster.global.im2col} with {@code .multicast::cluster}
   * and {@code .L2::cache_hint}: the same as {@code cpAsyncBulkTensorIm2colToSharedMulticast} with
   * a cache policy.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param offsetW what is added to each pixel's place along the width, at most 0xffff
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW;",
        "cvt.u16.u32 offsetW, $6;",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $9;",
        "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint"
            + " [$0[1]], [$2, {$3, $4, $5}], [$7[8]], {offsetW}, blocks, $10;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int n,
      @InRange(to = 0xffff) int offsetW,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    int[] at = {c, w, n};
    TensorCopies.beginColumnMulticast(
        to.span(), toByte, map, barriers.span(), index, blocks, at, offsetW);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.shared::cluster.global.im2col} with {@code .multicast::cluster}
   * and {@code .L2::cache_hint}: the same as {@code cpAsyncBulkTensorIm2colToSharedMulticast} with
   * a cache policy.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0xff
   * @param offsetH what is added to each pixel's place along the height, at most 0xff
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH;",
        "cvt.u16.u32 offsetW, $7;",
        "cvt.u16.u32 offsetH, $8;",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $11;",
        "cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint"
            + " [$0[1]], [$2, {$3, $4, $5, $6}], [$9[10]], {offsetW, offsetH}, blocks, $12;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      @InRange(to = 0xff) int offsetW,
      @InRange(to = 0xff) int offsetH,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    int[] at = {c, w, h, n};
    TensorCopies.beginColumnMulticast(
        to.span(), toByte, map, barriers.span(), index, blocks, at, offsetW, offsetH);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.shared::cluster.global.im2col} with {@code .multicast::cluster}
   * and {@code .L2::cache_hint}: the same as {@code cpAsyncBulkTensorIm2colToSharedMulticast} with
   * a cache policy.
   *
   * @param to receives the column
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 128
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0x1f
   * @param offsetH what is added to each pixel's place along the height, at most 0x1f
   * @param offsetD what is added to each pixel's place along the depth, at most 0x1f
   * @param barriers holds the barrier that counts its bytes
   * @param index of the barrier
   * @param blocks a mask: bit i is set if block i of the cluster receives it
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH, offsetD;",
        "cvt.u16.u32 offsetW, $8;",
        "cvt.u16.u32 offsetH, $9;",
        "cvt.u16.u32 offsetD, $10;",
        ".reg .b16 blocks;",
        "cvt.u16.u32 blocks, $13;",
        "cp.async.bulk.tensor.5d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint"
            + " [$0[1]], [$2, {$3, $4, $5, $6, $7}], [$11[12]], {offsetW, offsetH, offsetD},"
            + " blocks, $14;",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToSharedMulticastCacheHint(
      SharedArray to,
      @InRange(multipleOf = 128) int toByte,
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      @InRange(to = 0x1f) int offsetW,
      @InRange(to = 0x1f) int offsetH,
      @InRange(to = 0x1f) int offsetD,
      SharedLongs barriers,
      int index,
      @InRange(to = 0xffff) int blocks,
      long policy) {
    int[] at = {c, w, h, d, n};
    TensorCopies.beginColumnMulticast(
        to.span(), toByte, map, barriers.span(), index, blocks, at, offsetW, offsetH, offsetD);
  }

  // --- to global memory
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs}: copies a column of pixels to
   * images of one dimension.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group"
              + " [$0, {$1, $2, $3}], [$4[5]];",
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToGlobal(
      TensorMap map,
      int c,
      int w,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.storeColumn(map, from.span(), fromByte, c, w, n);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs}: copies a column of pixels to
   * images of two dimensions.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group"
              + " [$0, {$1, $2, $3, $4}], [$5[6]];",
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToGlobal(
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.storeColumn(map, from.span(), fromByte, c, w, h, n);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs}: copies a column of pixels to
   * images of three dimensions.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group"
              + " [$0, {$1, $2, $3, $4, $5}], [$6[7]];",
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToGlobal(
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.storeColumn(map, from.span(), fromByte, c, w, h, d, n);
  }

  /**
   * {@code cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint"
              + " [$0, {$1, $2, $3}], [$4[5]], $6;",
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToGlobalCacheHint(
      TensorMap map,
      int c,
      int w,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.storeColumn(map, from.span(), fromByte, c, w, n);
  }

  /**
   * {@code cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint"
              + " [$0, {$1, $2, $3, $4}], [$5[6]], $7;",
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToGlobalCacheHint(
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.storeColumn(map, from.span(), fromByte, c, w, h, n);
  }

  /**
   * {@code cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs.bulk_group.L2::cache_hint"
              + " [$0, {$1, $2, $3, $4, $5}], [$6[7]], $8;",
      sm = 90)
  public static void cpAsyncBulkTensorIm2colToGlobalCacheHint(
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.storeColumn(map, from.span(), fromByte, c, w, h, d, n);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs}: combines each element
   * of a column with its counterpart in images of one dimension, each of them atomically.
   *
   * @param how they are combined
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.3d.global.shared::cta.$0.im2col_no_offs.bulk_group"
              + " [$1, {$2, $3, $4}], [$5[6]];",
      sm = 90)
  public static void cpReduceAsyncBulkTensorIm2col(
      @Const Reduction how,
      TensorMap map,
      int c,
      int w,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.reduceColumn(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, c, w, n);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs}: combines each element
   * of a column with its counterpart in images of two dimensions, each of them atomically.
   *
   * @param how they are combined
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.4d.global.shared::cta.$0.im2col_no_offs.bulk_group"
              + " [$1, {$2, $3, $4, $5}], [$6[7]];",
      sm = 90)
  public static void cpReduceAsyncBulkTensorIm2col(
      @Const Reduction how,
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.reduceColumn(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, c, w, h, n);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs}: combines each element
   * of a column with its counterpart in images of three dimensions, each of them atomically.
   *
   * @param how they are combined
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.5d.global.shared::cta.$0.im2col_no_offs.bulk_group"
              + " [$1, {$2, $3, $4, $5, $6}], [$7[8]];",
      sm = 90)
  public static void cpReduceAsyncBulkTensorIm2col(
      @Const Reduction how,
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte) {
    TensorCopies.reduceColumn(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, c, w, h, d, n);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param how they are combined
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.3d.global.shared::cta.$0.im2col_no_offs.bulk_group.L2::cache_hint"
              + " [$1, {$2, $3, $4}], [$5[6]], $7;",
      sm = 90)
  public static void cpReduceAsyncBulkTensorIm2colCacheHint(
      @Const Reduction how,
      TensorMap map,
      int c,
      int w,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.reduceColumn(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, c, w, n);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param how they are combined
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.4d.global.shared::cta.$0.im2col_no_offs.bulk_group.L2::cache_hint"
              + " [$1, {$2, $3, $4, $5}], [$6[7]], $8;",
      sm = 90)
  public static void cpReduceAsyncBulkTensorIm2colCacheHint(
      @Const Reduction how,
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.reduceColumn(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, c, w, h, n);
  }

  /**
   * {@code cp.reduce.async.bulk.tensor.5d.global.shared::cta.im2col_no_offs}: the same, with {@code
   * .L2::cache_hint}.
   *
   * @param how they are combined
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param from holds the column
   * @param fromByte its position, in bytes from the beginning of the array; a multiple of 128
   * @param policy how the level-2 cache treats them, of {@link PtxCopies#createPolicyEvictFirst()}
   *     or {@link PtxCopies#createPolicyEvictLast()}
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.tensor.5d.global.shared::cta.$0.im2col_no_offs.bulk_group.L2::cache_hint"
              + " [$1, {$2, $3, $4, $5, $6}], [$7[8]], $9;",
      sm = 90)
  public static void cpReduceAsyncBulkTensorIm2colCacheHint(
      @Const Reduction how,
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      SharedArray from,
      @InRange(multipleOf = 128) int fromByte,
      long policy) {
    TensorCopies.reduceColumn(
        TensorReduction.of(how, map.element()), map, from.span(), fromByte, c, w, h, d, n);
  }

  // --- to the cache
  // ------------------------------------------------------------------------------------------------------------------

  /**
   * {@code cp.async.bulk.prefetch.tensor.3d.L2.global.im2col}: loads a column of pixels of images
   * of one dimension into the level-2 cache.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param offsetW what is added to each pixel's place along the width, at most 0xffff
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW;",
        "cvt.u16.u32 offsetW, $4;",
        "cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [$0, {$1, $2, $3}], {offsetW};",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkPrefetchTensorIm2col(
      TensorMap map, int c, int w, int n, @InRange(to = 0xffff) int offsetW) {
    int[] at = {c, w, n};
    TensorCopies.prefetchColumn(map, at, offsetW);
  }

  /**
   * {@code cp.async.bulk.prefetch.tensor.4d.L2.global.im2col}: loads a column of pixels of images
   * of two dimensions into the level-2 cache.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0xff
   * @param offsetH what is added to each pixel's place along the height, at most 0xff
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH;",
        "cvt.u16.u32 offsetW, $5;",
        "cvt.u16.u32 offsetH, $6;",
        "cp.async.bulk.prefetch.tensor.4d.L2.global.im2col [$0, {$1, $2, $3, $4}], {offsetW,"
            + " offsetH};",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkPrefetchTensorIm2col(
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      @InRange(to = 0xff) int offsetW,
      @InRange(to = 0xff) int offsetH) {
    int[] at = {c, w, h, n};
    TensorCopies.prefetchColumn(map, at, offsetW, offsetH);
  }

  /**
   * {@code cp.async.bulk.prefetch.tensor.5d.L2.global.im2col}: loads a column of pixels of images
   * of three dimensions into the level-2 cache.
   *
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0x1f
   * @param offsetH what is added to each pixel's place along the height, at most 0x1f
   * @param offsetD what is added to each pixel's place along the depth, at most 0x1f
   */
  @Instruction(
      value = {
        "{",
        ".reg .b16 offsetW, offsetH, offsetD;",
        "cvt.u16.u32 offsetW, $6;",
        "cvt.u16.u32 offsetH, $7;",
        "cvt.u16.u32 offsetD, $8;",
        "cp.async.bulk.prefetch.tensor.5d.L2.global.im2col [$0, {$1, $2, $3, $4, $5}], {offsetW,"
            + " offsetH, offsetD};",
        "}"
      },
      sm = 90)
  public static void cpAsyncBulkPrefetchTensorIm2col(
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      @InRange(to = 0x1f) int offsetW,
      @InRange(to = 0x1f) int offsetH,
      @InRange(to = 0x1f) int offsetD) {
    int[] at = {c, w, h, d, n};
    TensorCopies.prefetchColumn(map, at, offsetW, offsetH, offsetD);
  }
}
