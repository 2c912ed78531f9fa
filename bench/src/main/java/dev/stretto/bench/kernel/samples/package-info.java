/**
 * Kernels of the kinds that CUDA's samples have, as one writes them first in Java. The same
 * algorithms in CUDA C++ are in {@code bench/cpp/samples.cuh} and {@code bench/cpp/rows.cuh}.
 */
@NullMarked
package dev.stretto.bench.kernel.samples;

import org.jspecify.annotations.NullMarked;
