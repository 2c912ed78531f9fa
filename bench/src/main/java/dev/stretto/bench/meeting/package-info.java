/** What kernels and the host, blocks of a kernel, and streams tell each other while they run. */
@NullMarked
package dev.stretto.bench.meeting;

import org.jspecify.annotations.NullMarked;
