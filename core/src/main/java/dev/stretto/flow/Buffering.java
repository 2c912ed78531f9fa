package dev.stretto.flow;

/**
 * Whether a flow's chunks need buffers on the host.
 *
 * @param in whether they are read into one
 * @param out whether they are written out of one
 * @param inPieces whether they are read in pieces, each of which is copied to the device while the
 *     next one is read
 */
record Buffering(boolean in, boolean out, boolean inPieces) {
  /**
   * The bytes of a piece. A few of them stay in a core's cache, so that reading costs the memory
   * one transfer for each byte instead of three; of smaller ones, each costs too much.
   */
  static final long PIECE = 2 << 20;

  /** How many pieces of a chunk are in its buffer: one is read, and another one is copied. */
  static final int PIECES = 2;

  /** Within a step of a seeded device nothing awaits a copy, so there chunks are read whole. */
  static Buffering of(Source source, boolean in, boolean out, boolean isSeeded) {
    boolean isPlain = source instanceof FileSource || source instanceof SegmentSource;
    return new Buffering(in, out, in && isPlain && !isSeeded);
  }

  /** {@return whether chunks of a size are read in pieces} */
  boolean inPieces(long chunkBytes) {
    return inPieces && chunkBytes > PIECE;
  }

  boolean isNeeded() {
    return in || out;
  }

  /** {@return the bytes of the buffer of a chunk} */
  long bytes(long chunkBytes) {
    if (!isNeeded()) {
      return 0;
    }
    return out || !inPieces(chunkBytes) ? chunkBytes : Math.min(chunkBytes, PIECES * PIECE);
  }
}
