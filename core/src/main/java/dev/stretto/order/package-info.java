/**
 * Happens-before: which access to memory is ordered before which, on which bytes. The engine knows
 * of streams, host threads and memory only what it is told; it has no device. Not exported.
 */
@NullMarked
package dev.stretto.order;

import org.jspecify.annotations.NullMarked;
