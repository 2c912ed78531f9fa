package dev.stretto.route;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Where Stretto reports what it cannot throw: the logger {@code dev.stretto}. A logger's handlers
 * are the program's code, so they are not called by a thread that holds a lock of Stretto's.
 *
 * <p>The JDK's own loggers are switched off by a thread of their own while a process ends; what
 * they would have printed is printed then.
 */
public final class ProgramLog {
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();

  private static volatile boolean processEnds;

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

  /** From now on loggers may be gone. */
  public static void processEnds() {
    processEnds = true;
  }

  /** {@return whether all that was to be logged is} */
  static boolean isWritten() {
    return UNDER_WAY.get() == 0;
  }

  private static void log(System.Logger.Level level, String message, @Nullable Throwable thrown) {
    if (!DriverLock.isAnyHeld()) {
      write(level, message, thrown);
      return;
    }
    int _ = UNDER_WAY.incrementAndGet();
    Runnable log =
        () -> {
          try {
            write(level, message, thrown);
          } finally {
            int left = UNDER_WAY.decrementAndGet();
            assert left >= 0;
          }
        };
    try {
      Thread _ = Thread.ofVirtual().name("stretto-log").start(log);
    } catch (OutOfMemoryError | LinkageError e) {
      log.run(); // there are no more threads: better here than nowhere
    }
  }

  private static void write(System.Logger.Level level, String message, @Nullable Throwable thrown) {
    System.Logger logger = System.getLogger("dev.stretto");
    String backend = logger.getClass().getName();
    if (processEnds && (backend.startsWith("sun.") || backend.startsWith("jdk."))) {
      System.err.println(level + ": " + message);
      System.err.flush();
    } else if (thrown == null) {
      logger.log(level, message);
    } else {
      logger.log(level, message, thrown);
    }
  }
}
