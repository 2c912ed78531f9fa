/**
 * Attention on a GPU: scores, softmax and weighted values in one kernel. Begin with {@link
 * dev.stretto.kernels.attention.Attention}.
 */
@NullMarked
package dev.stretto.kernels.attention;

import org.jspecify.annotations.NullMarked;
