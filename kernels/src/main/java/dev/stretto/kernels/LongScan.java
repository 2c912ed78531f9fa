// Generated from tools/families/ScanKernel.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalLongs;

/** The kernel of running totals of longs: each element is read once and written once. */
final class LongScan {
  static final int THREADS = 256;

  private static final int WARPS = THREADS / 32;
  private static final int WIDTH = LongElements.WIDTH;

  /** So many accesses of 16 bytes are on their way for each thread. */
  private static final int ROWS = 4;

  /** The elements of a warp that one access moves. */
  private static final int ROW = 32 * WIDTH;

  private static final int ITEMS = ROWS * WIDTH;

  /** So many elements are a block's. */
  static final int TILE = THREADS * ITEMS;

  private LongScan() {}

  /**
   * Each block takes the next tile.
   *
   * @param words zeros, as many as {@link Totals#words} says for {@code WORDS} of each total
   * @param inclusive whether an element is part of its own total
   */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void scan(
      ThreadBlock block,
      GlobalLongs in,
      GlobalLongs out,
      GlobalLongs words,
      @Const int operation,
      @Const boolean inclusive) {
    scan(block, in, out, words, operation, inclusive, true);
  }

  /** The same for arrays that cannot be moved 16 bytes at a time; the indices need registers. */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void scanOneByOne(
      ThreadBlock block,
      GlobalLongs in,
      GlobalLongs out,
      GlobalLongs words,
      @Const int operation,
      @Const boolean inclusive) {
    scan(block, in, out, words, operation, inclusive, false);
  }

  private static void scan(
      ThreadBlock block,
      GlobalLongs in,
      GlobalLongs out,
      GlobalLongs words,
      int operation,
      boolean inclusive,
      boolean aligned) {
    int tile = Tickets.next(block, words);
    Warp warp = block.warp();
    int lane = warp.lane();
    long length = in.length();
    int inTile = warp.index() * ROWS * ROW + lane * WIDTH;
    long at = (long) tile * TILE + inTile;
    int left = (int) Math.min(length - (long) tile * TILE, TILE);
    boolean whole = aligned && left == TILE;
    long[] items = new long[ITEMS];
    long identity = LongElements.identity(operation);
    if (whole) {
      for (int row = 0; row < ROWS; row++) {
        int inWarp = row * ROW;
        LongElements.load(in, at + inWarp, items, row * WIDTH);
      }
    } else {
      for (int i = 0; i < ITEMS; i++) {
        int offset = i / WIDTH * ROW + i % WIDTH;
        items[i] = inTile + offset < left ? in.get(at + offset) : identity;
      }
    }
    // Within the lane, then within the warp: before[row] is the total of what precedes the lane's
    // part of a row.
    long[] before = new long[ROWS];
    long ofWarp = identity;
    for (int row = 0; row < ROWS; row++) {
      long ofLane = items[row * WIDTH];
      for (int k = 1; k < WIDTH; k++) {
        ofLane = LongElements.combine(operation, ofLane, items[row * WIDTH + k]);
      }
      long upToLane = LongElements.inclusive(warp, operation, ofLane);
      long ofEarlier = warp.shuffleUp(upToLane, 1);
      before[row] = lane == 0 ? ofWarp : LongElements.combine(operation, ofWarp, ofEarlier);
      ofWarp = LongElements.combine(operation, ofWarp, warp.shuffle(upToLane, 31));
    }
    long start = start(block, words, operation, tile, (int) Math.ceilDiv(length, TILE), ofWarp);
    for (int row = 0; row < ROWS; row++) {
      long total = LongElements.combine(operation, start, before[row]);
      for (int k = 0; k < WIDTH; k++) {
        long with = LongElements.combine(operation, total, items[row * WIDTH + k]);
        items[row * WIDTH + k] = inclusive ? with : total;
        total = with;
      }
    }
    if (whole) {
      for (int row = 0; row < ROWS; row++) {
        int inWarp = row * ROW;
        LongElements.store(out, at + inWarp, items, row * WIDTH);
      }
    } else {
      for (int i = 0; i < ITEMS; i++) {
        int offset = i / WIDTH * ROW + i % WIDTH;
        if (inTile + offset < left) {
          out.set(at + offset, items[i]);
        }
      }
    }
  }

  /** {@return the total of all that precedes a warp's elements, in earlier tiles too} */
  private static long start(
      ThreadBlock block, GlobalLongs words, int operation, int tile, int tiles, long ofWarp) {
    SharedLongs ofWarps = block.sharedLongs(WARPS);
    Warp warp = block.warp();
    if (warp.lane() == 31) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    long earlier = LongElements.identity(operation);
    long ofTile = earlier;
    for (int i = 0; i < WARPS; i++) {
      if (i == warp.index()) {
        earlier = ofTile;
      }
      ofTile = LongElements.combine(operation, ofTile, ofWarps.get(i));
    }
    return LongElements.combine(
        operation, before(block, words, operation, tile, tiles, ofTile), earlier);
  }

  /**
   * Hands a tile's total to later tiles, and waits for those of earlier ones. The tiles before this
   * one are, of 32 each: the earlier ones of its group, the earlier groups of its batch, and the
   * earlier batches. Three warps wait for the three at the same time, so a tile waits three times
   * at most, wherever it is; and totals are always made of the same parts.
   *
   * @param tile was taken after all earlier ones had been taken, so their blocks have begun
   * @return the total of all earlier tiles
   */
  static long before(
      ThreadBlock block, GlobalLongs words, int operation, int tile, int tiles, long ofTile) {
    SharedLongs parts = block.sharedLongs(3);
    Warp warp = block.warp();
    int lane = warp.lane();
    int inGroup = tile & 31;
    int group = tile >> 5;
    int inBatch = group & 31;
    int batch = tile >> 10;
    long identity = LongElements.identity(operation);
    if (warp.index() == 0) {
      long place = Totals.tile(tile);
      if (lane == 0) {
        LongElements.publish(words, place, ofTile);
      }
      long ofLane = lane < inGroup ? LongElements.await(words, place - inGroup + lane) : identity;
      long part = LongElements.reduce(warp, operation, ofLane);
      if (lane == 0) {
        parts.set(0, part);
        if (inGroup == 31) {
          long ofGroup = LongElements.combine(operation, part, ofTile);
          LongElements.publish(words, Totals.group(tiles, group), ofGroup);
        }
      }
    } else if (warp.index() == 1) {
      long place = Totals.group(tiles, group);
      long ofLane = lane < inBatch ? LongElements.await(words, place - inBatch + lane) : identity;
      long part = LongElements.reduce(warp, operation, ofLane);
      if (lane == 0) {
        parts.set(1, part);
      }
    } else if (warp.index() == 2 && lane == 0) {
      parts.set(2, batch > 0 ? LongElements.await(words, Totals.batch(tiles, batch)) : identity);
    }
    block.sync();
    long ofGroups = LongElements.combine(operation, parts.get(2), parts.get(1));
    long before = LongElements.combine(operation, ofGroups, parts.get(0));
    if ((tile & 1023) == 1023 && block.threadIndexX() == 0) {
      long after = LongElements.combine(operation, before, ofTile);
      LongElements.publish(words, Totals.batch(tiles, batch + 1), after);
    }
    return before;
  }
}
