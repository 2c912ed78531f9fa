/**
 * Observing a device: who hears of its operations, of calls that may block and of waits, and what
 * hidden synchronization that shows. Off, it costs one volatile read an operation. Not exported.
 */
@NullMarked
package dev.stretto.observe;

import org.jspecify.annotations.NullMarked;
