/**
 * Observes a device: reports its operations, calls that may block, and waits to observers, and
 * detects hidden synchronization. Off, it costs one volatile read per operation. Not exported.
 */
@NullMarked
package dev.stretto.observe;

import org.jspecify.annotations.NullMarked;
