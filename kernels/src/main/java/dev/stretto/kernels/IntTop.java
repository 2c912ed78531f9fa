// Generated from tools/families/TopKernel.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/** The kernels that find the greatest keys of 4 bytes, digit by digit from the highest. */
final class IntTop {
  static final int THREADS = 256;

  private static final int WARPS = THREADS / 32;
  private static final int WIDTH = IntElements.WIDTH;
  private static final int ROWS = 4;
  private static final int ROW = 32 * WIDTH;

  /** A bit for each element of an access. */
  private static final int MASK = (1 << WIDTH) - 1;

  private static final int ITEMS = ROWS * WIDTH;

  /** So many elements does a block take at once. */
  static final int TILE = THREADS * ITEMS;

  /** All counts of a block together, so that a multiprocessor has room for six. */
  private static final int COUNTS = 8192;

  private IntTop() {}

  /**
   * Counts the digits below a known prefix.
   *
   * @param candidates those that have the prefix of the first digit, if they are few enough
   * @param counts zeros, one for each value of the digit
   * @param state what {@link TopState} says
   * @param shift the digit's lowest bit
   * @param digit how many bits it has
   */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void count(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts candidates,
      GlobalLongs counts,
      GlobalLongs state,
      int shift,
      @Const int digit,
      @Const int order,
      @Const boolean aligned) {
    SharedInts own = block.sharedInts(COUNTS);
    boolean first = shift + digit == Integer.SIZE;
    boolean few = !first && state.get(TopState.CANDIDATES) <= candidates.length();
    if (few) {
      count(
          block,
          own,
          candidates,
          state.get(TopState.CANDIDATES),
          counts,
          state,
          shift,
          digit,
          order,
          true);
    } else {
      count(block, own, in, in.length(), counts, state, shift, digit, order, aligned);
    }
  }

  private static void count(
      ThreadBlock block,
      SharedInts own,
      GlobalInts in,
      long length,
      GlobalLongs counts,
      GlobalLongs state,
      int shift,
      int digit,
      int order,
      boolean aligned) {
    int thread = block.threadIndexX();
    for (int i = thread; i < COUNTS; i += THREADS) {
      own.set(i, 0);
    }
    block.sync();
    boolean first = shift + digit == Integer.SIZE;
    int prefix = first ? 0 : (int) state.get(TopState.PREFIX);
    int above = first ? shift : shift + digit;
    int inRow = thread * WIDTH;
    long tiles = aligned ? length / TILE : 0;
    for (long tile = block.blockIndexX(); tile < tiles; tile += block.gridSizeX()) {
      long at = tile * TILE + inRow;
      int[] items = new int[ITEMS];
      for (int row = 0; row < ROWS; row++) {
        int rows = row * THREADS * WIDTH;
        IntElements.load(in, at + rows, items, row * WIDTH);
      }
      for (int i = 0; i < ITEMS; i++) {
        count(own, thread, IntDigits.ordered(items[i], order), first, prefix, above, shift, digit);
      }
    }
    long step = (long) block.gridSizeX() * THREADS;
    for (long i = tiles * TILE + block.globalIndexX(); i < length; i += step) {
      count(own, thread, IntDigits.ordered(in.get(i), order), first, prefix, above, shift, digit);
    }
    block.sync();
    int copies = COUNTS >> digit;
    for (int value = thread; value < 1 << digit; value += THREADS) {
      int sum = 0;
      for (int i = 0; i < copies; i++) {
        sum += own.get(value * copies + ((i + thread) & (copies - 1)));
      }
      if (sum != 0) {
        Atomics.add(counts, value, (long) sum);
      }
    }
  }

  private static void count(
      SharedInts own,
      int thread,
      int bits,
      boolean first,
      int prefix,
      int above,
      int shift,
      int digit) {
    if (first || bits >>> above == prefix) {
      int copies = COUNTS >> digit;
      int value = (bits >>> shift) & ((1 << digit) - 1);
      Atomics.add(own, value * copies + (thread & (copies - 1)), 1);
    }
  }

