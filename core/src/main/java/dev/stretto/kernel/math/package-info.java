/**
 * The functions of {@link java.lang.Math} for kernels, in plain Java: with the same bits on a
 * virtual device as on a GPU. The compiler calls them where a kernel calls {@code Math}; a kernel
 * may also call them directly.
 */
@NullMarked
package dev.stretto.kernel.math;

import org.jspecify.annotations.NullMarked;
