// Generated from tools/families/MethodLaunches.template by tools/Families.java. Do not edit.
package dev.stretto;

import dev.stretto.kernel.KernelMethod;
import org.jspecify.annotations.Nullable;

/** Launches kernels that are methods: one overload for each number of arguments. */
abstract class MethodLaunches {
  MethodLaunches() {}

  abstract void launchMethod(Grid grid, KernelMethod kernel, Object... arguments);

  /**
   * {@return a launch of the kernel, whose arguments are set one by one, so that the numbers among
   * them need no objects; null if there is none}
   */
  abstract @Nullable RepeatedLaunch repeated(Grid grid, KernelMethod kernel);

  /** Enqueues a repeated launch, and returns false if its kernel is not the one for it. */
  abstract boolean launched(RepeatedLaunch launch);

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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch == null || !launched(launch)) {
      launchMethod(grid, kernel);
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      launch.set(4, e);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      launch.set(4, e);
      launch.set(5, f);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      launch.set(4, e);
      launch.set(5, f);
      launch.set(6, g);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      launch.set(4, e);
      launch.set(5, f);
      launch.set(6, g);
      launch.set(7, h);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      launch.set(4, e);
      launch.set(5, f);
      launch.set(6, g);
      launch.set(7, h);
      launch.set(8, i);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      launch.set(4, e);
      launch.set(5, f);
      launch.set(6, g);
      launch.set(7, h);
      launch.set(8, i);
      launch.set(9, j);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      launch.set(4, e);
      launch.set(5, f);
      launch.set(6, g);
      launch.set(7, h);
      launch.set(8, i);
      launch.set(9, j);
      launch.set(10, k);
      if (launched(launch)) {
        return;
      }
    }
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
    RepeatedLaunch launch = repeated(grid, kernel);
    if (launch != null) {
      launch.set(0, a);
      launch.set(1, b);
      launch.set(2, c);
      launch.set(3, d);
      launch.set(4, e);
      launch.set(5, f);
      launch.set(6, g);
      launch.set(7, h);
      launch.set(8, i);
      launch.set(9, j);
      launch.set(10, k);
      launch.set(11, l);
      if (launched(launch)) {
        return;
      }
    }
    launchMethod(grid, kernel, a, b, c, d, e, f, g, h, i, j, k, l);
  }
}
