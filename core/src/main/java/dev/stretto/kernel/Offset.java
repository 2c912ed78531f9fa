package dev.stretto.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks an {@code int} parameter that follows a local array and gives the index at which an
 * instruction's operand begins in the array. Since registers cannot be indexed, the value must be a
 * constant once loops are unrolled.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.PARAMETER)
public @interface Offset {}
