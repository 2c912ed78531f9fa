/** Kernels that are measured in turns with another process, which does the same job. */
@NullMarked
package dev.stretto.bench.turns;

import org.jspecify.annotations.NullMarked;
