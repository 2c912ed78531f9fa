package dev.stretto.kernels.attention;

/**
 * The kernel for a shape on a device.
 *
 * @param kernel which one
 * @param rows how many rows of queries a block of threads has at a time
 * @param keys how many keys it takes at a time
 * @param reason why this one, in a sentence
 */
public record AttentionChoice(AttentionKernel kernel, int rows, int keys, String reason) {}
