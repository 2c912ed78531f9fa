package dev.stretto.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a number that an instruction takes in a range only, which the assembler does not check. A
 * constant outside of it is refused when the kernel is compiled; what is no constant is checked by
 * kernels that check their indices.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface InRange {
  /** {@return the least number that is allowed} */
  int from() default 0;

  /** {@return the greatest number that is allowed} */
  int to() default Integer.MAX_VALUE;

  /** {@return of what it has to be a multiple: a power of two} */
  int multipleOf() default 1;

  /** {@return what the number is called in reports; the parameter's place unless given} */
  String what() default "";
}
