// Generated from tools/families/KernelMethod.template by tools/Families.java. Do not edit.
package dev.stretto.kernel;

import java.io.Serializable;

/**
 * A reference to a kernel method, such as {@code Kernels::saxpy}. There is one functional interface
 * for each number of parameters after the block, so that the Java compiler checks the arguments of
 * a launch.
 *
 * <p>It is serializable because that lets a method reference reveal its method: see {@link
 * KernelReference}. The method is called on virtual devices and compiled for GPUs.
 */
@SuppressWarnings({"DoNotCallSuggester", "InvalidBlockTag"}) // of what only the compiler may see
public sealed interface KernelMethod
    extends Serializable, RefusedLaunch.Misfit, RefusedLaunch.KernelOfOtherArguments {

  /**
   * Throws an exception. It is there for the Java compiler: see {@link RefusedLaunch}.
   *
   * @hidden
   */
  @Override
  default RefusedLaunch.AnotherNumberOfArgumentsOrNoStaticMethod refuse(
      ThreadBlock block, RefusedLaunch.AnotherNumberOfArgumentsOrNoStaticMethod arguments) {
    throw new UnsupportedOperationException();
  }

  /** A kernel without parameters after the block. */
  @FunctionalInterface
  non-sealed interface Of0 extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     */
    void run(ThreadBlock block);
  }

  /**
   * A kernel with one parameter after the block.
   *
   * @param <A> type of parameter 0
   */
  @FunctionalInterface
  non-sealed interface Of1<A> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     */
    void run(ThreadBlock block, A a);
  }

  /**
   * A kernel with two parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   */
  @FunctionalInterface
  non-sealed interface Of2<A, B> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     */
    void run(ThreadBlock block, A a, B b);
  }

  /**
   * A kernel with three parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   */
  @FunctionalInterface
  non-sealed interface Of3<A, B, C> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     */
    void run(ThreadBlock block, A a, B b, C c);
  }

  /**
   * A kernel with four parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   */
  @FunctionalInterface
  non-sealed interface Of4<A, B, C, D> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     */
    void run(ThreadBlock block, A a, B b, C c, D d);
  }

  /**
   * A kernel with five parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   */
  @FunctionalInterface
  non-sealed interface Of5<A, B, C, D, E> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     * @param e parameter 4
     */
    void run(ThreadBlock block, A a, B b, C c, D d, E e);
  }

  /**
   * A kernel with six parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   */
  @FunctionalInterface
  non-sealed interface Of6<A, B, C, D, E, F> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     * @param e parameter 4
     * @param f parameter 5
     */
    void run(ThreadBlock block, A a, B b, C c, D d, E e, F f);
  }

  /**
   * A kernel with seven parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   */
  @FunctionalInterface
  non-sealed interface Of7<A, B, C, D, E, F, G> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     * @param e parameter 4
     * @param f parameter 5
     * @param g parameter 6
     */
    void run(ThreadBlock block, A a, B b, C c, D d, E e, F f, G g);
  }

  /**
   * A kernel with eight parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   * @param <H> type of parameter 7
   */
  @FunctionalInterface
  non-sealed interface Of8<A, B, C, D, E, F, G, H> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     * @param e parameter 4
     * @param f parameter 5
     * @param g parameter 6
     * @param h parameter 7
     */
    void run(ThreadBlock block, A a, B b, C c, D d, E e, F f, G g, H h);
  }

  /**
   * A kernel with nine parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   * @param <H> type of parameter 7
   * @param <I> type of parameter 8
   */
  @FunctionalInterface
  non-sealed interface Of9<A, B, C, D, E, F, G, H, I> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     * @param e parameter 4
     * @param f parameter 5
     * @param g parameter 6
     * @param h parameter 7
     * @param i parameter 8
     */
    void run(ThreadBlock block, A a, B b, C c, D d, E e, F f, G g, H h, I i);
  }

  /**
   * A kernel with ten parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   * @param <H> type of parameter 7
   * @param <I> type of parameter 8
   * @param <J> type of parameter 9
   */
  @FunctionalInterface
  non-sealed interface Of10<A, B, C, D, E, F, G, H, I, J> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     * @param e parameter 4
     * @param f parameter 5
     * @param g parameter 6
     * @param h parameter 7
     * @param i parameter 8
     * @param j parameter 9
     */
    void run(ThreadBlock block, A a, B b, C c, D d, E e, F f, G g, H h, I i, J j);
  }

  /**
   * A kernel with eleven parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   * @param <H> type of parameter 7
   * @param <I> type of parameter 8
   * @param <J> type of parameter 9
   * @param <K> type of parameter 10
   */
  @FunctionalInterface
  non-sealed interface Of11<A, B, C, D, E, F, G, H, I, J, K> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     * @param e parameter 4
     * @param f parameter 5
     * @param g parameter 6
     * @param h parameter 7
     * @param i parameter 8
     * @param j parameter 9
     * @param k parameter 10
     */
    void run(ThreadBlock block, A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k);
  }

  /**
   * A kernel with twelve parameters after the block.
   *
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   * @param <H> type of parameter 7
   * @param <I> type of parameter 8
   * @param <J> type of parameter 9
   * @param <K> type of parameter 10
   * @param <L> type of parameter 11
   */
  @FunctionalInterface
  non-sealed interface Of12<A, B, C, D, E, F, G, H, I, J, K, L> extends KernelMethod {
    /**
     * Runs one thread.
     *
     * @param block the thread's view of its block
     * @param a parameter 0
     * @param b parameter 1
     * @param c parameter 2
     * @param d parameter 3
     * @param e parameter 4
     * @param f parameter 5
     * @param g parameter 6
     * @param h parameter 7
     * @param i parameter 8
     * @param j parameter 9
     * @param k parameter 10
     * @param l parameter 11
     */
    void run(ThreadBlock block, A a, B b, C c, D d, E e, F f, G g, H h, I i, J j, K k, L l);
  }
}
