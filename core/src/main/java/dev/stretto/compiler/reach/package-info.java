/**
 * What a kernel does with the arrays that it is given: which bytes it reads and which it writes, as
 * formulas of a launch's shape and arguments. They are found in the graph and evaluated for each
 * launch.
 */
@NullMarked
package dev.stretto.compiler.reach;

import org.jspecify.annotations.NullMarked;
