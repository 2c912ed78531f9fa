package dev.stretto.diagnosis.tally;

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
  private static final Set<String> KNOWING = Set.of("dev.stretto.flow", "dev.stretto.collective");

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

  /**
   * What a look at the stack has found.
   *
   * @param line {@link #line()}
   * @param isCaller whether it is {@link #caller()} too; there is none otherwise
   * @param code the byte code's index in the line's method
   * @param method that method's descriptor
   */
  public record Found(@Nullable StackTraceElement line, boolean isCaller, int code, String method) {
    private static final Found NOTHING = new Found(null, false, -1, "");

    /** {@return what {@link Places#caller()} returns} */
    public @Nullable StackTraceElement caller() {
      return isCaller ? line : null;
    }

    private boolean is(StackWalker.StackFrame frame, boolean called) {
      return line != null
          && isCaller == called
          && code == frame.getByteCodeIndex()
          && line.getMethodName().equals(frame.getMethodName())
          && method.equals(frame.getDescriptor())
          && line.getClassName().equals(frame.getClassName());
    }
  }

  /** {@return {@link #line()} and {@link #caller()} by one look} */
  public static Found found() {
    return found(null);
  }

  /**
   * {@return {@link #line()} and {@link #caller()} by one look}
   *
   * @param known what was found before, which is returned if it is found again: making a line of a
   *     frame takes longer than to find the frame
   */
  static Found found(@Nullable Found known) {
    return DESCRIBED.walk(frames -> found(frames, known));
  }

  private static Found found(Stream<StackWalker.StackFrame> frames, @Nullable Found known) {
    boolean isCaller = true;
    for (Iterator<StackWalker.StackFrame> each = frames.iterator(); each.hasNext(); ) {
      StackWalker.StackFrame frame = each.next();
      String within = packageOf(frame.getClassName());
      if (KNOWING.contains(within)) {
        isCaller = false;
      } else if (!isPassedOver(within)) {
        return known != null && known.is(frame, isCaller)
            ? known
            : new Found(
                frame.toStackTraceElement(),
                isCaller,
                frame.getByteCodeIndex(),
                frame.getDescriptor());
      }
    }
    return Found.NOTHING;
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

  /** {@return the program's frames, the nearest one first, as many as are worth showing} */
  public static List<StackTraceElement> frames() {
    return STACK.walk(
        frames ->
            frames
                .filter(each -> !isStretto(packageOf(each.getClassName())))
                .limit(MOST_FRAMES)
                .map(StackWalker.StackFrame::toStackTraceElement)
                .toList());
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
