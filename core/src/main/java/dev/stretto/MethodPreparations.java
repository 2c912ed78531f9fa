// Generated from tools/families/MethodPreparations.template by tools/Families.java. Do not edit.
package dev.stretto;

import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.RefusedLaunch;

/** Prepares launches of kernels that are methods: one overload for each number of arguments. */
@SuppressWarnings({"DoNotCallSuggester", "InvalidBlockTag"}) // of what only the compiler may see
abstract class MethodPreparations {
  MethodPreparations() {}

  abstract Launch prepareMethod(Grid grid, KernelMethod kernel, Object... arguments);

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with no
   * argument}
   *
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final Launch prepare(Grid grid, KernelMethod.Of0 kernel) {
    return prepareMethod(grid, kernel);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with one
   * argument}
   *
   * @param <A> type of argument 0
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A> Launch prepare(Grid grid, KernelMethod.Of1<A> kernel, A a) {
    return prepareMethod(grid, kernel, a);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with two
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B> Launch prepare(Grid grid, KernelMethod.Of2<A, B> kernel, A a, B b) {
    return prepareMethod(grid, kernel, a, b);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with three
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C> Launch prepare(
      Grid grid, KernelMethod.Of3<A, B, C> kernel, A a, B b, C c) {
    return prepareMethod(grid, kernel, a, b, c);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with four
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D> Launch prepare(
      Grid grid, KernelMethod.Of4<A, B, C, D> kernel, A a, B b, C c, D d) {
    return prepareMethod(grid, kernel, a, b, c, d);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with five
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D, E> Launch prepare(
      Grid grid, KernelMethod.Of5<A, B, C, D, E> kernel, A a, B b, C c, D d, E e) {
    return prepareMethod(grid, kernel, a, b, c, d, e);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with six
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param <F> type of argument 5
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D, E, F> Launch prepare(
      Grid grid, KernelMethod.Of6<A, B, C, D, E, F> kernel, A a, B b, C c, D d, E e, F f) {
    return prepareMethod(grid, kernel, a, b, c, d, e, f);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with seven
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param <F> type of argument 5
   * @param <G> type of argument 6
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D, E, F, G> Launch prepare(
      Grid grid, KernelMethod.Of7<A, B, C, D, E, F, G> kernel, A a, B b, C c, D d, E e, F f, G g) {
    return prepareMethod(grid, kernel, a, b, c, d, e, f, g);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with eight
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param <F> type of argument 5
   * @param <G> type of argument 6
   * @param <H> type of argument 7
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D, E, F, G, H> Launch prepare(
      Grid grid,
      KernelMethod.Of8<A, B, C, D, E, F, G, H> kernel,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h) {
    return prepareMethod(grid, kernel, a, b, c, d, e, f, g, h);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with nine
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param <F> type of argument 5
   * @param <G> type of argument 6
   * @param <H> type of argument 7
   * @param <I> type of argument 8
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param i argument 8
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D, E, F, G, H, I> Launch prepare(
      Grid grid,
      KernelMethod.Of9<A, B, C, D, E, F, G, H, I> kernel,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h,
      I i) {
    return prepareMethod(grid, kernel, a, b, c, d, e, f, g, h, i);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with ten
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param <F> type of argument 5
   * @param <G> type of argument 6
   * @param <H> type of argument 7
   * @param <I> type of argument 8
   * @param <J> type of argument 9
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param i argument 8
   * @param j argument 9
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D, E, F, G, H, I, J> Launch prepare(
      Grid grid,
      KernelMethod.Of10<A, B, C, D, E, F, G, H, I, J> kernel,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h,
      I i,
      J j) {
    return prepareMethod(grid, kernel, a, b, c, d, e, f, g, h, i, j);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with eleven
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param <F> type of argument 5
   * @param <G> type of argument 6
   * @param <H> type of argument 7
   * @param <I> type of argument 8
   * @param <J> type of argument 9
   * @param <K> type of argument 10
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param i argument 8
   * @param j argument 9
   * @param k argument 10
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D, E, F, G, H, I, J, K> Launch prepare(
      Grid grid,
      KernelMethod.Of11<A, B, C, D, E, F, G, H, I, J, K> kernel,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h,
      I i,
      J j,
      K k) {
    return prepareMethod(grid, kernel, a, b, c, d, e, f, g, h, i, j, k);
  }

  /**
   * {@return a launch, which can be enqueued many times, of a kernel that is a method with twelve
   * arguments}
   *
   * @param <A> type of argument 0
   * @param <B> type of argument 1
   * @param <C> type of argument 2
   * @param <D> type of argument 3
   * @param <E> type of argument 4
   * @param <F> type of argument 5
   * @param <G> type of argument 6
   * @param <H> type of argument 7
   * @param <I> type of argument 8
   * @param <J> type of argument 9
   * @param <K> type of argument 10
   * @param <L> type of argument 11
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param i argument 8
   * @param j argument 9
   * @param k argument 10
   * @param l argument 11
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the device or an argument is closed
   */
  public final <A, B, C, D, E, F, G, H, I, J, K, L> Launch prepare(
      Grid grid,
      KernelMethod.Of12<A, B, C, D, E, F, G, H, I, J, K, L> kernel,
      A a,
      B b,
      C c,
      D d,
      E e,
      F f,
      G g,
      H h,
      I i,
      J j,
      K k,
      L l) {
    return prepareMethod(grid, kernel, a, b, c, d, e, f, g, h, i, j, k, l);
  }

  /**
   * Refuses one argument of other types than the kernel's parameter, when the program is compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <A1> type of argument 0
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, A1> Launch prepare(
      Grid grid,
      KernelMethod.Of1<A> kernel,
      A1 a,
      Refusals.For1.KernelTakes<A>.ButIsGiven<A1>... refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses two arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, A1, B1> Launch prepare(
      Grid grid,
      KernelMethod.Of2<A, B> kernel,
      A1 a,
      B1 b,
      Refusals.For2.KernelTakes<A, B>.ButIsGiven<A1, B1>... refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses three arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, A1, B1, C1> Launch prepare(
      Grid grid,
      KernelMethod.Of3<A, B, C> kernel,
      A1 a,
      B1 b,
      C1 c,
      Refusals.For3.KernelTakes<A, B, C>.ButIsGiven<A1, B1, C1>... refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses four arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, A1, B1, C1, D1> Launch prepare(
      Grid grid,
      KernelMethod.Of4<A, B, C, D> kernel,
      A1 a,
      B1 b,
      C1 c,
      D1 d,
      Refusals.For4.KernelTakes<A, B, C, D>.ButIsGiven<A1, B1, C1, D1>... refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses five arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param <E1> type of argument 4
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, A1, B1, C1, D1, E1> Launch prepare(
      Grid grid,
      KernelMethod.Of5<A, B, C, D, E> kernel,
      A1 a,
      B1 b,
      C1 c,
      D1 d,
      E1 e,
      Refusals.For5.KernelTakes<A, B, C, D, E>.ButIsGiven<A1, B1, C1, D1, E1>... refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses six arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param <E1> type of argument 4
   * @param <F1> type of argument 5
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, A1, B1, C1, D1, E1, F1> Launch prepare(
      Grid grid,
      KernelMethod.Of6<A, B, C, D, E, F> kernel,
      A1 a,
      B1 b,
      C1 c,
      D1 d,
      E1 e,
      F1 f,
      Refusals.For6.KernelTakes<A, B, C, D, E, F>.ButIsGiven<A1, B1, C1, D1, E1, F1>... refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses seven arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param <E1> type of argument 4
   * @param <F1> type of argument 5
   * @param <G1> type of argument 6
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, A1, B1, C1, D1, E1, F1, G1> Launch prepare(
      Grid grid,
      KernelMethod.Of7<A, B, C, D, E, F, G> kernel,
      A1 a,
      B1 b,
      C1 c,
      D1 d,
      E1 e,
      F1 f,
      G1 g,
      Refusals.For7.KernelTakes<A, B, C, D, E, F, G>.ButIsGiven<A1, B1, C1, D1, E1, F1, G1>...
          refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses eight arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   * @param <H> type of parameter 7
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param <E1> type of argument 4
   * @param <F1> type of argument 5
   * @param <G1> type of argument 6
   * @param <H1> type of argument 7
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, A1, B1, C1, D1, E1, F1, G1, H1> Launch prepare(
      Grid grid,
      KernelMethod.Of8<A, B, C, D, E, F, G, H> kernel,
      A1 a,
      B1 b,
      C1 c,
      D1 d,
      E1 e,
      F1 f,
      G1 g,
      H1 h,
      Refusals.For8.KernelTakes<A, B, C, D, E, F, G, H>.ButIsGiven<A1, B1, C1, D1, E1, F1, G1, H1>
              ...
          refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses nine arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
   * @param <A> type of parameter 0
   * @param <B> type of parameter 1
   * @param <C> type of parameter 2
   * @param <D> type of parameter 3
   * @param <E> type of parameter 4
   * @param <F> type of parameter 5
   * @param <G> type of parameter 6
   * @param <H> type of parameter 7
   * @param <I> type of parameter 8
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param <E1> type of argument 4
   * @param <F1> type of argument 5
   * @param <G1> type of argument 6
   * @param <H1> type of argument 7
   * @param <I1> type of argument 8
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param i argument 8
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, I, A1, B1, C1, D1, E1, F1, G1, H1, I1> Launch prepare(
      Grid grid,
      KernelMethod.Of9<A, B, C, D, E, F, G, H, I> kernel,
      A1 a,
      B1 b,
      C1 c,
      D1 d,
      E1 e,
      F1 f,
      G1 g,
      H1 h,
      I1 i,
      Refusals.For9.KernelTakes<A, B, C, D, E, F, G, H, I>.ButIsGiven<
              A1, B1, C1, D1, E1, F1, G1, H1, I1>...
          refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses ten arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
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
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param <E1> type of argument 4
   * @param <F1> type of argument 5
   * @param <G1> type of argument 6
   * @param <H1> type of argument 7
   * @param <I1> type of argument 8
   * @param <J1> type of argument 9
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param i argument 8
   * @param j argument 9
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, I, J, A1, B1, C1, D1, E1, F1, G1, H1, I1, J1>
      Launch prepare(
          Grid grid,
          KernelMethod.Of10<A, B, C, D, E, F, G, H, I, J> kernel,
          A1 a,
          B1 b,
          C1 c,
          D1 d,
          E1 e,
          F1 f,
          G1 g,
          H1 h,
          I1 i,
          J1 j,
          Refusals.For10.KernelTakes<A, B, C, D, E, F, G, H, I, J>.ButIsGiven<
                  A1, B1, C1, D1, E1, F1, G1, H1, I1, J1>...
              refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses eleven arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
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
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param <E1> type of argument 4
   * @param <F1> type of argument 5
   * @param <G1> type of argument 6
   * @param <H1> type of argument 7
   * @param <I1> type of argument 8
   * @param <J1> type of argument 9
   * @param <K1> type of argument 10
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param i argument 8
   * @param j argument 9
   * @param k argument 10
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, I, J, K, A1, B1, C1, D1, E1, F1, G1, H1, I1, J1, K1>
      Launch prepare(
          Grid grid,
          KernelMethod.Of11<A, B, C, D, E, F, G, H, I, J, K> kernel,
          A1 a,
          B1 b,
          C1 c,
          D1 d,
          E1 e,
          F1 f,
          G1 g,
          H1 h,
          I1 i,
          J1 j,
          K1 k,
          Refusals.For11.KernelTakes<A, B, C, D, E, F, G, H, I, J, K>.ButIsGiven<
                  A1, B1, C1, D1, E1, F1, G1, H1, I1, J1, K1>...
              refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses twelve arguments of other types than the kernel's parameters, when the program is
   * compiled.
   *
   * @hidden
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
   * @param <A1> type of argument 0
   * @param <B1> type of argument 1
   * @param <C1> type of argument 2
   * @param <D1> type of argument 3
   * @param <E1> type of argument 4
   * @param <F1> type of argument 5
   * @param <G1> type of argument 6
   * @param <H1> type of argument 7
   * @param <I1> type of argument 8
   * @param <J1> type of argument 9
   * @param <K1> type of argument 10
   * @param <L1> type of argument 11
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param a argument 0
   * @param b argument 1
   * @param c argument 2
   * @param d argument 3
   * @param e argument 4
   * @param f argument 5
   * @param g argument 6
   * @param h argument 7
   * @param i argument 8
   * @param j argument 9
   * @param k argument 10
   * @param l argument 11
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, I, J, K, L, A1, B1, C1, D1, E1, F1, G1, H1, I1, J1, K1, L1>
      Launch prepare(
          Grid grid,
          KernelMethod.Of12<A, B, C, D, E, F, G, H, I, J, K, L> kernel,
          A1 a,
          B1 b,
          C1 c,
          D1 d,
          E1 e,
          F1 f,
          G1 g,
          H1 h,
          I1 i,
          J1 j,
          K1 k,
          L1 l,
          Refusals.For12.KernelTakes<A, B, C, D, E, F, G, H, I, J, K, L>.ButIsGiven<
                  A1, B1, C1, D1, E1, F1, G1, H1, I1, J1, K1, L1>...
              refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses another number of arguments than the kernel takes, and methods that cannot be kernels,
   * when the program is compiled.
   *
   * @hidden
   * @param <M> what no method is
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.Misfit> Launch prepare(
      Grid grid, M kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch whose first argument is not a grid, when the program is compiled.
   *
   * @hidden
   * @param <M> what no method is
   * @param first not a grid
   * @param kernel a method reference
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> Launch prepare(
      Object first, M kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses numbers of blocks and threads instead of a grid, when the program is compiled.
   *
   * @hidden
   * @param <M> what no method is
   * @param blocks not a grid
   * @param threads not a grid
   * @param kernel a method reference
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> Launch prepare(
      int blocks, int threads, M kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses numbers of blocks, threads and bytes instead of a grid, when the program is compiled.
   *
   * @hidden
   * @param <M> what no method is
   * @param blocks not a grid
   * @param threads not a grid
   * @param sharedBytes not a grid
   * @param kernel a method reference
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> Launch prepare(
      int blocks, int threads, int sharedBytes, M kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses something before the grid, when the program is compiled.
   *
   * @hidden
   * @param <M> what no method is
   * @param first not a grid
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> Launch prepare(
      Object first, Grid grid, M kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a number between the grid and the kernel, when the program is compiled.
   *
   * @hidden
   * @param <M> what no method is
   * @param grid the shape of the launch
   * @param second not a kernel
   * @param kernel a method reference
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutKernel> Launch prepare(
      Grid grid, int second, M kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch without a grid, when the program is compiled.
   *
   * @hidden
   * @param <M> what no method is
   * @param kernel a method reference
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> Launch prepare(M kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a kernel that is held by a variable, if the arguments are of another number or the
   * first one is not a grid, when the program is compiled: the compiler finds this method and an
   * earlier one, and neither fits better.
   *
   * @hidden
   * @param first a grid, or something else
   * @param kernel a kernel
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final Launch prepare(
      Object first, RefusedLaunch.KernelOfOtherArguments kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a kernel that is held by a variable, if there is no grid, when the program is compiled.
   *
   * @hidden
   * @param kernel a kernel
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final Launch prepare(RefusedLaunch.KernelOfOtherArguments kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch of what is not a kernel, when the program is compiled: the compiler finds this
   * method and the next one, and neither fits better.
   *
   * @hidden
   * @param <NoKernel> what no kernel is
   * @param grid the shape of the launch
   * @param kernel not a kernel
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("TypeParameterNaming") // the compiler shows the name
  public final <NoKernel> Launch prepare(Grid grid, NoKernel kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch of what is not a kernel, when the program is compiled.
   *
   * @hidden
   * @param grid the shape of the launch
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final Launch prepare(Grid grid, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch of a grid alone, when the program is compiled.
   *
   * @hidden
   * @param grid the shape of the launch
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("exports")
  public final Launch prepare(Grid grid, Refusals.NoKernel... refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses what is no launch, when the program is compiled: the compiler finds this method and the
   * next one, and neither fits better.
   *
   * @hidden
   * @param <NoGrid> what no launch begins with
   * @param first neither a grid nor a launch
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("TypeParameterNaming") // the compiler shows the name
  public final <NoGrid> Launch prepare(NoGrid first, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses what is no launch, when the program is compiled.
   *
   * @hidden
   * @param arguments any
   * @return never
   * @throws IllegalArgumentException always
   */
  public final Launch prepare(Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch of nothing, when the program is compiled.
   *
   * @hidden
   * @param refused cannot be given
   * @return never
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("exports")
  public final Launch prepare(Refusals.NothingToLaunch... refused) {
    throw Refusals.noLaunch();
  }
}
