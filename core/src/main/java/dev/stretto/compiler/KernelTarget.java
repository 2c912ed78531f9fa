package dev.stretto.compiler;

import dev.stretto.compiler.ir.LoweredCopy;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The devices that a kernel is compiled for: those of this compute capability and, unless it uses
 * what only this one has, newer ones.
 *
 * @param sm ten times the compute capability: 75, 80, 90, 120
 */
public record KernelTarget(int sm) {
  /** The oldest target. */
  public static final int OLDEST = 75;

  /**
   * The target of kernels that come compiled, whose methods run on virtual devices of every kind.
   */
  public static final int USUAL = 80;

  /** The only target with the instructions of warp groups. */
  public static final int WITH_WARP_GROUPS = 90;

  /** What the assembler of CUDA 13.0 knows. */
  private static final List<Integer> KNOWN =
      List.of(75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121);

  private static final int FIRST_WITH_COPIES = 80;

  private static final int NEWEST_TEXT = 90;

  /** Of a multiprocessor for which a text would have to be newer than the others. */
  private static final int TEXT_OF_EARLIER = 88;

  /**
   * {@return the best target for a device}
   *
   * @param major the first number of its compute capability
   * @param minor the second number
   */
  public static KernelTarget of(int major, int minor) {
    return new KernelTarget(Math.max(major * 10 + minor, OLDEST));
  }

  /** {@return all targets that CUDA 13.0 has, oldest first} */
  public static List<KernelTarget> all() {
    return KNOWN.stream().map(KernelTarget::new).toList();
  }

  /**
   * {@return the names of all targets as the assembler knows them, with those that have a letter:
   * {@code a} for one device alone, {@code f} for its family}
   */
  public static List<String> names() {
    return KNOWN.stream()
        .flatMap(
            sm ->
                sm > NEWEST_TEXT
                    ? Stream.of("sm_" + sm, "sm_" + sm + "a", "sm_" + sm + "f")
                    : sm == WITH_WARP_GROUPS
                        ? Stream.of("sm_" + sm, "sm_" + sm + "a")
                        : Stream.of("sm_" + sm))
        .toList();
  }

  /**
   * {@return the target of a name}
   *
   * @param name one of {@link #names()}
   * @throws IllegalArgumentException if it is none of them
   */
  public static KernelTarget named(String name) {
    if (!names().contains(name)) {
      throw new IllegalArgumentException(
          name + " is no target: use " + names().stream().collect(Collectors.joining(", ")));
    }
    return new KernelTarget(Integer.parseInt(name.replaceAll("\\D", "")));
  }

  /**
   * {@return the most shared memory that a block may have, in bytes; for a target that is not
   * known, what all newer ones have}
   */
  public int mostSharedBytes() {
    return switch (sm) {
      case 75 -> 64 << 10;
      case 80, 87 -> 163 << 10;
      case 86, 88, 89, 120, 121 -> 99 << 10;
      default -> 227 << 10;
    };
  }

  /**
   * {@return the target that the text of a kernel names} Newer devices run what is written for 9.0:
   * a kernel has nothing that only they have. A text for 8.8 needs a driver of CUDA 13.0, one for
   * 8.7 does not.
   *
   * @param specific whether it uses what only this target has
   */
  String text(boolean specific) {
    int text = sm == TEXT_OF_EARLIER ? sm - 1 : Math.min(sm, NEWEST_TEXT);
    return "sm_" + text + (specific ? "a" : "");
  }

  /** {@return the version of PTX to write} */
  public String ptxVersion() {
    return "8.0";
  }

  /** {@return what a copy becomes: without {@code cp.async}, loads and stores} */
  LoweredCopy of(LoweredCopy copy) {
    return sm < FIRST_WITH_COPIES && copy.mechanism().startsWith("cp.async.c")
        ? copy.synchronous(
            copy.reason() + "; sm_" + sm + " has no cp.async: loads and stores of that size")
        : copy;
  }

  /** {@return its compute capability, such as 9.0} */
  String capability() {
    return capability(sm);
  }

  static String capability(int sm) {
    return sm / 10 + "." + sm % 10;
  }

  @Override
  public String toString() {
    return "sm_" + sm;
  }
}
