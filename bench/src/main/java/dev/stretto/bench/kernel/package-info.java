/**
 * Kernels in Java and the same kernels in CUDA C++ ({@code bench/cpp/kernels.cuh}): the same
 * algorithms and shapes of blocks, measured on the same data.
 */
@NullMarked
package dev.stretto.bench.kernel;

import org.jspecify.annotations.NullMarked;
