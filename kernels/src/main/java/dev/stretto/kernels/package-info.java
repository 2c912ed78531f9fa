/**
 * Primitives of parallel programs on global arrays: kernels in plain Java.
 *
 * <p>A method checks its arguments, enqueues what it has to do on a stream, and returns an event.
 * Nothing blocks. Memory that it needs in between is allocated and freed in the order of the
 * stream, so every method can be captured in a graph and may run beside other streams.
 *
 * <p>Arrays may have any length, 0 included: a slice of length 0 is an empty array. Arrays that
 * begin at a multiple of 16 bytes, which all but some slices do, are read and written 16 bytes at a
 * time.
 */
@NullMarked
package dev.stretto.kernels;

import org.jspecify.annotations.NullMarked;
