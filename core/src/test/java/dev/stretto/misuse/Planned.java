package dev.stretto.misuse;

import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Random;

/** What the program's own code throws on purpose, and how it is known again. */
final class Planned {
  private static final String MARK = "planned misuse";

  private Planned() {}

  /** {@return an exception of any kind} */
  static Throwable any(Random random) {
    return switch (random.nextInt(7)) {
      case 0 -> new IllegalStateException(MARK);
      case 1 -> new java.io.IOException(MARK);
      case 2 -> new Exception(MARK);
      case 3 -> new AssertionError(MARK);
      case 4 -> new OutOfMemoryError(MARK);
      case 5 -> new InterruptedException(MARK);
      default -> new ArithmeticException(MARK);
    };
  }

  /** {@return whether one of them is at its bottom} */
  static boolean isBehind(Throwable thrown) {
    return isBehind(thrown, new IdentityHashMap<>());
  }

  private static boolean isBehind(Throwable thrown, Map<Throwable, Boolean> seen) {
    if (thrown == null || seen.put(thrown, true) != null) {
      return false;
    }
    return MARK.equals(thrown.getMessage()) || isBehind(thrown.getCause(), seen);
  }

  /** Throws it, checked or not, as other languages of the JVM do. */
  @SuppressWarnings("unchecked")
  static <T extends Throwable> RuntimeException sneak(Throwable thrown) throws T {
    throw (T) thrown;
  }
}
