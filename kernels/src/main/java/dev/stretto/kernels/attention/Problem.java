package dev.stretto.kernels.attention;

/**
 * What is computed.
 *
 * @param shape the size
 * @param order of tokens and heads in memory
 * @param mask which keys a query sees
 * @param scale of scores
 */
record Problem(AttentionShape shape, TokenOrder order, Mask mask, double scale) {}
