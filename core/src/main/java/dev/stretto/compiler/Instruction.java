package dev.stretto.compiler;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Marks a method that is PTX on a GPU. On a virtual device the method's Java body runs.
 *
 * <p>The PTX is a template. {@code $r} is the result, {@code $0}, {@code $1} and so on are the
 * parameters in order, without the receiver:
 *
 * <ul>
 *   <li>{@code $0} is the register or literal of a number, the predicate of a {@code boolean}, the
 *       literal of a {@code @Const} parameter, {@code cta}, {@code cluster}, {@code gpu} or {@code
 *       sys} for a constant {@code Scope}, and the address of the first element of a global or
 *       shared array, or of a tensor map;
 *   <li>{@code $0[1]} is the address of an element of array 0, whose index is parameter 1, as a
 *       register or as register plus constant: write it in brackets; if the parameter's type is
 *       {@code SharedArray} or {@code GlobalArray} itself, parameter 1 is an index of bytes; {@code
 *       $&0[1]} is the same in a register, and {@code $@0[1]} the scope and the state space that an
 *       atomic operation on it has in shared memory, such as {@code cta.shared}; {@code $0[1?2]}
 *       may be any address if parameter 2, an {@code int} of bytes or a {@code boolean} that
 *       ignores them, says that nothing is read there;
 *   <li>{@code $0.3} is element 3 of local array 0, or, where an {@code @Offset} parameter follows
 *       the array, element offset + 3; {@code $w0.3} is the register that receives that element;
 *   <li>{@code $t0#2/4} are elements of local array 0, starting at its {@code @Offset} and
 *       separated by commas, each read and written in place; their number is {@code @Const}
 *       parameter 2 divided by 4; {@code $t0#2/4?3} says that they are not read if {@code boolean}
 *       parameter 3 is false;
 *   <li>{@code $u} is a number unique to this occurrence, for labels.
 * </ul>
 *
 * A {@code byte}, {@code short}, {@code char} or {@code int} is a 32-bit register, a {@code long} a
 * 64-bit one, a {@code float} is {@code .f32}, a {@code double} {@code .f64}, a {@code boolean} a
 * predicate. Braces open a scope for temporary registers.
 */
@Retention(RetentionPolicy.CLASS)
@Target(ElementType.METHOD)
public @interface Instruction {
  /** {@return the PTX statements} */
  String[] value();

  /**
   * {@return whether the result depends on the operands alone and the instruction has no other
   * effect, so that it may be shared, moved and removed}
   */
  boolean pure() default false;

  /**
   * {@return whether other threads take part, so that the instruction is never moved or duplicated
   * across a branch that threads may take differently}
   */
  boolean convergent() default false;

  /** {@return the parameters that are local arrays and receive new elements} */
  int[] writes() default {};

  /** {@return the least compute capability, such as 90 for sm_90} */
  int sm() default 75;

  /**
   * {@return the PTX statements that do the same on compute capability 7.5; none if the method
   * needs what {@link #sm()} says}
   */
  String[] on75() default {};

  /** {@return the suffix of the compute capability in the target: {@code "a"} for sm_90a} */
  String feature() default "";
}
