package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.PtxBulkCopies;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.Swizzle;
import dev.stretto.kernel.ThreadBlock;

/**
 * Warps that transpose blocks of 8-bit values. Within 32 keys their order becomes that in which a
 * thread of a warp group has its weights: four of a thread are two neighbours, and the two that are
 * eight further. A sum does not depend on the order.
 */
final class Transposer {
  private Transposer() {}

  // @start region="transposer"
  static void transpose(
      ThreadBlock block,
      int warp,
      Stages stages,
      SharedBytes raw,
      Extents extents,
      @Const int variant) {
    boolean unequal = Variant.endsEarly(variant);
    int tiles = Fp8WarpGroups.tiles(extents);
    int number = 0;
    for (int round = 0; Tile.number(block, round, unequal) < tiles; round++) {
      Tile tile =
          Tile.of(Tile.number(block, round, unequal), extents, 128, Fp8WarpGroups.KEYS, variant);
      for (int i = tile.blocks() - 1; i >= tile.from(); i--) {
        stages.awaitFull(Fp8WarpGroups.RAW, number);
        stages.awaitEmpty(Stages.VALUES, number);
        int at = Stages.stage(number) * Fp8WarpGroups.BYTES;
        for (int part = warp; part < 32; part += Fp8WarpGroups.TRANSPOSERS) {
          part(block.warp().lane(), raw, stages.values(), at, part / 8, part % 8);
        }
        // What this warp has stored is for products, which read by another way.
        PtxBulkCopies.fenceProxyAsyncShared();
        block.warp().sync();
        stages.release(block, Fp8WarpGroups.RAW, number);
        if (block.warp().lane() == 0) {
          PtxBarriers.mbarrierArrive(stages.barriers(), Stages.VALUES + Stages.stage(number));
        }
        number++;
      }
    }
  }

  /** Transposes 32 keys of 16 numbers. */
  private static void part(
      int lane, SharedBytes raw, SharedBytes values, int at, int keys, int numbers) {
    int[] pairs = new int[4];
    int from = Swizzle.bytes128((32 * keys + lane) * Fp8WarpGroups.SPAN + 16 * numbers);
    Ptx.ldmatrixX4Trans(pairs, 0, raw, at + from);
    // Of numbers 2 i and 2 i + 1 of each key, the even ones and the odd ones.
    int[] rows = new int[4];
    rows[0] = Ptx.prmt(pairs[0], pairs[1], 0x6420);
    rows[1] = Ptx.prmt(pairs[0], pairs[1], 0x7531);
    rows[2] = Ptx.prmt(pairs[2], pairs[3], 0x6420);
    rows[3] = Ptx.prmt(pairs[2], pairs[3], 0x7531);
    int row = 16 * numbers + 2 * (lane % 8) + lane / 8 % 2;
    int to = Swizzle.bytes128(row * Fp8WarpGroups.SPAN + 32 * keys + lane / 16 * 16);
    Ptx.stmatrixX4(values, at + to, rows, 0);
  }
  // @end
}
