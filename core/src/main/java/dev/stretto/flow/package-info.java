/**
 * Whole files and arrays through a device in overlapped chunks: while one chunk is computed, the
 * next is copied in and the last copied out, files are read and written meanwhile, and memory stays
 * bounded.
 */
@NullMarked
package dev.stretto.flow;

import org.jspecify.annotations.NullMarked;
