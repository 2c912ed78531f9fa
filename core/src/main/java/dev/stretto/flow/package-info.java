/**
 * Moves whole files and arrays through a device in overlapped chunks: while one chunk is computed,
 * the next is copied in and the previous one copied out, files are read and written at the same
 * time, and memory stays bounded.
 *
 * @see <a href="{@docRoot}/dev.stretto/doc-files/guide/11-file.html">The guide: a file through the
 *     device</a>
 */
@NullMarked
package dev.stretto.flow;

import org.jspecify.annotations.NullMarked;
