// Generated from tools/families/PtxClusterReductions.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.compiler.Instruction;
import dev.stretto.kernel.machine.BlockReductions;
import dev.stretto.memory.TensorMap;
import java.lang.foreign.MemorySegment;

/**
 * The instructions of PTX that change elements in the shared memory of another block of the cluster
 * while all threads do other work: {@code red.async} joins a number to an element, {@code
 * cp.reduce.async.bulk} joins the elements of a range of this block's shared memory to their
 * counterparts. As in {@link Ptx}, there is one method for each instruction; each takes the calling
 * block's array and the other block's rank, and begins with {@code mapa}. They need compute
 * capability 9.0.
 *
 * <p>A barrier of the other block counts the bytes of the elements ({@link
 * PtxClusters#mbarrierExpectTxAt}, {@link PtxBarriers#mbarrierExpectTx}); a thread that waits for
 * that phase, with a wait such as {@link
 * PtxClusters#mbarrierTryWaitParityAcquireCluster(SharedLongs, int, int)}, sees what has become of
 * them. Each element is changed atomically for the threads of the cluster: any number of threads
 * and blocks may change it at the same time, in any order, and {@link Atomics} may too. A plain
 * read or write comes after all of them that a wait has counted, or before all of them that a
 * barrier puts behind it.
 *
 * <p>What {@code cp.reduce.async.bulk} reads, and the counterparts, are what threads wrote if each
 * of them has then called {@link PtxBulkCopies#fenceProxyAsyncShared()}, followed by a barrier.
 * Nothing may write its source again, and this block may not return, before a thread of the other
 * block has waited at its barrier and let this block know, with a barrier of the cluster or an
 * arrival at one of its barriers.
 *
 * <p>A kernel with {@code red.async} is written in PTX 8.1, which drivers have since CUDA 12.1.
 *
 * <p>A virtual device changes the elements as late as these rules allow. If a kernel breaks them,
 * it throws an {@link IllegalStateException} that names both lines.
 *
 * <p>PTX ISA, "Data Movement and Conversion Instructions: red.async", "cp.reduce.async.bulk".
 */
public final class PtxClusterReductions {
  private PtxClusterReductions() {}

