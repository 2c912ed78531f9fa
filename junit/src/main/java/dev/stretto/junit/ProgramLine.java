package dev.stretto.junit;

import dev.stretto.Device;
import java.lang.StackWalker.Option;
import java.lang.StackWalker.StackFrame;
import java.security.CodeSource;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the line of the program on a stack: the first that is not the JDK's, Stretto's or JUnit's.
 */
final class ProgramLine {
  private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

  private static final ClassValue<Boolean> IS_PROGRAM =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return isProgram(type);
        }
      };

  private ProgramLine() {}

  /** {@return the file and line at which the program has called, if this thread runs it} */
  static Optional<String> ofThisThread() {
    return STACK.walk(
        frames ->
            frames
                .filter(frame -> IS_PROGRAM.get(frame.getDeclaringClass()))
                .findFirst()
                .map(StackFrame::toStackTraceElement)
                .map(ProgramLine::place));
  }

  /** {@return the file and line in a stack trace, or its first line if the program is not in it} */
  static String of(Throwable where) {
    StackTraceElement[] trace = where.getStackTrace();
    return Arrays.stream(trace)
        .filter(element -> isProgram(element.getClassName()))
        .findFirst()
        .or(() -> Stream.of(trace).findFirst())
        .map(ProgramLine::place)
        .orElse("an unknown line");
  }

  private static String place(StackTraceElement element) {
    return element.getFileName() + ":" + element.getLineNumber();
  }

  private static boolean isProgram(String className) {
    if (isOfOthers(className)) {
      return false;
    }
    try {
      ClassLoader loader = Thread.currentThread().getContextClassLoader();
      return isProgram(Class.forName(className, false, loader));
    } catch (ClassNotFoundException | LinkageError e) {
      return !className.startsWith("dev.stretto."); // a class of a loader that is not known here
    }
  }

  private static boolean isProgram(Class<?> type) {
    return !isOfOthers(type.getName()) && !isFromWhere(Device.class, type) && !isOurs(type);
  }

  private static boolean isOurs(Class<?> type) {
    return isFromWhere(ProgramLine.class, type);
  }

  private static boolean isOfOthers(String className) {
    return className.startsWith("java.")
        || className.startsWith("jdk.")
        || className.startsWith("sun.")
        || className.startsWith("com.sun.")
        || className.startsWith("org.junit.");
  }

  /** Whether a class lies in the folder or jar of another. Tests of Stretto share its packages. */
  private static boolean isFromWhere(Class<?> known, Class<?> type) {
    Object here = place(known);
    return here != null && Objects.equals(here, place(type));
  }

  private static @Nullable Object place(Class<?> type) {
    CodeSource source = type.getProtectionDomain().getCodeSource();
    return source == null ? null : source.getLocation();
  }
}
