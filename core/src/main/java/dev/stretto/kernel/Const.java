package dev.stretto.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a parameter whose value the compiler has to know. On a kernel's own parameter it makes what is
 * a template argument in C++: the kernel is compiled once for each value that it is launched with.
 * On a parameter of a method that kernels call, the argument has to be a constant once the calls
 * are inlined and the loops unrolled; if it is not, the compiler says so and names the line.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface Const {}
