// Generated from tools/families/Sort.template by tools/Families.java. Do not edit.
package dev.stretto.kernels;

import dev.stretto.kernel.Atomics;
import dev.stretto.kernel.Const;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.Ptx;
import dev.stretto.kernel.SharedBytes;
import dev.stretto.kernel.SharedInts;
import dev.stretto.kernel.SharedLongs;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.kernel.Warp;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;

/**
 * The kernels of one pass over keys of 4 bytes: each is read once, and written once, behind all
 * with a smaller digit and those with this digit that come before it.
 */
final class IntSweep {
  static final int THREADS = 384;

  private static final int WARPS = THREADS / 32;
  private static final int VALUES = IntDigits.VALUES;

  /** The bytes of a thread's keys, or of what goes with them. */
  private static final int ROOM = 80;

  /** In a word that tiles hand on for a digit: how many keys of the tile have it. */
  private static final int OF_TILE = 1 << 30;

  /** The same: how many keys of this tile and all earlier ones have it. */
  private static final int UP_TO_TILE = 1 << 31;

  private static final int NUMBER = OF_TILE - 1;

  /** Of three numbers' bits, as {@link Ptx#lop3} takes it: the first, and one of the others. */
  private static final int FIRST_AND_ONE = 0xf0 & (0xcc ^ 0xaa);

  /** Where in a number a key's digit is, above its rank. */
  private static final int DIGIT = 16;

  private static final int RANK = (1 << DIGIT) - 1;

  private IntSweep() {}

  /** {@return how many keys a tile has} */
  static int tile(boolean withLongs) {
    return THREADS * (withLongs ? 10 : 20);
  }

  /**
   * Moves keys.
   *
   * @param words zeros: 256, of which the first is the number of the next tile, and 256 for each
   *     tile
   * @param starts for each digit, where its first key of this portion goes; then the same for the
   *     next portion, which is set
   * @param from the first key of this portion
   * @param length how many keys this portion has; less than 2<sup>30</sup>
   * @param shift the digit's lowest bit
   */
  @Kernel(maxThreads = THREADS, minBlocks = 3)
  static void keys(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      GlobalInts words,
      GlobalLongs starts,
      long from,
      int length,
      int shift,
      @Const int order) {
    SharedBytes room = block.sharedBytes(THREADS * ROOM);
    SharedInts staged = room.asInts();
    SharedLongs places = block.sharedLongs(VALUES);
    int tile = Tickets.next(block, words);
    int before = tile * THREADS * 20;
    int left = Math.min(length - before, THREADS * 20);
    Warp warp = block.warp();
    int thread = block.threadIndexX();
    int inTile = warp.index() * 32 * 20 + warp.lane();
    long first = from + before + inTile;
    int[] keys = new int[20];
    boolean whole = left == THREADS * 20;
    if (whole) {
      // Without a condition, so that all loads are on their way at once.
      for (int i = 0; i < 20; i++) {
        int offset = 32 * i;
        keys[i] = in.get(first + offset);
      }
    } else {
      for (int i = 0; i < 20; i++) {
        int offset = 32 * i;
        keys[i] = offset < left - inTile ? in.get(first + offset) : 0;
      }
    }
    int[] ranks = new int[20];
    SharedInts counts = block.sharedInts(WARPS * VALUES);
    rank(block, counts, keys, ranks, left - inTile, shift, order);
    int ofTile = ofTile(block, counts, words, tile);
    int start = start(block, counts, ofTile);
    int mine = warp.index() * VALUES;
    for (int i = 0; i < 20; i++) {
      ranks[i] = (ranks[i] & RANK) + counts.get(mine + (ranks[i] >>> DIGIT));
      staged.set(ranks[i], keys[i]);
    }
    if (thread < VALUES) {
      int earlier = earlier(words, tile, thread);
      long place = starts.get(thread) + earlier;
      places.set(thread, place - start);
      if (before + left == length) {
        starts.set(VALUES + thread, place + ofTile);
      }
    }
    block.sync();
    if (whole) {
      // Without a condition for each key: the assembler has seven registers for conditions.
      for (int i = 0; i < 20; i++) {
        int at = thread + i * THREADS;
        int key = staged.get(at);
        out.set(places.get(IntDigits.digit(key, shift, order)) + at, key);
      }
    } else {
      for (int at = thread; at < left; at += THREADS) {
        int key = staged.get(at);
        out.set(places.get(IntDigits.digit(key, shift, order)) + at, key);
      }
    }
  }

