/**
 * Files of the host as flows read and write them: past the page cache where it does not hold them,
 * and into it without the system's lock of a file.
 */
@NullMarked
package dev.stretto.file;

import org.jspecify.annotations.NullMarked;
