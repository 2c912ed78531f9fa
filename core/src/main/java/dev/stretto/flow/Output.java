package dev.stretto.flow;

/**
 * What leaves the device of each chunk: its bytes, a result of a few bytes, or nothing.
 *
 * @param resultBytes of each result; 0 for nothing, -1 for as many bytes as the chunk has
 * @param isInPlace whether the chunk itself takes the place of what leaves
 */
record Output(long resultBytes, boolean isInPlace) {
  private static final long AS_MANY = -1;

  /** As many bytes as the chunk has, in its place or in memory of their own. */
  static Output bytes(boolean inPlace) {
    return new Output(AS_MANY, inPlace);
  }

  /** Nothing. */
  static Output nothing() {
    return new Output(0, true);
  }

  /** A result of so many bytes. */
  static Output result(long bytes) {
    return new Output(bytes, false);
  }

  boolean isNothing() {
    return resultBytes == 0;
  }

  boolean isResult() {
    return resultBytes > 0;
  }

  /** {@return how many bytes leave of a chunk} */
  long of(long chunkBytes) {
    return resultBytes == AS_MANY ? chunkBytes : resultBytes;
  }

  /** {@return where in the sink the bytes of a chunk begin} */
  long position(Slot slot) {
    return isResult() ? slot.index * resultBytes : slot.position;
  }
}
