/**
 * Asynchronous copies on GPUs: devices, streams, events, copies, memory and launches.
 *
 * <p>A program opens a {@link dev.stretto.Device}, allocates arrays on it, and enqueues copies,
 * fills and launches on its {@link dev.stretto.Stream}s. No method blocks unless its name begins
 * with {@code await}. Closing is always safe: access ends at once, and memory is released after its
 * last use.
 *
 * @see <a href="{@docRoot}/dev.stretto/doc-files/guide.html">The guide</a>
 * @see <a href="{@docRoot}/dev.stretto/doc-files/semantics.html">What is promised</a>
 */
@NullMarked
package dev.stretto;

import org.jspecify.annotations.NullMarked;
