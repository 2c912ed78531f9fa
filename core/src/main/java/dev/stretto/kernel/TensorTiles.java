// Generated from tools/families/TensorTiles.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.memory.TensorMap;

/**
 * Asynchronous copies of boxes of tensors to shared memory, as {@link ThreadBlock} has them for
 * runs of elements: all threads of the block call a method, one of them has the tensor memory
 * accelerator (TMA) copy, and whoever waits for the phase of the barrier, or for the stage of the
 * pipeline, has the box. They need compute capability 9.0.
 *
 * <p>What of a box lies outside of the tensor arrives as zeros, or as the map's fill says. {@link
 * PtxTensorCopies} has the instructions, and boxes the other way.
 */
public final class TensorTiles {
  private static final int ALIGNMENT = 128;
  private static final String ON_BARRIER =
      "the barrier counts the bytes; whoever waits for its phase has them";
  private static final String IN_STAGE =
      "the stage's barrier counts the bytes; whoever waits for the stage has them";

  private TensorTiles() {}

  private static int bytes(SharedArray to, int elements, String completion) {
    int bytes = elements * to.elementBytes();
    CopyNotes.note(
        CopyNotes.TO_SHARED,
        "cp.async.bulk.tensor",
        completion,
        "a tensor map says which elements",
        "",
        bytes,
        1,
        ALIGNMENT);
    return bytes;
  }

  /** Before a thread may arrive for all, the bytes have to be expected. */
  private static void meet(ThreadBlock block, Barrier barrier) {
    if (barrier.isArrivedAtForOthers()) {
      block.sync();
    }
  }

  /**
   * Begins to copy a box of a tensor of one dimension.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param barrier on which the copy completes
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int elements,
      Barrier barrier) {
    int bytes = bytes(to, elements, ON_BARRIER);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(barrier.words(), barrier.index(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, barrier.words(), barrier.index());
    }
    meet(block, barrier);
  }

  /**
   * Begins to copy a box of a tensor of one dimension.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param pipeline whose stage, the one that is being produced, has it
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int elements,
      Pipeline pipeline) {
    int bytes = bytes(to, elements, IN_STAGE);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(pipeline.words(), 2 * pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, pipeline.words(), 2 * pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a box of a tensor of two dimensions.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param barrier on which the copy completes
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int y,
      int elements,
      Barrier barrier) {
    int bytes = bytes(to, elements, ON_BARRIER);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(barrier.words(), barrier.index(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, y, barrier.words(), barrier.index());
    }
    meet(block, barrier);
  }

  /**
   * Begins to copy a box of a tensor of two dimensions.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param pipeline whose stage, the one that is being produced, has it
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int y,
      int elements,
      Pipeline pipeline) {
    int bytes = bytes(to, elements, IN_STAGE);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(pipeline.words(), 2 * pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          x,
          y,
          pipeline.words(),
          2 * pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a box of a tensor of three dimensions.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param barrier on which the copy completes
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int y,
      int z,
      int elements,
      Barrier barrier) {
    int bytes = bytes(to, elements, ON_BARRIER);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(barrier.words(), barrier.index(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, y, z, barrier.words(), barrier.index());
    }
    meet(block, barrier);
  }

  /**
   * Begins to copy a box of a tensor of three dimensions.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param pipeline whose stage, the one that is being produced, has it
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int y,
      int z,
      int elements,
      Pipeline pipeline) {
    int bytes = bytes(to, elements, IN_STAGE);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(pipeline.words(), 2 * pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          x,
          y,
          z,
          pipeline.words(),
          2 * pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a box of a tensor of four dimensions.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param barrier on which the copy completes
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int elements,
      Barrier barrier) {
    int bytes = bytes(to, elements, ON_BARRIER);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(barrier.words(), barrier.index(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, y, z, u, barrier.words(), barrier.index());
    }
    meet(block, barrier);
  }

  /**
   * Begins to copy a box of a tensor of four dimensions.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param pipeline whose stage, the one that is being produced, has it
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int elements,
      Pipeline pipeline) {
    int bytes = bytes(to, elements, IN_STAGE);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(pipeline.words(), 2 * pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          x,
          y,
          z,
          u,
          pipeline.words(),
          2 * pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a box of a tensor of five dimensions.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param barrier on which the copy completes
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      int elements,
      Barrier barrier) {
    int bytes = bytes(to, elements, ON_BARRIER);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(barrier.words(), barrier.index(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, y, z, u, v, barrier.words(), barrier.index());
    }
    meet(block, barrier);
  }

  /**
   * Begins to copy a box of a tensor of five dimensions.
   *
   * @param block whose threads all call this
   * @param to gets the box
   * @param toIndex of the first element there, a multiple of 128 bytes
   * @param map says which tensor and how large a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param elements how many of the array's elements a box takes, those outside of the tensor
   *     included
   * @param pipeline whose stage, the one that is being produced, has it
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int x,
      int y,
      int z,
      int u,
      int v,
      int elements,
      Pipeline pipeline) {
    int bytes = bytes(to, elements, IN_STAGE);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(pipeline.words(), 2 * pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          x,
          y,
          z,
          u,
          v,
          pipeline.words(),
          2 * pipeline.producerStage());
    }
  }
}
