package dev.stretto.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a number that an instruction accepts only within a range, which the assembler does not
 * check. A constant outside the range is refused when the kernel is compiled; other numbers are
 * checked by kernels that check their indices.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface InRange {
  /** {@return the smallest allowed number} */
  int from() default 0;

  /** {@return the largest allowed number} */
  int to() default Integer.MAX_VALUE;

  /** {@return the power of two that the number must be a multiple of} */
  int multipleOf() default 1;

  /** {@return the name of the number in reports; by default the parameter's position} */
  String what() default "";
}
