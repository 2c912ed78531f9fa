/**
 * Finds mistakes that a kernel makes about asynchronous copies, as far as they can be seen without
 * running it. Every rule follows all paths through the whole kernel, and reports a mistake only if
 * some path breaks the rule whatever the numbers are.
 */
@NullMarked
package dev.stretto.compiler.lint;

import org.jspecify.annotations.NullMarked;
