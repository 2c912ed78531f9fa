/**
 * Runs a block on a virtual device: its threads as coroutines, the barriers at which they wait,
 * their copies, stores and products, and the detection of accesses that are not ordered. This
 * package sees shared memory as spans and threads by their positions. It does not know the
 * vocabulary in which kernels are written.
 */
@NullMarked
package dev.stretto.kernel.machine;

import org.jspecify.annotations.NullMarked;
