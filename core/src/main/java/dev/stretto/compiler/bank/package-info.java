/**
 * How often the lanes of a warp have to wait for each other at the banks of shared memory: the
 * address of each access is computed for the lanes of a warp, again and again with other values for
 * what is known only at run time. What each class does is written for readers of the compiler.
 */
@NullMarked
package dev.stretto.compiler.bank;

import org.jspecify.annotations.NullMarked;
