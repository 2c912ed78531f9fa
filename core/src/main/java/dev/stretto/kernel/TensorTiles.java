// Generated from tools/families/TensorTiles.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.memory.TensorMap;

/**
 * Asynchronous copies of boxes of tensors to shared memory, like those of {@link ThreadBlock} for
 * runs of elements: all threads of the block call a method, and one of them makes the tensor memory
 * accelerator (TMA) copy. A thread that waits for the phase of the barrier, or for the stage of the
 * pipeline, sees the box. They need compute capability 9.0.
 *
 * <p>The parts of a box outside the tensor arrive as zeros, or as the map's fill value. {@link
 * PtxTensorCopies} has the instructions, and copies in the other direction.
 */
public final class TensorTiles {
  private static final int ALIGNMENT = 128;
  private static final String ON_BARRIER =
      "the barrier counts the bytes; a thread that waits for its phase sees them";
  private static final String IN_STAGE =
      "the stage's barrier counts the bytes; a thread that waits for the stage sees them";

  private TensorTiles() {}

  private static int bytes(SharedArray to, int elements, String completion) {
    int bytes = elements * to.elementBytes();
    CopyNotes.note(
        CopyNotes.TO_SHARED,
        "cp.async.bulk.tensor",
        completion,
        "a tensor map gives the elements",
        "",
        bytes,
        1,
        ALIGNMENT);
    return bytes;
  }

  /** The barrier must expect the bytes before a thread may arrive for all. */
  private static void meet(ThreadBlock block, Barrier barrier) {
    if (barrier.isArrivedAtForOthers()) {
      block.sync();
    }
  }

  /**
   * Begins to copy a box of a tensor of one dimension.
   *
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param barrier the barrier that the copy completes on
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
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param pipeline the pipeline whose current stage receives the box
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
      PtxBarriers.mbarrierExpectTx(pipeline.full(), pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, pipeline.full(), pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a box of a tensor of two dimensions.
   *
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param barrier the barrier that the copy completes on
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
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param pipeline the pipeline whose current stage receives the box
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
      PtxBarriers.mbarrierExpectTx(pipeline.full(), pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, y, pipeline.full(), pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a box of a tensor of three dimensions.
   *
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param barrier the barrier that the copy completes on
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
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param pipeline the pipeline whose current stage receives the box
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
      PtxBarriers.mbarrierExpectTx(pipeline.full(), pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to, toIndex * to.elementBytes(), map, x, y, z, pipeline.full(), pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a box of a tensor of four dimensions.
   *
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param barrier the barrier that the copy completes on
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
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param pipeline the pipeline whose current stage receives the box
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
      PtxBarriers.mbarrierExpectTx(pipeline.full(), pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          x,
          y,
          z,
          u,
          pipeline.full(),
          pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a box of a tensor of five dimensions.
   *
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param barrier the barrier that the copy completes on
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
   * @param block the block; all of its threads call this
   * @param to receives the box
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the tensor and the size of a box
   * @param x where the box begins in the innermost dimension, in elements; a multiple of 16 bytes
   * @param y where it begins in dimension 2
   * @param z where it begins in dimension 3
   * @param u where it begins in dimension 4
   * @param v where it begins in dimension 5
   * @param elements how many of the array's elements a box takes, including those outside the
   *     tensor
   * @param pipeline the pipeline whose current stage receives the box
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
      PtxBarriers.mbarrierExpectTx(pipeline.full(), pipeline.producerStage(), bytes);
      PtxTensorCopies.cpAsyncBulkTensorToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          x,
          y,
          z,
          u,
          v,
          pipeline.full(),
          pipeline.producerStage());
    }
  }
}
