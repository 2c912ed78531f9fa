package dev.stretto.route;

import org.jspecify.annotations.Nullable;

/**
 * Where Stretto reports what it cannot throw: the logger {@code dev.stretto}. A logger's handlers
 * are the program's code, so they are not called by a thread that holds a lock of Stretto's.
 */
public final class ProgramLog {
  private ProgramLog() {}

  /**
   * Logs a warning.
   *
   * @param message what happened
   * @param thrown with its stack trace, or null
   */
  public static void warn(String message, @Nullable Throwable thrown) {
    log(System.Logger.Level.WARNING, message, thrown);
  }

  /**
   * Logs an error.
   *
   * @param message what happened
   * @param thrown with its stack trace, or null
   */
  static void error(String message, @Nullable Throwable thrown) {
    log(System.Logger.Level.ERROR, message, thrown);
  }

  private static void log(System.Logger.Level level, String message, @Nullable Throwable thrown) {
    Runnable log = () -> System.getLogger("dev.stretto").log(level, message, thrown);
    if (!DriverLock.isAnyHeld()) {
      log.run();
      return;
    }
    try {
      Thread _ = Thread.ofVirtual().name("stretto-log").start(log);
    } catch (OutOfMemoryError | LinkageError e) {
      log.run(); // there are no more threads: better here than nowhere
    }
  }
}
