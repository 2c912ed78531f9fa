/**
 * The driver for NVIDIA GPUs: the JDK's foreign-function interface over {@code libcuda.so.1}.
 *
 * <p>From the bottom: {@link dev.stretto.driver.cuda.Library} opens the library, {@link
 * dev.stretto.driver.cuda.Binder} binds its functions, the {@code …Calls} hold them as constants,
 * and the other classes build on these.
 */
@NullMarked
package dev.stretto.driver.cuda;

import org.jspecify.annotations.NullMarked;
