package dev.stretto.contract;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** How a pair of kernels is launched; without it, with one block of 64 threads. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Launched {
  /** {@return the number of blocks} */
  int blocks() default 1;

  /** {@return the number of threads of a block} */
  int threads() default 64;

  /** {@return the number of bytes of dynamic shared memory} */
  int sharedBytes() default 0;

  /** {@return the number of blocks of a cluster} */
  int cluster() default 1;

  /** {@return whether all blocks run at the same time} */
  boolean cooperative() default false;

  /**
   * {@return whether only compiled kernels are looked at, since nothing sees what a method does
   * with its locals}
   */
  boolean compiled() default false;
}
