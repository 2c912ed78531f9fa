package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.ThreadBlock;

/**
 * Warps that transpose blocks of 8-bit values: 64 keys each, which become rows of 64 bytes, one for
 * each number. Within 32 keys their order becomes that in which a thread of a warp group has its
 * weights: four of a thread are two neighbours, and the two that are eight further. A sum does not
 * depend on the order.
 */
final class Transposer {
  /** Keys that a warp transposes, and bytes of a row then. */
  static final int KEYS = 64;

  private Transposer() {}

  // @start region="transposer"
  static void transpose(
      ThreadBlock block,
      int warp,
      Stages stages,
      SharedBytes raw,
      Extents extents,
      @Const int dim,
      @Const int variant) {
    boolean unequal = Variant.endsEarly(variant);
    int tiles = Fp8WarpGroups.tiles(extents);
    int lane = block.warp().lane();
    // Pieces of 16 bytes are exchanged: of rows of 128 bytes by the last bits of the row, of rows
    // of
    // 64 bytes by those of every other row.
    int piece = dim == 128 ? lane % 8 * 16 : lane / 2 % 4 * 16;
    int source = warp * KEYS * dim + lane * dim;
    int row = 2 * (lane % 8) + lane / 8 % 2;
    int target = warp * KEYS * dim + row * KEYS;
    int half = lane / 16 * 16 ^ row / 2 % 4 * 16;
    int number = 0;
    for (int round = 0; Tile.number(block, round, unequal) < tiles; round++) {
      Tile tile =
          Tile.of(
              Tile.number(block, round, unequal),
              extents,
              Fp8WarpGroups.ROWS,
              Fp8WarpGroups.KEYS,
              variant);
      for (int i = tile.blocks() - 1; i >= tile.from(); i--) {
        stages.awaitFull(Fp8WarpGroups.RAW, number);
        stages.awaitEmpty(Stages.VALUES, number);
        int at = Stages.stage(number) * Fp8WarpGroups.KEYS * dim;
        for (int numbers = 0; numbers < dim / 16; numbers++) {
          int from = at + source + (numbers * 16 ^ piece);
          int to = at + target + numbers * 16 * KEYS;
          int[] upper = new int[4];
          int[] lower = new int[4];
          Ptx.ldmatrixX4Trans(upper, 0, raw, from);
          Ptx.ldmatrixX4Trans(lower, 0, raw, from + 32 * dim);
          Ptx.stmatrixX4(stages.values(), to + half, rows(upper), 0);
          Ptx.stmatrixX4(stages.values(), to + (half ^ 32), rows(lower), 0);
        }
        // What this warp has stored is for products, which read by another way.
        PtxBulkCopies.fenceProxyAsyncShared();
        block.warp().sync();
        stages.release(block, Fp8WarpGroups.RAW, number);
        if (lane == 0) {
          PtxBarriers.mbarrierArrive(stages.barriers(), Stages.VALUES + Stages.stage(number));
        }
        number++;
      }
    }
  }

  /** Of numbers 2 i and 2 i + 1 of each of 32 keys, the even ones and the odd ones. */
  private static int[] rows(int[] pairs) {
    int[] rows = new int[4];
    rows[0] = Ptx.prmt(pairs[0], pairs[1], 0x6420);
    rows[1] = Ptx.prmt(pairs[0], pairs[1], 0x7531);
    rows[2] = Ptx.prmt(pairs[2], pairs[3], 0x6420);
    rows[3] = Ptx.prmt(pairs[2], pairs[3], 0x7531);
    return rows;
  }
  // @end
}
