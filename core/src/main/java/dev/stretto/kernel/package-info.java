/**
 * What a kernel may say, and how it is handed over.
 *
 * <p>A kernel is a static Java method: {@link dev.stretto.kernel.Kernel}. It stands in a {@link
 * dev.stretto.kernel.ThreadBlock}, whose threads wait for each other and share memory, and in a
 * {@link dev.stretto.kernel.Warp}, whose lanes exchange values; it uses global arrays, {@link
 * dev.stretto.kernel.Atomics}, {@link dev.stretto.kernel.FastMath} and, where all that is not
 * enough, single instructions: {@link dev.stretto.kernel.Ptx}. Compiled for a GPU, these are PTX;
 * on a virtual device the same method runs as ordinary Java, and a debugger stops in it.
 *
 * <p>A kernel that exists as PTX or a cubin is a {@link dev.stretto.kernel.DeviceKernel}.
 */
@NullMarked
package dev.stretto.kernel;

import org.jspecify.annotations.NullMarked;
