package dev.stretto.cli;

import java.io.PrintStream;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Prints the library's log in the form of the command's own messages: one line each. */
final class LogLines extends Handler {
  /** A strong reference, since the log manager does not hold loggers. */
  private static final Logger LOGGER = Logger.getLogger("dev.stretto");

  private final PrintStream err;

  private LogLines(PrintStream err) {
    this.err = err;
  }

  static void to(PrintStream err) {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(new LogLines(err));
  }

  @Override
  public void publish(LogRecord line) {
    if (line.getLevel().intValue() >= Level.INFO.intValue()) {
      err.println("stretto: " + line.getMessage());
      if (line.getThrown() != null) {
        err.println("stretto: " + Faults.line(line.getThrown()));
      }
    }
  }

  @Override
  public void flush() {
    err.flush();
  }

  @Override
  public void close() {
    flush();
  }
}
