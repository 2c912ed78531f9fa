package dev.stretto.kernel.machine;

import dev.stretto.memory.GlobalArray;
import java.security.CodeSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the line of a program's source that a stack trace leads to. */
final class SourceLine {
  private SourceLine() {}

  /** File and line of the innermost call that is neither the JDK's nor ours; empty if none. */
  static String of(StackTraceElement[] stack) {
    for (StackTraceElement element : stack) {
      String name = element.getClassName();
      boolean jdk = name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.");
      if (!jdk && !isOurs(name)) {
        return element.getFileName() + ":" + element.getLineNumber();
      }
    }
    return "";
  }

  /** Whether a class is one of this library's. */
  static boolean isOurs(String name) {
    try {
      ClassLoader loader = SourceLine.class.getClassLoader();
      return name.startsWith("dev.stretto.")
          && Objects.equals(source(Class.forName(name, false, loader)), source(GlobalArray.class));
    } catch (ClassNotFoundException | LinkageError _) {
      return false;
    }
  }

  private static @Nullable CodeSource source(Class<?> type) {
    return type.getProtectionDomain().getCodeSource();
  }
}
