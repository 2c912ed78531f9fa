package dev.stretto.contract;

import dev.stretto.fault.CopyRule;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** On a kernel that breaks a rule, at a line with a comment {@code // wrong}. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Breaks {
  /** {@return which; of several, whichever a device comes to first} */
  CopyRule[] value() default {};

  /** {@return whether it ends with threads that wait for ever} */
  boolean forEver() default false;
}
