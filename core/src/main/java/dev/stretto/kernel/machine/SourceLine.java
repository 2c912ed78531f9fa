package dev.stretto.kernel.machine;

import dev.stretto.memory.GlobalArray;
import java.security.CodeSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Finds the line of a program's source that a stack trace leads to. */
final class SourceLine {
  private SourceLine() {}

  /**
   * The file and line of the innermost call outside the JDK and this library; empty if there is
   * none.
   */
  static String of(StackTraceElement[] stack) {
    for (StackTraceElement element : stack) {
      if (!isOther(element)) {
        return element.getFileName() + ":" + element.getLineNumber();
      }
    }
    return "";
  }

  /** Whether a call is one of the JDK or this library. */
  static boolean isOther(StackTraceElement element) {
    String name = element.getClassName();
    return name.startsWith("java.")
        || name.startsWith("jdk.")
        || name.startsWith("sun.")
        || isOurs(name);
  }

  /** Whether a class belongs to this library. */
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
