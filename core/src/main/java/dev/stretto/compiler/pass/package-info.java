/**
 * The passes that turn a kernel's graph into one ready to be written as PTX. Each pass leaves a
 * graph that the verifier accepts.
 */
@NullMarked
package dev.stretto.compiler.pass;

import org.jspecify.annotations.NullMarked;