  /**
   * Moves keys and the ints that go with them.
   *
   * @param words zeros: 256, of which the first is the number of the next tile, and 256 for each
   *     tile
   * @param starts for each digit, where its first key of this portion goes; then the same for the
   *     next portion, which is set
   * @param from the first key of this portion
   * @param length how many keys this portion has; less than 2<sup>30</sup>
   * @param shift the digit's lowest bit
   */
  @Kernel(maxThreads = THREADS, minBlocks = 3)
  static void withInts(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      GlobalInts valuesIn,
      GlobalInts valuesOut,
      GlobalInts words,
      GlobalLongs starts,
      long from,
      int length,
      int shift,
      @Const int order) {
    SharedBytes room = block.sharedBytes(THREADS * ROOM);
    SharedInts staged = room.asInts();
    SharedLongs places = block.sharedLongs(VALUES);
    int tile = Tickets.next(block, words);
    int before = tile * THREADS * 20;
    int left = Math.min(length - before, THREADS * 20);
    Warp warp = block.warp();
    int thread = block.threadIndexX();
    int inTile = warp.index() * 32 * 20 + warp.lane();
    long first = from + before + inTile;
    int[] keys = new int[20];
    boolean whole = left == THREADS * 20;
    if (whole) {
      // Without a condition, so that all loads are on their way at once.
      for (int i = 0; i < 20; i++) {
        int offset = 32 * i;
        keys[i] = in.get(first + offset);
      }
    } else {
      for (int i = 0; i < 20; i++) {
        int offset = 32 * i;
        keys[i] = offset < left - inTile ? in.get(first + offset) : 0;
      }
    }
    int[] ranks = new int[20];
    SharedInts counts = block.sharedInts(WARPS * VALUES);
    rank(block, counts, keys, ranks, left - inTile, shift, order);
    int ofTile = ofTile(block, counts, words, tile);
    int start = start(block, counts, ofTile);
    int mine = warp.index() * VALUES;
    for (int i = 0; i < 20; i++) {
      ranks[i] = (ranks[i] & RANK) + counts.get(mine + (ranks[i] >>> DIGIT));
      staged.set(ranks[i], keys[i]);
    }
    if (thread < VALUES) {
      int earlier = earlier(words, tile, thread);
      long place = starts.get(thread) + earlier;
      places.set(thread, place - start);
      if (before + left == length) {
        starts.set(VALUES + thread, place + ofTile);
      }
    }
    block.sync();
    int[] values = new int[20];
    if (whole) {
      for (int i = 0; i < 20; i++) {
        int offset = 32 * i;
        values[i] = valuesIn.get(first + offset);
      }
    } else {
      for (int i = 0; i < 20; i++) {
        int offset = 32 * i;
        values[i] = offset < left - inTile ? valuesIn.get(first + offset) : 0;
      }
    }
    int[] digits = new int[(20 + 3) / 4]; // a byte each
    for (int i = 0; i < 20; i++) {
      int at = thread + i * THREADS;
      if (at < left) {
        int key = staged.get(at);
        int digit = IntDigits.digit(key, shift, order);
        out.set(places.get(digit) + at, key);
        digits[i / 4] |= digit << (8 * (i % 4));
      }
    }
    block.sync();
    SharedInts stagedValues = room.asInts();
    for (int i = 0; i < 20; i++) {
      stagedValues.set(ranks[i], values[i]);
    }
    block.sync();
    for (int i = 0; i < 20; i++) {
      int at = thread + i * THREADS;
      if (at < left) {
        valuesOut.set(
            places.get((digits[i / 4] >>> (8 * (i % 4))) & (VALUES - 1)) + at,
            stagedValues.get(at));
      }
    }
  }