  /**
   * Takes the keys whose first digit is above the prefix, and sets those with the prefix aside as
   * candidates, if they are few enough. Both keep their order.
   *
   * @param words zeros, as many as {@link Totals#words} says for two of each total
   * @param shift the first digit's lowest bit
   */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void part(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts taken,
      GlobalLongs places,
      GlobalInts candidates,
      GlobalLongs candidatePlaces,
      GlobalLongs state,
      GlobalLongs words,
      @Const int shift,
      @Const int order,
      @Const boolean aligned) {
    boolean few = state.get(TopState.CANDIDATES) <= candidates.length();
    int prefix = (int) state.get(TopState.PREFIX);
    int tiles = (int) Math.ceilDiv(in.length(), TILE);
    int tile = Tickets.next(block, words);
    while (tile < tiles) {
      int[] items = new int[ITEMS];
      int inTile = inTile(block);
      int left = read(block, in, in.length(), tile, items, aligned);
      int above = 0;
      int equal = 0;
      for (int i = 0; i < ITEMS; i++) {
        int bits = IntDigits.ordered(items[i], order) >>> shift;
        boolean there = inTile + offset(i) < left;
        above |= there && bits > prefix ? 1 << i : 0;
        equal |= few && there && bits == prefix ? 1 << i : 0;
      }
      Warp warp = block.warp();
      int ofLane = ofRows(above);
      int upToLane = IntElements.inclusive(warp, Operation.SUM, ofLane);
      int equalOfLane = ofRows(equal);
      int equalUpToLane = IntElements.inclusive(warp, Operation.SUM, equalOfLane);
      int ofWarp = warp.shuffle(upToLane, 31);
      int equalOfWarp = warp.shuffle(equalUpToLane, 31);
      // Fewer than 2^31 of either kind are counted, so one number has both.
      long both = ((long) sum(ofWarp) << 32) + sum(equalOfWarp);
      long start = start(block, words, tile, tiles, both);
      long at = (long) tile * TILE + inTile;
      put(in, above, upToLane - ofLane, ofWarp, start >>> 32, at, taken, places);
      put(
          in,
          equal,
          equalUpToLane - equalOfLane,
          equalOfWarp,
          start & 0xffffffffL,
          at,
          candidates,
          candidatePlaces);
      tile = Tickets.next(block, words);
    }
  }

