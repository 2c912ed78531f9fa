// Generated from tools/families/SelectKernel.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.memory.GlobalLongs;

/** The kernels that keep some of many longs: each element is read once. */
final class LongSelection {
  static final int THREADS = 256;

  private static final int WARPS = THREADS / 32;
  private static final int WIDTH = LongElements.WIDTH;

  /** So many accesses of 16 bytes are on their way for each thread. */
  private static final int ROWS = 4;

  /** The elements of a warp that one access moves: at most 128, so that a byte counts them. */
  private static final int ROW = 32 * WIDTH;

  /** A bit for each element of an access. */
  private static final int MASK = (1 << WIDTH) - 1;

  private static final int ITEMS = ROWS * WIDTH;

  /** So many elements are a block's. */
  static final int TILE = THREADS * ITEMS;

  private LongSelection() {}

  /**
   * Keeps what compares so with a value.
   *
   * @param comparison the ordinal of a {@link Comparison}
   * @param few whether an int counts all elements, so that a total is one word
   * @param words zeros, as many as {@link Totals#words} says for two of each total
   */
  @Kernel(maxThreads = THREADS, minBlocks = 6)
  static void where(
      ThreadBlock block,
      GlobalLongs in,
      long value,
      GlobalLongs out,
      GlobalLongs count,
      GlobalLongs words,
      @Const int comparison,
      @Const boolean aligned,
      @Const boolean few) {
    int tile = Tickets.next(block, words);
    long[] items = new long[ITEMS];
    int left = read(block, in, tile, items, aligned);
    int inTile = inTile(block);
    int kept = 0;
    for (int i = 0; i < ITEMS; i++) {
      boolean keeps = holds(comparison, items[i], value) && inTile + offset(i) < left;
      kept |= keeps ? 1 << i : 0;
    }
    write(block, items, kept, tile, tiles(in), out, count, words, few);
  }

  /**
   * Keeps what has a flag that is not 0.
   *
   * @param words as for the other one
   */
  @Kernel(maxThreads = THREADS, minBlocks = 6)
  static void flagged(
      ThreadBlock block,
      GlobalLongs in,
      GlobalBytes flags,
      GlobalLongs out,
      GlobalLongs count,
      GlobalLongs words,
      @Const boolean aligned,
      @Const boolean few) {
    int tile = Tickets.next(block, words);
    long[] items = new long[ITEMS];
    int left = read(block, in, tile, items, aligned);
    int inTile = inTile(block);
    long at = (long) tile * TILE + inTile;
    int kept = 0;
    for (int i = 0; i < ITEMS; i++) {
      int offset = offset(i);
      if (inTile + offset < left && flags.get(at + offset) != 0) {
        kept |= 1 << i;
      }
    }
    write(block, items, kept, tile, tiles(in), out, count, words, few);
  }

  private static boolean holds(int comparison, long item, long value) {
    if (comparison == Comparison.IS_LESS) {
      return item < value;
    }
    if (comparison == Comparison.IS_AT_MOST) {
      return item <= value;
    }
    if (comparison == Comparison.IS_EQUAL) {
      return item == value;
    }
    if (comparison == Comparison.IS_NOT_EQUAL) {
      return item != value;
    }
    return comparison == Comparison.IS_AT_LEAST ? item >= value : item > value;
  }

  private static int tiles(GlobalLongs in) {
    return (int) Math.ceilDiv(in.length(), TILE);
  }

  /** {@return where in its tile a thread's first element is} */
  private static int inTile(ThreadBlock block) {
    Warp warp = block.warp();
    return warp.index() * ROWS * ROW + warp.lane() * WIDTH;
  }

  /** {@return how far an element is behind the thread's first one} */
  private static int offset(int item) {
    return item / WIDTH * ROW + item % WIDTH;
  }

  /** {@return how many elements the tile has} */
  private static int read(
      ThreadBlock block, GlobalLongs in, int tile, long[] items, boolean aligned) {
    int inTile = inTile(block);
    long start = (long) tile * TILE;
    long at = start + inTile;
    int left = (int) Math.min(in.length() - start, TILE);
    if (aligned && left == TILE) {
      for (int row = 0; row < ROWS; row++) {
        int inWarp = row * ROW;
        LongElements.load(in, at + inWarp, items, row * WIDTH);
      }
    } else {
      for (int i = 0; i < ITEMS; i++) {
        int offset = offset(i);
        items[i] = inTile + offset < left ? in.get(at + offset) : 0;
      }
    }
    return left;
  }

  /** Writes what is kept behind what earlier tiles keep, in the order of the input. */
  private static void write(
      ThreadBlock block,
      long[] items,
      int kept,
      int tile,
      int tiles,
      GlobalLongs out,
      GlobalLongs count,
      GlobalLongs words,
      boolean few) {
    SharedInts ofWarps = block.sharedInts(WARPS);
    SharedLongs staged = block.sharedLongs(TILE);
    Warp warp = block.warp();
    int lane = warp.lane();
    // A byte for each row: how many the lane keeps, then how many it and those before it keep.
    int ofLane = 0;
    for (int row = 0; row < ROWS; row++) {
      int ofRow = (kept >>> (row * WIDTH)) & MASK;
      ofLane |= Integer.bitCount(ofRow) << (8 * row);
    }
    int upToLane = IntElements.inclusive(warp, Operation.SUM, ofLane);
    int ofRows = warp.shuffle(upToLane, 31);
    int ofWarp = 0;
    for (int row = 0; row < ROWS; row++) {
      ofWarp += (ofRows >>> (8 * row)) & 0xff;
    }
    if (lane == 0) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    int earlier = 0;
    int ofTile = 0;
    for (int i = 0; i < WARPS; i++) {
      earlier = i == warp.index() ? ofTile : earlier;
      ofTile += ofWarps.get(i);
    }
    int before = upToLane - ofLane;
    for (int row = 0; row < ROWS; row++) {
      int to = earlier + ((before >>> (8 * row)) & 0xff);
      for (int k = 0; k < WIDTH; k++) {
        if (((kept >>> (row * WIDTH + k)) & 1) != 0) {
          staged.set(to, items[row * WIDTH + k]);
          to++;
        }
      }
      earlier += (ofRows >>> (8 * row)) & 0xff;
    }
    // The barriers in it come between writing and reading what is staged.
    long ofEarlierTiles =
        few
            ? IntScan.before(block, words, Operation.SUM, tile, tiles, ofTile)
            : LongScan.before(block, words, Operation.SUM, tile, tiles, ofTile);
    int thread = block.threadIndexX();
    for (int i = thread; i < ofTile; i += THREADS) {
      out.set(ofEarlierTiles + i, staged.get(i));
    }
    if (tile == tiles - 1 && thread == 0) {
      count.set(0, ofEarlierTiles + ofTile);
    }
  }
}
