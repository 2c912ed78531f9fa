package dev.stretto.collective;

import dev.stretto.memory.GlobalArray;

/**
 * How an array is cut into chunks that devices pass on: all chunks have the same size but the last.
 *
 * @param bytes of the whole
 * @param chunkBytes of each chunk but the last
 */
record Chunks(long bytes, long chunkBytes) {
  /** The largest chunk, unless there would be too many chunks. */
  private static final long MOST = 16 << 20;

  /** More chunks than this only keep the host busy. */
  private static final long MOST_CHUNKS = 512;

  /**
   * The bytes that a link transfers in the time between two copies of a stream, about 3 µs at 400
   * GB/s.
   */
  private static final long GAP = 1 << 20;

  /** The bytes that a link transfers while the host enqueues a copy. */
  private static final long SUBMISSION = 512 << 10;

  private static final long GRAIN = 64 << 10;

  /**
   * {@return the chunks in which an array crosses several links, one after the other}
   *
   * <p>Small chunks reach the last device sooner, large ones leave fewer gaps: with chunks of
   * {@code c} bytes, the links wait for {@code (links - 1) * c} bytes at the ends, and there are
   * {@code bytes / c} gaps in between. The sum is smallest if the two are equal. Also, a link must
   * not finish a chunk before the host has enqueued the next one on all links. An array that
   * crosses only one link is not cut.
   *
   * @param links how many, one after the other
   * @param bytes of the array
   * @param asked bytes of a chunk, or 0 to have the size chosen
   */
  static Chunks over(int links, long bytes, long asked) {
    if (links < 2 || asked != 0) {
      return new Chunks(bytes, links < 2 ? bytes : asked);
    }
    long best = (long) Math.sqrt((double) bytes * GAP / (links - 1));
    return chosen(bytes, Math.min(MOST, Math.max(best, Math.max(GAP, links * SUBMISSION))));
  }

  /**
   * {@return the chunks in which each part goes round a ring} All links are busy from the
   * beginning, so chunks only keep a link from waiting between the end of one part and the
   * beginning of the next.
   *
   * @param links how many the ring has
   * @param bytes of a part
   * @param asked bytes of a chunk, or 0 to have the size chosen
   */
  static Chunks round(int links, long bytes, long asked) {
    if (links < 3 || asked != 0) {
      return new Chunks(bytes, links < 3 ? bytes : asked);
    }
    return chosen(bytes, Math.clamp(bytes / 2, MOST / 2, MOST));
  }

  private static Chunks chosen(long bytes, long chunk) {
    long enough = (bytes / MOST_CHUNKS + GRAIN) / GRAIN * GRAIN;
    return new Chunks(bytes, Math.max(chunk / GRAIN * GRAIN, enough));
  }

  /** {@return the number of chunks} */
  int count() {
    return Math.toIntExact((bytes + chunkBytes - 1) / chunkBytes);
  }

  /** {@return a chunk of an array of this size} */
  GlobalArray of(GlobalArray array, int chunk) {
    if (chunkBytes >= bytes) {
      return array;
    }
    long from = chunk * chunkBytes;
    long length = Math.min(chunkBytes, bytes - from);
    return array.slice(from / array.elementBytes(), length / array.elementBytes());
  }
}
