package dev.stretto.kernels.attention;

/**
 * Where the rows of an array are, in elements.
 *
 * @param token from a token to the next one
 * @param head from a head to the next one
 * @param batch from a batch to the next one
 */
record Places(long token, long head, long batch) {
  /** The places in an array that has no gaps. */
  static Places of(TokenOrder order, long tokens, int heads, int headDim) {
    long batch = tokens * heads * headDim;
    return switch (order) {
      case HEADS_FIRST -> new Places(headDim, tokens * headDim, batch);
      case TOKENS_FIRST -> new Places((long) heads * headDim, headDim, batch);
    };
  }

  /** Where a row is. */
  long row(int ofBatch, int ofHead, long ofToken) {
    return ofBatch * batch + ofHead * head + ofToken * token;
  }
}
