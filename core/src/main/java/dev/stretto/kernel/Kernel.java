package dev.stretto.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method as a kernel: static, without a result, with a {@link ThreadBlock} as its first
 * parameter. A program launches it by a method reference, and it is called once for each thread of
 * the launch. Its other parameters are {@code byte}, {@code short}, {@code int}, {@code long},
 * {@code float}, {@code double}, records of numbers, global arrays and tensor maps.
 *
 * <pre>{@code
 * @Kernel
 * static void saxpy(ThreadBlock block, float a, GlobalFloats x, GlobalFloats y, int n) {
 *   long i = block.globalIndexX();
 *   if (i < n) {
 *     y.set(i, a * x.get(i) + y.get(i));
 *   }
 * }
 *
 * stream.launch(Grid.covering(n, 256), Kernels::saxpy, 2f, x, y, n);
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
public @interface Kernel {
  /**
   * {@return the most threads that a block may have, which limits the registers of a thread; 0 for
   * as many as a device allows} The equivalent of {@code __launch_bounds__} in CUDA C++.
   */
  int maxThreads() default 0;

  /**
   * {@return how many blocks a multiprocessor should hold at once, at least; 0 for no requirement}
   * The equivalent of the second argument of {@code __launch_bounds__} in CUDA C++.
   */
  int minBlocks() default 0;

  /**
   * {@return whether {@code a * b + c} may be rounded once instead of twice} Java rounds twice, and
   * a virtual device always does.
   */
  boolean contract() default false;
}
