/** Benchmarks of files: through flows, beside what threads and the link can do. */
@NullMarked
package dev.stretto.bench.file;

import org.jspecify.annotations.NullMarked;
