/** Class files of kernels become PTX here. */
@NullMarked
package dev.stretto.compiler;

import org.jspecify.annotations.NullMarked;
