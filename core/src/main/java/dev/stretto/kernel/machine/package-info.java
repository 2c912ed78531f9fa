/**
 * What runs a block on a virtual device: its threads as coroutines, what they wait for, their
 * copies, stores and products, and who looks for accesses that are in no order. It sees shared
 * memory as spans and threads by their positions, not the vocabulary in which kernels are written.
 */
@NullMarked
package dev.stretto.kernel.machine;

import org.jspecify.annotations.NullMarked;
