/**
 * What is done to a kernel's graph on the way to PTX. Each pass leaves a graph that the verifier
 * accepts.
 */
@NullMarked
package dev.stretto.compiler.pass;

import org.jspecify.annotations.NullMarked;
