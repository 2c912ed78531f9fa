/** Kernels for the warp groups of Hopper GPUs: a matrix product and attention. */
@NullMarked
package dev.stretto.examples.hopper;

import org.jspecify.annotations.NullMarked;
