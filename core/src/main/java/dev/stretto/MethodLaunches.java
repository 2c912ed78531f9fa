// Generated from tools/families/MethodLaunches.template by tools/Families.java. Do not edit.
package dev.stretto;

import dev.stretto.kernel.KernelMethod;
import dev.stretto.kernel.RefusedLaunch;
import org.jspecify.annotations.Nullable;

/**
 * Launches kernels that are methods: one overload for each number of arguments.
 *
 * @param <R> a copy
 */
@SuppressWarnings({"DoNotCallSuggester", "InvalidBlockTag"}) // of what only the compiler may see
abstract class MethodLaunches<R> extends ArrayCopies<R> {
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, A1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, A1, B1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, A1, B1, C1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, A1, B1, C1, D1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, A1, B1, C1, D1, E1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, A1, B1, C1, D1, E1, F1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, A1, B1, C1, D1, E1, F1, G1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, A1, B1, C1, D1, E1, F1, G1, H1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, I, A1, B1, C1, D1, E1, F1, G1, H1, I1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, I, J, A1, B1, C1, D1, E1, F1, G1, H1, I1, J1> void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, I, J, K, A1, B1, C1, D1, E1, F1, G1, H1, I1, J1, K1>
      void launch(
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
   * @throws IllegalArgumentException always
   */
  @SafeVarargs
  @SuppressWarnings({"exports", "unused"})
  public final <A, B, C, D, E, F, G, H, I, J, K, L, A1, B1, C1, D1, E1, F1, G1, H1, I1, J1, K1, L1>
      void launch(
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
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.Misfit> void launch(
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
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> void launch(
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
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> void launch(
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
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> void launch(
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
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> void launch(
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
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutKernel> void launch(
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
   * @throws IllegalArgumentException always
   */
  public final <M extends RefusedLaunch.WithoutGrid> void launch(M kernel, Object... arguments) {
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
   * @throws IllegalArgumentException always
   */
  public final void launch(
      Object first, RefusedLaunch.KernelOfOtherArguments kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a kernel that is held by a variable, if there is no grid, when the program is compiled.
   *
   * @hidden
   * @param kernel a kernel
   * @param arguments any
   * @throws IllegalArgumentException always
   */
  public final void launch(RefusedLaunch.KernelOfOtherArguments kernel, Object... arguments) {
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
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("TypeParameterNaming") // the compiler shows the name
  public final <NoKernel> void launch(Grid grid, NoKernel kernel, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch of what is not a kernel, when the program is compiled.
   *
   * @hidden
   * @param grid the shape of the launch
   * @param arguments any
   * @throws IllegalArgumentException always
   */
  public final void launch(Grid grid, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch of a grid alone, when the program is compiled.
   *
   * @hidden
   * @param grid the shape of the launch
   * @param refused cannot be given
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("exports")
  public final void launch(Grid grid, Refusals.NoKernel... refused) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses what is no launch, when the program is compiled: the compiler finds this method and the
   * next one, and neither fits better.
   *
   * @hidden
   * @param <NeitherGridNorLaunch> what no launch begins with
   * @param first neither a grid nor a launch
   * @param arguments any
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("TypeParameterNaming") // the compiler shows the name
  public final <NeitherGridNorLaunch> void launch(NeitherGridNorLaunch first, Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses what is no launch, when the program is compiled.
   *
   * @hidden
   * @param arguments any
   * @throws IllegalArgumentException always
   */
  public final void launch(Object... arguments) {
    throw Refusals.noLaunch();
  }

  /**
   * Refuses a launch of nothing, when the program is compiled.
   *
   * @hidden
   * @param refused cannot be given
   * @throws IllegalArgumentException always
   */
  @SuppressWarnings("exports")
  public final void launch(Refusals.NothingToLaunch... refused) {
    throw Refusals.noLaunch();
  }
}
