/** The primitives of {@code stretto-kernels} beside CUB. */
@NullMarked
package dev.stretto.bench.primitives;

import org.jspecify.annotations.NullMarked;
