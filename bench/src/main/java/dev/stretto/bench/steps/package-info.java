/** What kernels whose threads wait for each other cost on a virtual device. */
@NullMarked
package dev.stretto.bench.steps;

import org.jspecify.annotations.NullMarked;
