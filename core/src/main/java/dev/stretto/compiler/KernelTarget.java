package dev.stretto.compiler;

/**
 * For which devices a kernel is compiled: those of this compute capability and newer ones.
 *
 * @param sm ten times the compute capability: 80, 90
 */
public record KernelTarget(int sm) {
  /** The oldest, for what is not compiled for any other. */
  public static final int OLDEST = 80;

  private static final int NEWEST = 90;

  /**
   * {@return what runs best on a device}
   *
   * @param major its compute capability's first number
   * @param minor its second number
   */
  public static KernelTarget of(int major, int minor) {
    return new KernelTarget(Math.clamp(major * 10L + minor, OLDEST, NEWEST));
  }

  /**
   * {@return how many bytes of shared memory a block may have at most} No newer device that runs
   * what is compiled for 9.0 has more; one that has less refuses the launch.
   */
  public int mostSharedBytes() {
    return switch (sm) {
      case 80, 87 -> 163 << 10;
      case 86, 89 -> 99 << 10;
      default -> 227 << 10;
    };
  }

  /** {@return the version of PTX that is written} */
  public String ptxVersion() {
    return "8.0";
  }

  @Override
  public String toString() {
    return "sm_" + sm;
  }
}
