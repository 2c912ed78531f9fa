/** Writes the graph as text that a driver assembles. */
@NullMarked
package dev.stretto.compiler.ptx;

import org.jspecify.annotations.NullMarked;
