package dev.stretto.kernels.attention;

/** The order of the dimensions of Q, K, V and O in memory, the outermost first. */
public enum TokenOrder {
  /** Batches, heads, tokens, numbers of a row: the tokens of a head follow each other. */
  HEADS_FIRST,
  /** Batches, tokens, heads, numbers of a row: the heads of a token follow each other. */
  TOKENS_FIRST
}
