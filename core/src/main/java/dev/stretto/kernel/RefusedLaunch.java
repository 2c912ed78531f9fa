package dev.stretto.kernel;

/**
 * What the Java compiler names when it refuses a launch whose kernel and arguments do not fit.
 * Programs neither use nor implement its types.
 *
 * <p>The compiler looks for an overload of {@code launch} that takes the kernel and the arguments.
 * If there is none, an overload is left that takes any arguments, and any method as a kernel; then
 * it finds that the method does not have the parameters of {@link Misfit}, and says which ones the
 * method has. So its message has ten lines, and not one hundred and twenty.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class RefusedLaunch {
  private RefusedLaunch() {}

  /** What no kernel is: a method whose only parameter says that there is no grid. */
  public interface WithoutGrid {
    /**
     * Is never called.
     *
     * @param first is never given
     * @return never
     */
    FirstArgumentIsNoGrid refuse(FirstArgumentIsNoGrid first);
  }

  /** What no kernel is: a method whose parameters say that the arguments do not fit. */
  public interface Misfit extends WithoutGrid {
    /**
     * Is never called.
     *
     * @param block is never given
     * @param arguments are never given
     * @return never
     */
    AnotherNumberOfArgumentsOrNoStaticMethod refuse(
        ThreadBlock block, AnotherNumberOfArgumentsOrNoStaticMethod arguments);

    @Override
    default FirstArgumentIsNoGrid refuse(FirstArgumentIsNoGrid first) {
      throw new UnsupportedOperationException();
    }
  }

  /** What no kernel is: a method whose only parameter says that no kernel follows the grid. */
  public interface WithoutKernel {
    /**
     * Is never called.
     *
     * @param second is never given
     * @return never
     */
    SecondArgumentIsNoKernel refuse(SecondArgumentIsNoKernel second);
  }

  /**
   * What every kernel is. A method reference is none before the compiler has chosen an overload, so
   * that an overload with this parameter is for kernels that are held by variables.
   */
  public interface KernelOfOtherArguments {}

  /** Says that a launch does not begin with a {@code Grid}. There is none. */
  public static final class FirstArgumentIsNoGrid {
    private FirstArgumentIsNoGrid() {}
  }

  /** Says that in a launch no kernel follows the {@code Grid}. There is none. */
  public static final class SecondArgumentIsNoKernel {
    private SecondArgumentIsNoKernel() {}
  }

  /**
   * Says that a launch has more or fewer arguments than its kernel has parameters after the block,
   * or that the kernel is not a static method. There is none.
   */
  public static final class AnotherNumberOfArgumentsOrNoStaticMethod {
    private AnotherNumberOfArgumentsOrNoStaticMethod() {}
  }
}
