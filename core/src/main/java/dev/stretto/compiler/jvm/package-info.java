/**
 * Writes a kernel's graph as a class for the JVM, whose threads take steps: they go on until they
 * have to wait, and leave what they need later in a frame.
 */
@NullMarked
package dev.stretto.compiler.jvm;

import org.jspecify.annotations.NullMarked;
