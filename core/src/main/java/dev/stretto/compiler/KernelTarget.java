package dev.stretto.compiler;

/**
 * The devices that a kernel is compiled for: those of this compute capability and newer ones.
 *
 * @param sm ten times the compute capability: 80, 90
 */
public record KernelTarget(int sm) {
  /** The oldest target, for kernels that are not compiled for any other. */
  public static final int OLDEST = 80;

  private static final int NEWEST = 90;

  /**
   * {@return the best target for a device}
   *
   * @param major the first number of its compute capability
   * @param minor the second number
   */
  public static KernelTarget of(int major, int minor) {
    return new KernelTarget(Math.clamp(major * 10L + minor, OLDEST, NEWEST));
  }

  /**
   * {@return the most shared memory that a block may have, in bytes} No newer device that runs code
   * compiled for 9.0 has more; a device that has less refuses the launch.
   */
  public int mostSharedBytes() {
    return switch (sm) {
      case 80, 87 -> 163 << 10;
      case 86, 89 -> 99 << 10;
      default -> 227 << 10;
    };
  }

  /** {@return the version of PTX to write} */
  public String ptxVersion() {
    return "8.0";
  }

  @Override
  public String toString() {
    return "sm_" + sm;
  }
}
