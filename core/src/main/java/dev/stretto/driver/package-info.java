/**
 * The contract that both drivers meet: flat, at the level of the CUDA driver API. Handles and
 * device addresses are {@code long}s; ranges, liveness and ownership are checked above it.
 */
@NullMarked
package dev.stretto.driver;

import org.jspecify.annotations.NullMarked;
