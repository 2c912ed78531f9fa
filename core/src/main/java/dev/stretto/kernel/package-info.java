/**
 * The vocabulary of kernels, and the way to launch them.
 *
 * <p>A kernel is a static Java method: {@link dev.stretto.kernel.Kernel}. It runs in a {@link
 * dev.stretto.kernel.ThreadBlock}, whose threads wait for each other and share memory, and in a
 * {@link dev.stretto.kernel.Warp}, whose lanes exchange values. It uses global arrays, {@link
 * dev.stretto.kernel.Atomics}, {@link dev.stretto.kernel.FastMath} and, if these are not enough,
 * single instructions: {@link dev.stretto.kernel.Ptx}. For a GPU, all of this is compiled to PTX;
 * on a virtual device the same method runs as ordinary Java, and a debugger can stop in it.
 *
 * <p>A kernel that exists as PTX or a cubin is a {@link dev.stretto.kernel.DeviceKernel}.
 *
 * @see <a href="{@docRoot}/dev.stretto/doc-files/guide/13-kernels-in-java.html">The guide: kernels
 *     in Java</a>
 */
@NullMarked
package dev.stretto.kernel;

import org.jspecify.annotations.NullMarked;
