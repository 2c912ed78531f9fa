package dev.stretto.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a method that is a kernel: static, without a result, with a {@link ThreadBlock} as its first
 * parameter. It is launched by a method reference and called once for each thread of the launch.
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
   * {@return how many threads a block has at most, which bounds the registers of a thread; 0 for as
   * many as a device allows} What CUDA C++ calls {@code __launch_bounds__}.
   */
  int maxThreads() default 0;

  /**
   * {@return how many blocks a multiprocessor should hold at least at once; 0 for no wish} What
   * CUDA C++ calls the second argument of {@code __launch_bounds__}.
   */
  int minBlocks() default 0;

  /**
   * {@return whether {@code a * b + c} may be rounded once instead of twice} Java rounds twice. A
   * virtual device always does.
   */
  boolean contract() default false;
}
