package dev.stretto.kernels.attention;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.PtxBarriers;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;

/**
 * The parts of Q, K and V in shared memory, and their barriers.
 *
 * @param queries boxes of Q, of one tile and of the next if there is room
 * @param keys boxes of K, one stage after the other
 * @param values boxes of V
 * @param out the rows of O that are on their way to global memory; where Q is if there is no room
 * @param tiles of each stage of Q: what {@link Tile} tells the warp groups
 * @param barriers of the stages of Q, of K and of V: full ones, then empty ones
 * @param ofQueries how many stages Q has, 1 or 2
 */
record Stages(
    SharedBytes queries,
    SharedBytes keys,
    SharedBytes values,
    SharedBytes out,
    SharedInts tiles,
    SharedLongs barriers,
    @Const int ofQueries) {
  /** How many stages K and V have. */
  static final int COUNT = 2;

  static final int QUERIES = 0;
  static final int KEYS = QUERIES + 2 * COUNT;
  static final int VALUES = KEYS + 2 * COUNT;

  /** How many barriers there are. */
  static final int BARRIERS = VALUES + 2 * COUNT;

  /** The stage of the boxes of K or V with this number. */
  static int stage(int number) {
    return number & (COUNT - 1);
  }

  /** The phase of its stage's barrier. */
  private static int parity(int number) {
    return (number >> 1) & 1;
  }

  /** The stage of the tile of Q with this number. */
  int queryStage(int number) {
    return number & (ofQueries - 1);
  }

  private int queryParity(int number) {
    return (number >> (ofQueries - 1)) & 1;
  }

  /** Waits for the box with this number. */
  void awaitFull(int first, int number) {
    while (!PtxBarriers.mbarrierTryWaitParity(barriers, first + stage(number), parity(number))) {
      // It is on its way.
    }
  }

  /** Waits for the place of the box with this number. */
  void awaitEmpty(int first, int number) {
    while (!PtxBarriers.mbarrierTryWaitParity(
        barriers, first + COUNT + stage(number), parity(number) ^ 1)) {
      // Some warp has not multiplied the one before yet.
    }
  }

  /** Waits for the queries of the tile with this number. */
  void awaitQueries(int number) {
    while (!PtxBarriers.mbarrierTryWaitParity(
        barriers, QUERIES + queryStage(number), queryParity(number))) {
      // They are on their way.
    }
  }

  /** Waits for the place of the queries of the tile with this number. */
  void awaitNoQueries(int number) {
    while (!PtxBarriers.mbarrierTryWaitParity(
        barriers, QUERIES + COUNT + queryStage(number), queryParity(number) ^ 1)) {
      // Some warp still multiplies those of a tile before.
    }
  }

  /** Signals that a warp has multiplied the box with this number. */
  void release(ThreadBlock block, int first, int number) {
    if (block.warp().lane() == 0) {
      PtxBarriers.mbarrierArrive(barriers, first + COUNT + stage(number));
    }
  }

  /** Signals that a warp has multiplied the queries of the tile with this number. */
  void releaseQueries(ThreadBlock block, int number) {
    if (block.warp().lane() == 0) {
      PtxBarriers.mbarrierArrive(barriers, QUERIES + COUNT + queryStage(number));
    }
  }

  /** Waits for a box, and passes over it. */
  void pass(ThreadBlock block, int first, int number) {
    awaitFull(first, number);
    // Its place must not be filled again while a lane still waits.
    block.warp().sync();
    release(block, first, number);
  }
}
