package dev.stretto.flow;

/**
 * What leaves the device of each chunk: its bytes, a result of a few bytes, or nothing.
 *
 * @param resultBytes of each result; 0 for nothing, -1 for the bytes that leave the last stage
 */
record Output(long resultBytes) {
  /** What leaves the last stage. */
  static final Output BYTES = new Output(-1);

  static final Output NOTHING = new Output(0);

  /** A result of so many bytes. */
  static Output result(long bytes) {
    return new Output(bytes);
  }

  boolean isBytes() {
    return resultBytes < 0;
  }

  boolean isNothing() {
    return resultBytes == 0;
  }

  boolean isResult() {
    return resultBytes > 0;
  }
}