  /**
   * Moves keys and the longs that go with them.
   *
   * @param words zeros: 256, of which the first is the number of the next tile, and 256 for each
   *     tile
   * @param starts for each digit, where its first key of this portion goes; then the same for the
   *     next portion, which is set
   * @param from the first key of this portion
   * @param length how many keys this portion has; less than 2<sup>30</sup>
   * @param shift the digit's lowest bit
   */
  @Kernel(maxThreads = THREADS, minBlocks = 3)
  static void withLongs(
      ThreadBlock block,
      GlobalInts in,
      GlobalInts out,
      GlobalLongs valuesIn,
      GlobalLongs valuesOut,
      GlobalInts words,
      GlobalLongs starts,
      long from,
      int length,
      int shift,
      @Const int order) {
    SharedBytes room = block.sharedBytes(THREADS * ROOM);
    SharedInts staged = room.asInts();
    SharedLongs places = block.sharedLongs(VALUES);
    int tile = Tickets.next(block, words);
    int before = tile * THREADS * 10;
    int left = Math.min(length - before, THREADS * 10);
    Warp warp = block.warp();
    int thread = block.threadIndexX();
    int inTile = warp.index() * 32 * 10 + warp.lane();
    long first = from + before + inTile;
    int[] keys = new int[10];
    boolean whole = left == THREADS * 10;
    if (whole) {
      // Without a condition, so that all loads are on their way at once.
      for (int i = 0; i < 10; i++) {
        int offset = 32 * i;
        keys[i] = in.get(first + offset);
      }
    } else {
      for (int i = 0; i < 10; i++) {
        int offset = 32 * i;
        keys[i] = offset < left - inTile ? in.get(first + offset) : 0;
      }
    }
    int[] ranks = new int[10];
    SharedInts counts = block.sharedInts(WARPS * VALUES);
    rank(block, counts, keys, ranks, left - inTile, shift, order);
    int ofTile = ofTile(block, counts, words, tile);
    int start = start(block, counts, ofTile);
    int mine = warp.index() * VALUES;
    for (int i = 0; i < 10; i++) {
      ranks[i] = (ranks[i] & RANK) + counts.get(mine + (ranks[i] >>> DIGIT));
      staged.set(ranks[i], keys[i]);
    }
    if (thread < VALUES) {
      int earlier = earlier(words, tile, thread);
      long place = starts.get(thread) + earlier;
      places.set(thread, place - start);
      if (before + left == length) {
        starts.set(VALUES + thread, place + ofTile);
      }
    }
    block.sync();
    long[] values = new long[10];
    if (whole) {
      for (int i = 0; i < 10; i++) {
        int offset = 32 * i;
        values[i] = valuesIn.get(first + offset);
      }
    } else {
      for (int i = 0; i < 10; i++) {
        int offset = 32 * i;
        values[i] = offset < left - inTile ? valuesIn.get(first + offset) : 0;
      }
    }
    int[] digits = new int[(10 + 3) / 4]; // a byte each
    for (int i = 0; i < 10; i++) {
      int at = thread + i * THREADS;
      if (at < left) {
        int key = staged.get(at);
        int digit = IntDigits.digit(key, shift, order);
        out.set(places.get(digit) + at, key);
        digits[i / 4] |= digit << (8 * (i % 4));
      }
    }
    block.sync();
    SharedLongs stagedValues = room.asLongs();
    for (int i = 0; i < 10; i++) {
      stagedValues.set(ranks[i], values[i]);
    }
    block.sync();
    for (int i = 0; i < 10; i++) {
      int at = thread + i * THREADS;
      if (at < left) {
        valuesOut.set(
            places.get((digits[i / 4] >>> (8 * (i % 4))) & (VALUES - 1)) + at,
            stagedValues.get(at));
      }
    }
  }

  /** {@return the digit of one of a thread's keys; those that are not there come last} */
  private static int digit(int[] keys, int i, int left, int shift, int order) {
    return 32 * i < left ? IntDigits.digit(keys[i], shift, order) : VALUES - 1;
  }

