/**
 * Products of matrices on tensor cores, with a bias and an activation in the same kernel: {@link
 * dev.stretto.kernels.product.MatrixProduct}. As in {@link dev.stretto.kernels}, a method checks
 * its arguments, enqueues what it has to do on a stream, and returns an event.
 */
@NullMarked
package dev.stretto.kernels.product;

import org.jspecify.annotations.NullMarked;
