/**
 * Device memory, as a program and a kernel both hold it: typed global arrays and their allocations.
 *
 * <p>A program allocates arrays on a device, copies into and out of them on a stream, slices them
 * and hands them to kernels. It never reads or writes an element itself: the host cannot reach
 * device memory, not even that of a virtual device. A kernel reads and writes the same types by
 * index.
 */
@NullMarked
package dev.stretto.memory;

import org.jspecify.annotations.NullMarked;