  /**
   * Ranks a thread's keys among those of its warp with the same digit.
   *
   * @param ranks are set to these, each with the digit above it
   * @param counts how many keys of each warp have each digit
   */
  private static void rank(
      ThreadBlock block,
      SharedInts counts,
      int[] keys,
      int[] ranks,
      int left,
      int shift,
      int order) {
    Warp warp = block.warp();
    int lane = warp.lane();
    SharedInts mine = counts.slice(warp.index() * VALUES, VALUES);
    for (int i = lane; i < VALUES; i += 32) {
      mine.set(i, 0);
    }
    warp.sync();
    int below = (1 << lane) - 1;
    for (int i = 0; i < keys.length; i++) {
      int digit = digit(keys, i, left, shift, order);
      int peers = peers(warp, digit);
      int leader = 31 - Integer.numberOfLeadingZeros(peers);
      int before = Integer.bitCount(peers & below);
      int earlier = 0;
      if (lane == leader) {
        earlier = Atomics.add(mine, digit, before + 1);
      }
      ranks[i] = (warp.shuffle(earlier, leader) + before) | (digit << DIGIT);
    }
    block.sync();
  }

  /** {@return the lanes with the same digit} */
  private static int peers(Warp warp, int digit) {
    int peers = -1;
    for (int bit = 0; bit < 8; bit++) {
      int mask = 1 << bit;
      int votes = warp.ballot((digit & mask) != 0);
      int others = (digit & mask) != 0 ? 0 : -1;
      peers = Ptx.lop3(peers, votes, others, FIRST_AND_ONE);
    }
    return peers;
  }

  /**
   * Hands on how many keys of the tile have the thread's digit.
   *
   * @return how many; 0 for threads without a digit
   */
  private static int ofTile(ThreadBlock block, SharedInts counts, GlobalInts words, int tile) {
    int thread = block.threadIndexX();
    int ofTile = 0;
    if (thread < VALUES) {
      for (int warp = 0; warp < WARPS; warp++) {
        ofTile += counts.get(warp * VALUES + thread);
      }
      Atomics.add(words, word(tile, thread), ofTile | (tile == 0 ? UP_TO_TILE : OF_TILE));
    }
    return ofTile;
  }

  private static int word(int tile, int digit) {
    return (tile + 1) * VALUES + digit;
  }

  /**
   * Sets each warp's count of each digit to where its keys begin in the tile, ordered by this
   * digit.
   *
   * @return where those of the thread's digit begin
   */
  private static int start(ThreadBlock block, SharedInts counts, int ofTile) {
    SharedInts sums = block.sharedInts(WARPS);
    Warp warp = block.warp();
    int thread = block.threadIndexX();
    int upTo = IntElements.inclusive(warp, Operation.SUM, ofTile);
    if (warp.lane() == 31) {
      sums.set(warp.index(), upTo);
    }
    block.sync();
    int start = upTo - ofTile;
    for (int i = 0; i < VALUES / 32; i++) {
      start += i < warp.index() ? sums.get(i) : 0;
    }
    if (thread < VALUES) {
      int next = start;
      for (int i = 0; i < WARPS; i++) {
        int at = i * VALUES + thread;
        int count = counts.get(at);
        counts.set(at, next);
        next += count;
      }
    }
    block.sync();
    return start;
  }

  /** {@return how many keys of all earlier tiles have a digit, once they are known} */
  private static int earlier(GlobalInts words, int tile, int digit) {
    if (tile == 0) {
      return 0;
    }
    int earlier = 0;
    int at = tile - 1;
    boolean more = true;
    while (more) {
      int word = Atomics.loadAcquire(words, word(at, digit));
      if (word != 0) {
        earlier += word & NUMBER;
        at--;
        more = (word & UP_TO_TILE) == 0;
      }
    }
    // Both words fit into one change: what is there is known.
    Atomics.add(words, word(tile, digit), (earlier | UP_TO_TILE) - OF_TILE);
    return earlier;
  }
}
