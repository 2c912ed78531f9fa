package dev.stretto.kernels.product;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.PtxTensorCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.Swizzle;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float2;
import dev.stretto.memory.GlobalShorts;
import dev.stretto.memory.TensorMap;

/**
 * How the sums of a warp group leave its registers: through shared memory, as boxes, which clip
 * what is outside C. While boxes are read from there, the group multiplies its next tile.
 */
final class WarpGroupOutput {
  private static final int SPAN = 128;

  /** A box of C, 64 columns of 64 rows, or of sums, 32 columns of 64 rows. */
  private static final int BYTES_OUT = 64 * SPAN;

  /** What both warp groups need: two boxes each. */
  static final int BYTES = 4 * BYTES_OUT;

  private WarpGroupOutput() {}

  /** {@return how many columns of a tile a warp group has} */
  static int columnsOfGroup(@Const int tiling) {
    return Tiling.columns(tiling) * Tiling.rows(tiling) / 128;
  }

  /** {@return how many boxes of C a warp group stores at a time} */
  private static int boxesOut(@Const int tiling) {
    return Math.min(2, columnsOfGroup(tiling) / 64);
  }

  /** Finishes and rounds the sums and stores them as boxes of 64 columns, two at a time. */
  static void store(
      ThreadBlock block,
      int group,
      SharedBytes out,
      float[] sum,
      TensorMap c,
      GlobalShorts bias,
      int column,
      int row,
      int number,
      int n,
      @Const int tiling,
      @Const int variant) {
    int lane = block.warp().lane();
    int inGroup = block.threadRank() % 128;
    int boxes = boxesOut(tiling);
    int[] pairs = new int[4];
    // Each lane gives the address of a row of 8 numbers: of 16 rows of the warp, two such rows side
    // by side.
    int line = inGroup / 32 * 16 + lane % 16;
    for (int part = 0; part < columnsOfGroup(tiling) / 64 / boxes; part++) {
      if (inGroup == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      Ptx.barSync(group + 1, 128);
      for (int i = 0; i < 4 * boxes; i++) {
        for (int p = 0; p < 4; p++) {
          int at = part * boxes * 32 + i * 8 + 2 * p;
          int x = column + at / 4 * 8 + lane % 4 * 2;
          pairs[p] =
              Epilogue.pack(
                  Epilogue.finish(sum[at], bias, x, n, variant),
                  Epilogue.finish(sum[at + 1], bias, x + 1, n, variant),
                  variant);
        }
        int place = Swizzle.bytes128(line * SPAN + (i % 4 * 2 + lane / 16) * 16);
        Ptx.stmatrixX4(out, (2 * group + i / 4) * BYTES_OUT + place, pairs, 0);
      }
      PtxBulkCopies.fenceProxyAsyncShared();
      Ptx.barSync(group + 1, 128);
      if (inGroup == 0) {
        for (int box = 0; box < boxes; box++) {
          int x = column + (part * boxes + box) * 64;
          int at = (2 * group + box) * BYTES_OUT;
          if (Variant.has(variant, Variant.BATCHED)) {
            PtxTensorCopies.cpAsyncBulkTensorToGlobal(c, x, row, number, out, at);
          } else {
            PtxTensorCopies.cpAsyncBulkTensorToGlobal(c, x, row, out, at);
          }
        }
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
  }

  /** Stores the sums of a part of the inner dimension as boxes of 32 columns, two at a time. */
  static void storeSums(
      ThreadBlock block,
      int group,
      SharedBytes out,
      float[] sum,
      TensorMap sums,
      int column,
      int row,
      int number,
      @Const int tiling) {
    SharedFloats floats = out.asFloats();
    int lane = block.warp().lane();
    int inGroup = block.threadRank() % 128;
    int line = inGroup / 32 * 16 + lane / 4;
    for (int part = 0; part < columnsOfGroup(tiling) / 64; part++) {
      if (inGroup == 0) {
        PtxBulkCopies.cpAsyncBulkWaitGroupRead(0);
      }
      Ptx.barSync(group + 1, 128);
      for (int i = 0; i < 16; i++) {
        int at = part * 32 + 2 * i;
        int inRow = (i / 2 % 4 * 8 + lane % 4 * 2) * Float.BYTES;
        int place = Swizzle.bytes128((line + i % 2 * 8) * SPAN + inRow);
        int to = (2 * group + i / 8) * BYTES_OUT + place;
        floats.set2(to / Float.BYTES, new Float2(sum[at], sum[at + 1]));
      }
      PtxBulkCopies.fenceProxyAsyncShared();
      Ptx.barSync(group + 1, 128);
      if (inGroup == 0) {
        for (int box = 0; box < 2; box++) {
          PtxTensorCopies.cpAsyncBulkTensorToGlobal(
              sums, column + part * 64 + box * 32, row, number, out, (2 * group + box) * BYTES_OUT);
        }
        PtxBulkCopies.cpAsyncBulkCommitGroup();
      }
    }
  }
}
