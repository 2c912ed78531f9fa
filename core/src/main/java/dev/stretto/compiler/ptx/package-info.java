/** From the graph to the text that a driver assembles. */
@NullMarked
package dev.stretto.compiler.ptx;

import org.jspecify.annotations.NullMarked;
