package dev.stretto.route;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The logger {@code dev.stretto}, which reports what Stretto cannot throw. A logger's handlers are
 * the program's code, so no thread calls them while it holds a lock of Stretto.
 *
 * <p>While a process ends, a thread of the JDK switches the JDK's own loggers off. Messages that
 * they would have printed are then printed directly.
 */
public final class ProgramLog {
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();

  private static volatile boolean processEnds;

  private ProgramLog() {}

  /**
   * Logs a warning.
   *
   * @param message what happened
   * @param thrown an exception to log with its stack trace, or null
   */
  public static void warn(String message, @Nullable Throwable thrown) {
    log(System.Logger.Level.WARNING, message, thrown);
  }

  /**
   * Logs an error.
   *
   * @param message what happened
   * @param thrown an exception to log with its stack trace, or null
   */
  static void error(String message, @Nullable Throwable thrown) {
    log(System.Logger.Level.ERROR, message, thrown);
  }

  /** Notes that the process ends, so that loggers may be switched off. */
  public static void processEnds() {
    processEnds = true;
  }

  /** {@return whether all messages have been logged} */
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
      log.run(); // there are no more threads: log on this one
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
