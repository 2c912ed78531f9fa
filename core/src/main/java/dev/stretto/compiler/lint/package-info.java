/**
 * What a kernel gets wrong about asynchronous copies, as far as that can be seen without running
 * it: every rule follows all paths through the whole kernel, and speaks only where one of them
 * breaks it whatever the numbers are.
 */
@NullMarked
package dev.stretto.compiler.lint;

import org.jspecify.annotations.NullMarked;
