/**
 * Device memory, as a program and a kernel both hold it: typed global arrays and the allocations
 * behind them.
 *
 * <p>A program allocates arrays on a device, copies into and out of them on a stream, slices them
 * and hands them to kernels. It never reads or writes an element itself: device memory is not
 * reachable from the host, on a virtual device neither. Inside a kernel the same types are read and
 * written by index.
 */
@NullMarked
package dev.stretto.memory;

import org.jspecify.annotations.NullMarked;
