package dev.stretto.kernels.product;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.PtxClusters;
import dev.stretto.kernel.SharedFloats;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.Float4;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalShorts;

/**
 * How the blocks of a cluster, each of which has multiplied a part of the inner dimension, add
 * their sums: each block leaves its own in shared memory, and finishes some of the tile's columns
 * with what all blocks have left. The order of the sum is that of the blocks.
 */
final class GatheredSums {
  /** The barrier of both warp groups; those of one group are before it. */
  private static final int BARRIER = 3;

  private static final int THREADS = 256;

  /** How many times 8 columns a thread finishes at a time, so that it waits once for all. */
  private static final int AT_ONCE = 4;

  private GatheredSums() {}

  /** {@return how many times 8 columns a warp group has: 4 sums of each thread} */
  private static int parts(@Const int tiling) {
    return WarpGroupOutput.columnsOfGroup(tiling) / 8;
  }

  /** Where a thread's sums of 8 columns are. Those of the group's threads follow each other. */
  private static int place(int group, int part, int inGroup, @Const int tiling) {
    return ((group * parts(tiling) + part) * 128 + inGroup) * 4;
  }

  /** Leaves a thread's sums where the stages were, when both warp groups have read them. */
  static void put(
      ThreadBlock block, int group, SharedFloats stages, float[] sum, @Const int tiling) {
    int inGroup = block.threadRank() % 128;
    Ptx.barSync(BARRIER, THREADS);
    for (int part = 0; part < parts(tiling); part++) {
      int at = 4 * part;
      stages.set4(
          place(group, part, inGroup, tiling),
          new Float4(sum[at], sum[at + 1], sum[at + 2], sum[at + 3]));
    }
  }

  /** Adds the sums of some columns of all blocks, finishes, rounds and stores them. */
  static void store(
      ThreadBlock block,
      int group,
      SharedFloats stages,
      GlobalInts pairs,
      GlobalShorts bias,
      int m,
      int n,
      int splits,
      @Const int tiling,
      @Const int variant) {
    int rank = PtxClusters.clusterBlockRank();
    int inGroup = block.threadRank() % 128;
    int lane = inGroup % 32;
    int rows = Tiling.rows(tiling);
    int columns = Tiling.columns(tiling);
    int across = (n + columns - 1) / columns;
    int down = (m + rows - 1) / rows;
    int item = block.blockIndexX() / splits;
    int number = item / (across * down);
    int tile = item - number * (across * down);
    int groupDown = rows == 64 ? 0 : group;
    int groupAcross = rows == 64 ? group : 0;
    int row = Tiling.row(tile, across, down) * rows + groupDown * 64 + inGroup / 32 * 16 + lane / 4;
    int column =
        Tiling.column(tile, across, down) * columns
            + groupAcross * WarpGroupOutput.columnsOfGroup(tiling)
            + lane % 4 * 2;
    int each = (parts(tiling) + splits - 1) / splits;
    int end = Math.min(parts(tiling), (rank + 1) * each);
    for (int first = rank * each; first < end; first += AT_ONCE) {
      float[] ofColumns = new float[2 * AT_ONCE];
      for (int i = 0; i < ofColumns.length; i++) {
        int x = Math.min(n - 1, column + 8 * (first + i / 2) + i % 2);
        ofColumns[i] = Epilogue.bias(bias, x, variant);
      }
      float[] all = new float[4 * AT_ONCE];
      for (int other = 0; other < splits; other++) {
        SharedFloats sums = block.cluster().shared(stages, other);
        for (int i = 0; i < AT_ONCE; i++) {
          int part = Math.min(parts(tiling) - 1, first + i);
          Float4 more = sums.get4(place(group, part, inGroup, tiling));
          all[4 * i] += more.x();
          all[4 * i + 1] += more.y();
          all[4 * i + 2] += more.z();
          all[4 * i + 3] += more.w();
        }
      }
      for (int i = 0; i < AT_ONCE; i++) {
        int x = column + 8 * (first + i);
        if (first + i < end && x < n) {
          long at = ((long) number * m + row) * n + x;
          for (int half = 0; half < 2; half++) {
            if (row + 8 * half < m) {
              int packed =
                  Epilogue.pack(
                      Epilogue.activate(all[4 * i + 2 * half] + ofColumns[2 * i], variant),
                      Epilogue.activate(all[4 * i + 2 * half + 1] + ofColumns[2 * i + 1], variant),
                      variant);
              pairs.set(at / 2 + 4L * n * half, packed);
            }
          }
        }
      }
    }
  }
}
