package dev.stretto.compiler;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * On a method that is PTX on a GPU. The method's Java body is its meaning on a virtual device.
 *
 * <p>The PTX is a template. {@code $r} is the result, {@code $0}, {@code $1} and so on are the
 * parameters in order, without the receiver:
 *
 * <ul>
 *   <li>{@code $0} is the register or literal of a number, the predicate of a {@code boolean}, the
 *       literal of a {@code @Const} parameter, {@code cta}, {@code cluster}, {@code gpu} or {@code
 *       sys} for a constant {@code Scope}, and the address of the first element of a global or
 *       shared array, or of a tensor map;
 *   <li>{@code $0[1]} is the address of the element of array 0 that parameter 1 numbers, as a
 *       register or as register plus constant: it belongs in brackets; of a parameter that is any
 *       {@code SharedArray} or {@code GlobalArray} parameter 1 numbers the bytes; {@code $&0[1]} is
 *       the same in a register;
 *   <li>{@code $0.3} is element 3 of local array 0, or, where an {@code @Offset} parameter follows
 *       the array, element offset + 3; {@code $w0.3} is the register that becomes that element;
 *   <li>{@code $t0#2/4} are elements of local array 0, from its {@code @Offset} on, as many as
 *       {@code @Const} parameter 2 says divided by 4, with commas between, each read and written in
 *       place; {@code $t0#2/4?3} says that they are not read where {@code boolean} parameter 3 is
 *       false;
 *   <li>{@code $u} is a number of this occurrence alone, for labels.
 * </ul>
 *
 * A {@code byte}, {@code short}, {@code char} or {@code int} is a register of 32 bits, a {@code
 * long} one of 64, a {@code float} is {@code .f32}, a {@code double} {@code .f64}, a {@code
 * boolean} a predicate. Braces open a scope for temporary registers.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Instruction {
  /** {@return the PTX statements} */
  String[] value();

  /**
   * {@return whether the result depends on the operands alone and there is no other effect, so that
   * it may be shared, moved and removed}
   */
  boolean pure() default false;

  /**
   * {@return whether other threads take part, so that it is never moved or doubled across a branch
   * that threads may leave differently}
   */
  boolean convergent() default false;

  /** {@return the parameters that are local arrays which get new elements} */
  int[] writes() default {};

  /** {@return the least compute capability, such as 90 for sm_90} */
  int sm() default 80;

  /** {@return what follows the compute capability in the target: {@code "a"} for sm_90a} */
  String feature() default "";
}
