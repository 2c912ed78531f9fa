// Generated from tools/families/MethodLaunches.template by tools/Families.java. Do not edit.
package dev.stretto;

import dev.stretto.kernel.KernelMethod;

/** Launches kernels that are methods: one overload for each number of arguments. */
abstract class MethodLaunches {
  MethodLaunches() {}

  abstract void launchMethod(Grid grid, KernelMethod kernel, Object... arguments);

  /**
   * Launches a kernel that is a method with no argument.
   *
   * @param grid the shape of the launch
   * @param kernel a method reference
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the method cannot be a kernel, or an argument is memory of
   *     another device
   * @throws dev.stretto.fault.SettingException if the system property {@code dev.stretto.checked}
   *     or {@code dev.stretto.cache} has an invalid value
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final void launch(Grid grid, KernelMethod.Of0 kernel) {
    launchMethod(grid, kernel);
  }

  /**
   * Launches a kernel that is a method with one argument.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A> void launch(Grid grid, KernelMethod.Of1<A> kernel, A a) {
    launchMethod(grid, kernel, a);
  }

  /**
   * Launches a kernel that is a method with two arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B> void launch(Grid grid, KernelMethod.Of2<A, B> kernel, A a, B b) {
    launchMethod(grid, kernel, a, b);
  }

  /**
   * Launches a kernel that is a method with three arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C> void launch(Grid grid, KernelMethod.Of3<A, B, C> kernel, A a, B b, C c) {
    launchMethod(grid, kernel, a, b, c);
  }

  /**
   * Launches a kernel that is a method with four arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D> void launch(
      Grid grid, KernelMethod.Of4<A, B, C, D> kernel, A a, B b, C c, D d) {
    launchMethod(grid, kernel, a, b, c, d);
  }

  /**
   * Launches a kernel that is a method with five arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D, E> void launch(
      Grid grid, KernelMethod.Of5<A, B, C, D, E> kernel, A a, B b, C c, D d, E e) {
    launchMethod(grid, kernel, a, b, c, d, e);
  }

  /**
   * Launches a kernel that is a method with six arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D, E, F> void launch(
      Grid grid, KernelMethod.Of6<A, B, C, D, E, F> kernel, A a, B b, C c, D d, E e, F f) {
    launchMethod(grid, kernel, a, b, c, d, e, f);
  }

  /**
   * Launches a kernel that is a method with seven arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D, E, F, G> void launch(
      Grid grid, KernelMethod.Of7<A, B, C, D, E, F, G> kernel, A a, B b, C c, D d, E e, F f, G g) {
    launchMethod(grid, kernel, a, b, c, d, e, f, g);
  }

  /**
   * Launches a kernel that is a method with eight arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D, E, F, G, H> void launch(
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
    launchMethod(grid, kernel, a, b, c, d, e, f, g, h);
  }

  /**
   * Launches a kernel that is a method with nine arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D, E, F, G, H, I> void launch(
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
    launchMethod(grid, kernel, a, b, c, d, e, f, g, h, i);
  }

  /**
   * Launches a kernel that is a method with ten arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D, E, F, G, H, I, J> void launch(
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
    launchMethod(grid, kernel, a, b, c, d, e, f, g, h, i, j);
  }

  /**
   * Launches a kernel that is a method with eleven arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D, E, F, G, H, I, J, K> void launch(
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
    launchMethod(grid, kernel, a, b, c, d, e, f, g, h, i, j, k);
  }

  /**
   * Launches a kernel that is a method with twelve arguments.
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
   * @throws dev.stretto.fault.ClosedException if the stream, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public final <A, B, C, D, E, F, G, H, I, J, K, L> void launch(
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
    launchMethod(grid, kernel, a, b, c, d, e, f, g, h, i, j, k, l);
  }
}
