/** How the benchmarks read their arguments. */
@NullMarked
package dev.stretto.bench.options;

import org.jspecify.annotations.NullMarked;
