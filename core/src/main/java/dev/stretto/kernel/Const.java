package dev.stretto.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a parameter whose value the compiler needs. A {@code @Const} parameter of a kernel is the
 * equivalent of a template argument in C++: the kernel is compiled once for each value that it is
 * launched with. For a method that kernels call, the argument must be a constant once calls are
 * inlined and loops unrolled; if it is not, the compiler refuses the kernel and names the line.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Const {}
