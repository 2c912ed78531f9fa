package dev.stretto.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks what is compiled into a kernel: a parameter's value, or an array's content.
 *
 * <p>The compiler needs the value of such a parameter. A {@code @Const} parameter of a kernel is
 * the equivalent of a template argument in C++: the kernel is compiled once for each value that it
 * is launched with. For a method that kernels call, the argument must be a constant once calls are
 * inlined and loops unrolled; if it is not, the compiler refuses the kernel and names the line.
 *
 * <p>A {@code @Const static final} array of numbers lies in the constant memory of kernels that
 * read it: the equivalent of {@code __constant__}. An index that all threads of a warp share costs
 * no more than a register there; an element at a known index is part of the instruction. All arrays
 * of a kernel together have at most 64 KiB. Kernels read them, and cannot write them. The content
 * is what the array holds when the first kernel is compiled with it in a process. The program must
 * not change it after that: a virtual device reports it at the next launch of such a kernel, and
 * each device when another kernel is compiled with the array.
 *
 * <pre>{@code
 * @Const static final float[] WEIGHTS = {0.25f, 0.5f, 0.25f};
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.PARAMETER, ElementType.FIELD})
public @interface Const {}
