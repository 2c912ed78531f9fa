/** Compiles the class files of kernels to PTX. */
@NullMarked
package dev.stretto.compiler;

import org.jspecify.annotations.NullMarked;
