package dev.stretto.diagnosis.tally;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the line of the program that called Stretto. */
public final class Places {
  private static final StackWalker STACK = StackWalker.getInstance();

  /** Tells methods of the same name apart. */
  private static final StackWalker DESCRIBED =
      StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

  /** Packages of the library that use Stretto as a program does, and are known to use it well. */
  private static final Set<String> KNOWING =
      Set.of(
          "dev.stretto.collective",
          "dev.stretto.collective.mesh",
          "dev.stretto.collective.nccl",
          "dev.stretto.flow");

  /**
   * The other packages through which a program's call may come. Drivers and the compiler are
   * missing because they are below every caller of this class. A prefix would not do: the packages
   * of a program may begin with it too.
   */
  private static final Set<String> OWN =
      Set.of(
          "dev.stretto",
          "dev.stretto.diagnosis",
          "dev.stretto.diagnosis.tally",
          "dev.stretto.enqueue",
          "dev.stretto.fault",
          "dev.stretto.file",
          "dev.stretto.jfr",
          "dev.stretto.jmx",
          "dev.stretto.kernel",
          "dev.stretto.kernel.host",
          "dev.stretto.kernel.machine",
          "dev.stretto.kernel.math",
          "dev.stretto.memory",
          "dev.stretto.observe",
          "dev.stretto.order",
          "dev.stretto.order.program",
          "dev.stretto.process",
          "dev.stretto.route",
          "dev.stretto.rows",
          "dev.stretto.schedule",
          "dev.stretto.settings",
          "dev.stretto.timeline");

  private static final int MOST_FRAMES = 16;

  private Places() {}

  /**
   * {@return the program's frame nearest to the caller, or null} There is none on Stretto's own
   * threads, and none for the calls of a flow or a collective operation.
   */
  public static @Nullable StackTraceElement caller() {
    StackWalker.StackFrame frame = callersFrame();
    return frame == null ? null : frame.toStackTraceElement();
  }

  /** {@return {@link #line()} and {@link #caller()} by one look} */
  public static Found found() {
    return found(null, 1);
  }

  /**
   * {@return the program's frames, as many as are worth showing, and {@link #caller()}, by one
   * look}
   */
  public static Found foundFrames() {
    return found(null, MOST_FRAMES);
  }

  /**
   * {@return {@link #line()} and {@link #caller()} by one look}
   *
   * @param known what was found before, which is returned if it is found again: making a line of a
   *     frame takes longer than to find the frame
   * @param most how many frames are worth finding
   */
  private static Found found(@Nullable Found known, int most) {
    return DESCRIBED.walk(frames -> found(frames, known, most));
  }

  /** {@return {@link #found()}, or what was found before if it is found again} */
  static Found found(@Nullable Found known) {
    return found(known, 1);
  }

  /** {@return {@link #foundFrames()}, or what was found before if it is found again} */
  static Found foundFrames(@Nullable Found known) {
    return found(known, MOST_FRAMES);
  }

  private static Found found(
      Stream<StackWalker.StackFrame> frames, @Nullable Found known, int most) {
    boolean isCaller = true;
    List<StackWalker.StackFrame> programs = new ArrayList<>(most);
    Iterator<StackWalker.StackFrame> each = frames.iterator();
    while (programs.size() < most && each.hasNext()) {
      StackWalker.StackFrame frame = each.next();
      String within = packageOf(frame.getClassName());
      if (KNOWING.contains(within)) {
        isCaller &= !programs.isEmpty();
      } else if (!isPassedOver(within)) {
        programs.add(frame);
      }
    }
    return known != null && known.is(programs, isCaller) ? known : Found.of(programs, isCaller);
  }

  /**
   * {@return the frame of {@link #caller()}, or null} To make a line of it takes ten times as long
   * as to find it.
   */
  public static StackWalker.@Nullable StackFrame callersFrame() {
    return STACK.walk(Places::first);
  }

  /**
   * {@return the program's frame nearest to the caller, or null} Frames of flows and collective
   * operations between them are skipped. There is none on Stretto's own threads.
   */
  public static @Nullable StackTraceElement line() {
    return STACK.walk(
        frames ->
            frames
                .filter(each -> !isStretto(packageOf(each.getClassName())))
                .findFirst()
                .map(StackWalker.StackFrame::toStackTraceElement)
                .orElse(null));
  }

  /** {@return whether a package belongs to the library or the JDK rather than the program} */
  public static boolean isStretto(String name) {
    return isPassedOver(name) || KNOWING.contains(name);
  }

  /** {@return what {@link #line()} would have found in these frames} */
  static @Nullable StackTraceElement nearest(StackTraceElement[] frames) {
    for (StackTraceElement frame : frames) {
      if (!isStretto(packageOf(frame.getClassName()))) {
        return frame;
      }
    }
    return null;
  }

  private static StackWalker.@Nullable StackFrame first(Stream<StackWalker.StackFrame> frames) {
    StackWalker.StackFrame frame =
        frames
            .filter(each -> !isPassedOver(packageOf(each.getClassName())))
            .findFirst()
            .orElse(null);
    return frame == null || KNOWING.contains(packageOf(frame.getClassName())) ? null : frame;
  }

  private static boolean isPassedOver(String name) {
    return OWN.contains(name) || name.startsWith("java.") || name.startsWith("jdk.internal.");
  }

  private static String packageOf(String className) {
    return className.substring(0, Math.max(0, className.lastIndexOf('.')));
  }
}