  /**
   * Takes what is left to be taken of the keys with the first digit's prefix.
   *
   * @param words zeros, as for the other one
   * @param shift the first digit's lowest bit
   * @param equal whether to take as many as are needed of those that equal the last one, or all
   *     that are above it
   */
  @Kernel(maxThreads = THREADS, minBlocks = 4)
  static void gather(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts taken,
      GlobalLongs places,
      GlobalInts candidates,
      GlobalLongs candidatePlaces,
      GlobalLongs state,
      GlobalLongs words,
      @Const int shift,
      @Const int order,
      @Const boolean equal) {
    long count = state.get(TopState.CANDIDATES);
    boolean few = count <= candidates.length();
    int last = (int) state.get(TopState.PREFIX);
    long length = few ? count : in.length();
    long base = equal ? taken.length() - state.get(TopState.NEED) : state.get(TopState.SURE);
    int tiles = (int) Math.ceilDiv(length, TILE);
    int tile = Tickets.next(block, words);
    while (tile < tiles) {
      int[] items = new int[ITEMS];
      int inTile = inTile(block);
      int left =
          few
              ? read(block, candidates, length, tile, items, false)
              : read(block, in, length, tile, items, false);
      int kept = 0;
      for (int i = 0; i < ITEMS; i++) {
        int bits = IntDigits.ordered(items[i], order);
        boolean keeps =
            equal
                ? bits == last
                : bits >>> shift == last >>> shift && Integer.compareUnsigned(bits, last) > 0;
        kept |= keeps && inTile + offset(i) < left ? 1 << i : 0;
      }
      Warp warp = block.warp();
      int ofLane = ofRows(kept);
      int upToLane = IntElements.inclusive(warp, Operation.SUM, ofLane);
      int ofWarp = warp.shuffle(upToLane, 31);
      long start = base + start(block, words, tile, tiles, sum(ofWarp));
      long at = (long) tile * TILE + inTile;
      int before = upToLane - ofLane;
      if (few) {
        for (int rest = kept; rest != 0; rest &= rest - 1) {
          int item = Integer.numberOfTrailingZeros(rest);
          int offset = offset(item);
          long to = start + place(kept, before, ofWarp, item);
          if (to < taken.length()) {
            taken.set(to, candidates.get(at + offset));
            places.set(to, candidatePlaces.get(at + offset));
          }
        }
      } else {
        put(in, kept, before, ofWarp, start, at, taken, places);
      }
      tile = Tickets.next(block, words);
    }
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
      ThreadBlock block, GlobalInts in, long length, int tile, int[] items, boolean aligned) {
    int inTile = inTile(block);
    long start = (long) tile * TILE;
    long at = start + inTile;
    int left = (int) Math.min(length - start, TILE);
    if (aligned && left == TILE) {
      for (int row = 0; row < ROWS; row++) {
        int inWarp = row * ROW;
        IntElements.load(in, at + inWarp, items, row * WIDTH);
      }
    } else {
      for (int i = 0; i < ITEMS; i++) {
        int offset = offset(i);
        items[i] = inTile + offset < left ? in.get(at + offset) : 0;
      }
    }
    return left;
  }

  /** {@return how many bits each row has, a byte for each} */
  private static int ofRows(int bits) {
    int ofRows = 0;
    for (int row = 0; row < ROWS; row++) {
      ofRows |= Integer.bitCount((bits >>> (row * WIDTH)) & MASK) << (8 * row);
    }
    return ofRows;
  }

  private static int sum(int ofRows) {
    int sum = 0;
    for (int row = 0; row < ROWS; row++) {
      sum += (ofRows >>> (8 * row)) & 0xff;
    }
    return sum;
  }

  /** {@return how many come before a warp's, in earlier tiles too} */
  private static long start(
      ThreadBlock block, GlobalLongs words, int tile, int tiles, long ofWarp) {
    SharedLongs ofWarps = block.sharedLongs(WARPS);
    Warp warp = block.warp();
    if (warp.lane() == 0) {
      ofWarps.set(warp.index(), ofWarp);
    }
    block.sync();
    long earlier = 0;
    long ofTile = 0;
    for (int i = 0; i < WARPS; i++) {
      earlier = i == warp.index() ? ofTile : earlier;
      ofTile += ofWarps.get(i);
    }
    return LongScan.before(block, words, Operation.SUM, tile, tiles, ofTile) + earlier;
  }

  /** {@return how many of the warp come before an element of this thread} */
  private static int place(int kept, int before, int ofWarp, int item) {
    int row = item / WIDTH;
    int place = (before >>> (8 * row)) & 0xff;
    for (int i = 0; i < row; i++) {
      place += (ofWarp >>> (8 * i)) & 0xff;
    }
    int earlier = (kept >>> (row * WIDTH)) & ((1 << (item % WIDTH)) - 1);
    return place + Integer.bitCount(earlier);
  }

  /**
   * Writes what is kept, and where it comes from, as far as there is room. Reads it again, for it
   * is seldom much.
   */
  private static void put(
      GlobalInts in,
      int kept,
      int before,
      int ofWarp,
      long start,
      long at,
      GlobalInts out,
      GlobalLongs places) {
    for (int rest = kept; rest != 0; rest &= rest - 1) {
      int item = Integer.numberOfTrailingZeros(rest);
      int offset = offset(item);
      long to = start + place(kept, before, ofWarp, item);
      if (to < out.length()) {
        out.set(to, in.get(at + offset));
        places.set(to, at + offset);
      }
    }
  }
}
