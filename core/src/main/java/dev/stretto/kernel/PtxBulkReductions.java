// Generated from tools/families/PtxBulkReductions.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.DeviceThread;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.TensorMap;

/**
 * The {@code cp.reduce.async.bulk} instructions of PTX: one thread begins to combine the elements
 * of a range of shared memory with their counterparts in global memory, each of them atomically for
 * the threads of the device. As in {@link Ptx}, there is one method for each instruction. They need
 * compute capability 9.0.
 *
 * <p>They are bulk copies to global memory in all else: positions are in bytes, whatever the arrays
 * hold; positions and the number of bytes are multiples of 16; each thread's belong to groups, with
 * {@link PtxBulkCopies#cpAsyncBulkCommitGroup()}, {@link PtxBulkCopies#cpAsyncBulkWaitGroup} and
 * {@link PtxBulkCopies#cpAsyncBulkWaitGroupRead}; and they see what threads wrote if each of them
 * has then called {@link PtxBulkCopies#fenceProxyAsyncShared()}, followed by a barrier. Nothing
 * says in which order sums of floating-point numbers are formed.
 *
 * <p>A virtual device reads and combines as late as these rules allow. If a kernel breaks them, it
 * throws an {@link IllegalStateException} that names both lines; for an address or a number of
 * bytes that is not allowed, it throws {@link IllegalArgumentException}.
 *
 * <p>PTX ISA, "Data Movement and Conversion Instructions: cp.reduce.async.bulk".
 */
public final class PtxBulkReductions {
  private PtxBulkReductions() {}

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.add.u32}. Adds each element to its counterpart;
   * wraps around.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkAddU32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.ADD, TensorMap.Element.UINT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.add.u64}. Adds each element to its counterpart;
   * wraps around.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkAddU64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.ADD, TensorMap.Element.UINT64, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.add.f32}. Adds each element to its counterpart.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkAddF32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.ADD,
        TensorMap.Element.FLOAT32,
        to,
        toByte,
        from,
        fromByte,
        bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.add.f64}. Adds each element to its counterpart.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkAddF64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.ADD,
        TensorMap.Element.FLOAT64,
        to,
        toByte,
        from,
        fromByte,
        bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.add.noftz.f16}. Adds each element to its
   * counterpart.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkAddF16(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.ADD,
        TensorMap.Element.FLOAT16,
        to,
        toByte,
        from,
        fromByte,
        bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.add.noftz.bf16}. Adds each element to its
   * counterpart.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value =
          "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkAddBf16(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.ADD,
        TensorMap.Element.BFLOAT16,
        to,
        toByte,
        from,
        fromByte,
        bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.min.s32}. Sets each counterpart to the smaller
   * of the two.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMinS32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MIN, TensorMap.Element.INT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.min.s64}. Sets each counterpart to the smaller
   * of the two.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMinS64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MIN, TensorMap.Element.INT64, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.min.f16}. Sets each counterpart to the smaller
   * of the two.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMinF16(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MIN,
        TensorMap.Element.FLOAT16,
        to,
        toByte,
        from,
        fromByte,
        bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.min.bf16}. Sets each counterpart to the smaller
   * of the two.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.bf16 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMinBf16(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MIN,
        TensorMap.Element.BFLOAT16,
        to,
        toByte,
        from,
        fromByte,
        bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.min.u32}. Sets each counterpart to the smaller
   * of the two, as unsigned numbers.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMinU32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MIN, TensorMap.Element.UINT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.min.u64}. Sets each counterpart to the smaller
   * of the two, as unsigned numbers.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMinU64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MIN, TensorMap.Element.UINT64, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.max.s32}. Sets each counterpart to the larger of
   * the two.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMaxS32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MAX, TensorMap.Element.INT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.max.s64}. Sets each counterpart to the larger of
   * the two.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMaxS64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MAX, TensorMap.Element.INT64, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.max.f16}. Sets each counterpart to the larger of
   * the two.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMaxF16(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MAX,
        TensorMap.Element.FLOAT16,
        to,
        toByte,
        from,
        fromByte,
        bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.max.bf16}. Sets each counterpart to the larger
   * of the two.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMaxBf16(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MAX,
        TensorMap.Element.BFLOAT16,
        to,
        toByte,
        from,
        fromByte,
        bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.max.u32}. Sets each counterpart to the larger of
   * the two, as unsigned numbers.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMaxU32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MAX, TensorMap.Element.UINT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.max.u64}. Sets each counterpart to the larger of
   * the two, as unsigned numbers.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkMaxU64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.MAX, TensorMap.Element.UINT64, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.and.b32}. Clears the bits that an element lacks.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkAndB32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.AND, TensorMap.Element.UINT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.and.b64}. Clears the bits that an element lacks.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkAndB64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.AND, TensorMap.Element.UINT64, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.or.b32}. Sets the bits that an element has.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkOrB32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.OR, TensorMap.Element.UINT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.or.b64}. Sets the bits that an element has.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkOrB64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.OR, TensorMap.Element.UINT64, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.xor.b32}. Flips the bits that an element has.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkXorB32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.XOR, TensorMap.Element.UINT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.xor.b64}. Flips the bits that an element has.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkXorB64(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.XOR, TensorMap.Element.UINT64, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.inc.u32}. Adds 1 to each counterpart, or sets it
   * to 0 if it is the element or greater; unsigned.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkIncU32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.INC, TensorMap.Element.UINT32, to, toByte, from, fromByte, bytes);
  }

  /**
   * {@code cp.reduce.async.bulk.global.shared::cta.dec.u32}. Subtracts 1 from each counterpart, or
   * sets it to the element if it is 0 or greater; unsigned.
   *
   * @param to holds the counterparts
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the elements
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   */
  @Instruction(
      value = "cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32 [$0[1]], [$2[3]], $4;",
      sm = 90)
  public static void cpReduceAsyncBulkDecU32(
      GlobalArray to,
      @InRange(multipleOf = 16) long toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes) {
    begin(
        PtxTensorCopies.Reduction.DEC, TensorMap.Element.UINT32, to, toByte, from, fromByte, bytes);
  }

  private static void begin(
      PtxTensorCopies.Reduction how,
      TensorMap.Element element,
      GlobalArray to,
      long toByte,
      SharedArray from,
      int fromByte,
      int bytes) {
    DeviceThread.current("cpReduceAsyncBulk")
        .bulkStores()
        .reduce(
            TensorReduction.of(how, element),
            element.bytes(),
            to,
            toByte,
            from.span(),
            fromByte,
            bytes);
  }
}
