package dev.stretto.compiler;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a kernel that the compiler has to refuse. The line that it has to name is the first one from
 * the method's name on that ends with the comment {@code // refused}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Refused {
  /** What the refusal has to say of the line. */
  String reason();

  /** What the refusal has to say about what to write instead. */
  String advice();

  /** For which target. */
  int sm() default 90;
}
