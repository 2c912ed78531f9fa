// Generated from tools/families/TensorColumns.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import dev.stretto.memory.TensorMap;

/**
 * Asynchronous copies of columns of pixels to shared memory, as a convolution reads its input: like
 * those of {@link TensorTiles} for boxes, all threads of the block call a method, and one of them
 * makes the tensor memory accelerator (TMA) copy. A thread that waits for the phase of the barrier,
 * or for the stage of the pipeline, sees the column. They need compute capability 9.0.
 *
 * <p>The map is one for {@linkplain TensorMap.Builder#im2col im2col}. Pixels outside their image
 * arrive as zeros, or as the map's fill value. {@link PtxIm2colCopies} has the instructions with
 * their rules, and copies in the other direction.
 */
public final class TensorColumns {
  private static final int ALIGNMENT = 128;
  private static final String ON_BARRIER =
      "the barrier counts the bytes; a thread that waits for its phase sees them";
  private static final String IN_STAGE =
      "the stage's barrier counts the bytes; a thread that waits for the stage sees them";

  private TensorColumns() {}

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
   * Begins to copy a column of pixels of images of one dimension.
   *
   * @param block the block; all of its threads call this
   * @param to receives the column
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param offsetW what is added to each pixel's place along the width, at most 0xffff
   * @param elements how many of the array's elements a column takes, including those outside of the
   *     images
   * @param barrier the barrier that the copy completes on
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int c,
      int w,
      int n,
      @InRange(to = 0xffff) int offsetW,
      int elements,
      Barrier barrier) {
    int bytes = bytes(to, elements, ON_BARRIER);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(barrier.words(), barrier.index(), bytes);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          to, toIndex * to.elementBytes(), map, c, w, n, offsetW, barrier.words(), barrier.index());
    }
    meet(block, barrier);
  }

  /**
   * Begins to copy a column of pixels of images of one dimension.
   *
   * @param block the block; all of its threads call this
   * @param to receives the column
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param n the image of the first pixel
   * @param offsetW what is added to each pixel's place along the width, at most 0xffff
   * @param elements how many of the array's elements a column takes, including those outside of the
   *     images
   * @param pipeline the pipeline whose current stage receives the column
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int c,
      int w,
      int n,
      @InRange(to = 0xffff) int offsetW,
      int elements,
      Pipeline pipeline) {
    int bytes = bytes(to, elements, IN_STAGE);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(pipeline.full(), pipeline.producerStage(), bytes);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          c,
          w,
          n,
          offsetW,
          pipeline.full(),
          pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a column of pixels of images of two dimensions.
   *
   * @param block the block; all of its threads call this
   * @param to receives the column
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0xff
   * @param offsetH what is added to each pixel's place along the height, at most 0xff
   * @param elements how many of the array's elements a column takes, including those outside of the
   *     images
   * @param barrier the barrier that the copy completes on
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      @InRange(to = 0xff) int offsetW,
      @InRange(to = 0xff) int offsetH,
      int elements,
      Barrier barrier) {
    int bytes = bytes(to, elements, ON_BARRIER);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(barrier.words(), barrier.index(), bytes);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          c,
          w,
          h,
          n,
          offsetW,
          offsetH,
          barrier.words(),
          barrier.index());
    }
    meet(block, barrier);
  }

  /**
   * Begins to copy a column of pixels of images of two dimensions.
   *
   * @param block the block; all of its threads call this
   * @param to receives the column
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0xff
   * @param offsetH what is added to each pixel's place along the height, at most 0xff
   * @param elements how many of the array's elements a column takes, including those outside of the
   *     images
   * @param pipeline the pipeline whose current stage receives the column
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int c,
      int w,
      int h,
      int n,
      @InRange(to = 0xff) int offsetW,
      @InRange(to = 0xff) int offsetH,
      int elements,
      Pipeline pipeline) {
    int bytes = bytes(to, elements, IN_STAGE);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(pipeline.full(), pipeline.producerStage(), bytes);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          c,
          w,
          h,
          n,
          offsetW,
          offsetH,
          pipeline.full(),
          pipeline.producerStage());
    }
  }

  /**
   * Begins to copy a column of pixels of images of three dimensions.
   *
   * @param block the block; all of its threads call this
   * @param to receives the column
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0x1f
   * @param offsetH what is added to each pixel's place along the height, at most 0x1f
   * @param offsetD what is added to each pixel's place along the depth, at most 0x1f
   * @param elements how many of the array's elements a column takes, including those outside of the
   *     images
   * @param barrier the barrier that the copy completes on
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      @InRange(to = 0x1f) int offsetW,
      @InRange(to = 0x1f) int offsetH,
      @InRange(to = 0x1f) int offsetD,
      int elements,
      Barrier barrier) {
    int bytes = bytes(to, elements, ON_BARRIER);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(barrier.words(), barrier.index(), bytes);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          c,
          w,
          h,
          d,
          n,
          offsetW,
          offsetH,
          offsetD,
          barrier.words(),
          barrier.index());
    }
    meet(block, barrier);
  }

  /**
   * Begins to copy a column of pixels of images of three dimensions.
   *
   * @param block the block; all of its threads call this
   * @param to receives the column
   * @param toIndex of the first element in {@code to}, a multiple of 128 bytes
   * @param map gives the images, the bounding box and the size of a column
   * @param c the first channel; a multiple of 16 bytes
   * @param w the place of the first pixel along the width, within the bounding box
   * @param h its place along the height, within the bounding box
   * @param d its place along the depth, within the bounding box
   * @param n its image
   * @param offsetW what is added to each pixel's place along the width, at most 0x1f
   * @param offsetH what is added to each pixel's place along the height, at most 0x1f
   * @param offsetD what is added to each pixel's place along the depth, at most 0x1f
   * @param elements how many of the array's elements a column takes, including those outside of the
   *     images
   * @param pipeline the pipeline whose current stage receives the column
   */
  public static void memcpyAsync(
      ThreadBlock block,
      SharedArray to,
      int toIndex,
      TensorMap map,
      int c,
      int w,
      int h,
      int d,
      int n,
      @InRange(to = 0x1f) int offsetW,
      @InRange(to = 0x1f) int offsetH,
      @InRange(to = 0x1f) int offsetD,
      int elements,
      Pipeline pipeline) {
    int bytes = bytes(to, elements, IN_STAGE);
    if (block.threadRank() == 0) {
      PtxBarriers.mbarrierExpectTx(pipeline.full(), pipeline.producerStage(), bytes);
      PtxIm2colCopies.cpAsyncBulkTensorIm2colToShared(
          to,
          toIndex * to.elementBytes(),
          map,
          c,
          w,
          h,
          d,
          n,
          offsetW,
          offsetH,
          offsetD,
          pipeline.full(),
          pipeline.producerStage());
    }
  }
}
