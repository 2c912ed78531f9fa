/**
 * Rows of host memory, in one place or in many, that are copied to a matrix on a device and back.
 */
@NullMarked
package dev.stretto.rows;

import org.jspecify.annotations.NullMarked;
