/**
 * What {@link java.lang.Math} is in a kernel, in plain Java: the same bits on a virtual device as
 * on a GPU. The compiler calls it where a kernel calls {@code Math}; a kernel may call it by
 * itself.
 */
@NullMarked
package dev.stretto.kernel.math;

import org.jspecify.annotations.NullMarked;
