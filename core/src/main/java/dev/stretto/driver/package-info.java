/**
 * The contract of both drivers: flat, at the level of the CUDA driver API. Handles and device
 * addresses are {@code long}s. The layers above check ranges, liveness and ownership.
 */
@NullMarked
package dev.stretto.driver;

import org.jspecify.annotations.NullMarked;