  /**
   * {@code red.async.add.u32}: begins to join a number to an element. Adds; wraps around.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncAddU32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncAddU32",
        TensorReduction.of(PtxTensorCopies.Reduction.ADD, TensorMap.Element.UINT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.add.u64}: begins to join a number to an element. Adds; wraps around.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u64 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncAddU64(
      SharedLongs to, int element, long value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncAddU64",
        TensorReduction.of(PtxTensorCopies.Reduction.ADD, TensorMap.Element.UINT64),
        to.span(),
        element,
        MemorySegment.ofArray(new long[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.min.s32}: begins to join a number to an element. Sets the element to the
   * smaller of the two.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.s32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncMinS32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncMinS32",
        TensorReduction.of(PtxTensorCopies.Reduction.MIN, TensorMap.Element.INT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.min.u32}: begins to join a number to an element. Sets the element to the
   * smaller of the two, as unsigned numbers.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncMinU32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncMinU32",
        TensorReduction.of(PtxTensorCopies.Reduction.MIN, TensorMap.Element.UINT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.max.s32}: begins to join a number to an element. Sets the element to the
   * larger of the two.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.s32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncMaxS32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncMaxS32",
        TensorReduction.of(PtxTensorCopies.Reduction.MAX, TensorMap.Element.INT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.max.u32}: begins to join a number to an element. Sets the element to the
   * larger of the two, as unsigned numbers.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncMaxU32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncMaxU32",
        TensorReduction.of(PtxTensorCopies.Reduction.MAX, TensorMap.Element.UINT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.and.b32}: begins to join a number to an element. Clears the bits that the
   * number lacks.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.and.b32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncAndB32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncAndB32",
        TensorReduction.of(PtxTensorCopies.Reduction.AND, TensorMap.Element.UINT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.or.b32}: begins to join a number to an element. Sets the bits that the number
   * has.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.or.b32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncOrB32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncOrB32",
        TensorReduction.of(PtxTensorCopies.Reduction.OR, TensorMap.Element.UINT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.xor.b32}: begins to join a number to an element. Flips the bits that the
   * number has.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.xor.b32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncXorB32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncXorB32",
        TensorReduction.of(PtxTensorCopies.Reduction.XOR, TensorMap.Element.UINT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.inc.u32}: begins to join a number to an element. Adds 1 to the element, or
   * sets it to 0 if it is the number or greater; unsigned.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.inc.u32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncIncU32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncIncU32",
        TensorReduction.of(PtxTensorCopies.Reduction.INC, TensorMap.Element.UINT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code red.async.dec.u32}: begins to join a number to an element. Subtracts 1 from the element,
   * or sets it to the number if it is 0 or greater than that; unsigned.
   *
   * @param to the array, at the same place in each block
   * @param element its index
   * @param value the number
   * @param barriers holds the barrier that counts the element's bytes, at the same place in each
   *     block
   * @param index of the barrier
   * @param block the rank of the block that owns both, 0 to {@link PtxClusters#clusterBlocks()} - 1
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
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.dec.u32 [to],"
            + " $2, [barrier];",
        "}"
      },
      sm = 90)
  public static void redAsyncDecU32(
      SharedInts to, int element, int value, SharedLongs barriers, int index, int block) {
    BlockReductions.join(
        "redAsyncDecU32",
        TensorReduction.of(PtxTensorCopies.Reduction.DEC, TensorMap.Element.UINT32),
        to.span(),
        element,
        MemorySegment.ofArray(new int[] {value}),
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.add.u32}: begins to join the numbers of
   * a range to their counterparts. Adds; wraps around.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockAddU32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockAddU32",
        TensorReduction.of(PtxTensorCopies.Reduction.ADD, TensorMap.Element.UINT32),
        TensorMap.Element.UINT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.add.u64}: begins to join the numbers of
   * a range to their counterparts. Adds; wraps around.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockAddU64(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockAddU64",
        TensorReduction.of(PtxTensorCopies.Reduction.ADD, TensorMap.Element.UINT64),
        TensorMap.Element.UINT64.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.min.s32}: begins to join the numbers of
   * a range to their counterparts. Sets the element to the smaller of the two.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockMinS32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockMinS32",
        TensorReduction.of(PtxTensorCopies.Reduction.MIN, TensorMap.Element.INT32),
        TensorMap.Element.INT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.min.u32}: begins to join the numbers of
   * a range to their counterparts. Sets the element to the smaller of the two, as unsigned numbers.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.u32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockMinU32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockMinU32",
        TensorReduction.of(PtxTensorCopies.Reduction.MIN, TensorMap.Element.UINT32),
        TensorMap.Element.UINT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.max.s32}: begins to join the numbers of
   * a range to their counterparts. Sets the element to the larger of the two.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockMaxS32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockMaxS32",
        TensorReduction.of(PtxTensorCopies.Reduction.MAX, TensorMap.Element.INT32),
        TensorMap.Element.INT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.max.u32}: begins to join the numbers of
   * a range to their counterparts. Sets the element to the larger of the two, as unsigned numbers.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.u32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockMaxU32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockMaxU32",
        TensorReduction.of(PtxTensorCopies.Reduction.MAX, TensorMap.Element.UINT32),
        TensorMap.Element.UINT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.and.b32}: begins to join the numbers of
   * a range to their counterparts. Clears the bits that the number lacks.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockAndB32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockAndB32",
        TensorReduction.of(PtxTensorCopies.Reduction.AND, TensorMap.Element.UINT32),
        TensorMap.Element.UINT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.or.b32}: begins to join the numbers of
   * a range to their counterparts. Sets the bits that the number has.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.or.b32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockOrB32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockOrB32",
        TensorReduction.of(PtxTensorCopies.Reduction.OR, TensorMap.Element.UINT32),
        TensorMap.Element.UINT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.xor.b32}: begins to join the numbers of
   * a range to their counterparts. Flips the bits that the number has.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockXorB32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockXorB32",
        TensorReduction.of(PtxTensorCopies.Reduction.XOR, TensorMap.Element.UINT32),
        TensorMap.Element.UINT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.inc.u32}: begins to join the numbers of
   * a range to their counterparts. Adds 1 to the element, or sets it to 0 if it is the number or
   * greater; unsigned.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockIncU32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockIncU32",
        TensorReduction.of(PtxTensorCopies.Reduction.INC, TensorMap.Element.UINT32),
        TensorMap.Element.UINT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }

  /**
   * {@code cp.reduce.async.bulk.shared::cluster.shared::cta.dec.u32}: begins to join the numbers of
   * a range to their counterparts. Subtracts 1 from the element, or sets it to the number if it is
   * 0 or greater than that; unsigned.
   *
   * @param to holds the counterparts, at the same place in each block
   * @param toByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param from holds the numbers
   * @param fromByte the position in it, in bytes from the beginning of the array; a multiple of 16
   * @param bytes how many, a multiple of 16
   * @param barriers holds the barrier that counts them, at the same place in each block
   * @param index of the barrier
   * @param block the rank of the block that has the counterparts, 0 to {@link
   *     PtxClusters#clusterBlocks()} - 1
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
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.dec.u32"
            + " [to], [$2[3]], $4, [barrier];",
        "}"
      },
      sm = 90)
  public static void cpReduceAsyncBulkToBlockDecU32(
      SharedArray to,
      @InRange(multipleOf = 16) int toByte,
      SharedArray from,
      @InRange(multipleOf = 16) int fromByte,
      @InRange(multipleOf = 16) int bytes,
      SharedLongs barriers,
      int index,
      int block) {
    BlockReductions.join(
        "cpReduceAsyncBulkToBlockDecU32",
        TensorReduction.of(PtxTensorCopies.Reduction.DEC, TensorMap.Element.UINT32),
        TensorMap.Element.UINT32.bytes(),
        to.span(),
        toByte,
        from.span(),
        fromByte,
        bytes,
        barriers.span(),
        index,
        block);
  }
}
