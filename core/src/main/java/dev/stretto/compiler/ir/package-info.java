/**
 * A kernel as a graph: typed values in static single assignment form, in blocks that take
 * parameters where other representations have phi functions.
 */
@NullMarked
package dev.stretto.compiler.ir;

import org.jspecify.annotations.NullMarked;
