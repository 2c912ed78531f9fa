package dev.stretto.contract;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the exceptions that Stretto logs, having nobody to throw them at. */
public final class LoggedErrors extends Handler implements AutoCloseable {
  private static final Logger LOGGER = Logger.getLogger("dev.stretto");

  private final ConcurrentLinkedQueue<Throwable> errors = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<String> messages = new ConcurrentLinkedQueue<>();

  /** Listens from now on. */
  public LoggedErrors() {
    LOGGER.setUseParentHandlers(false);
    LOGGER.addHandler(this);
  }

  /** {@return what was logged since the last {@link #clear()}} */
  public List<Throwable> all() {
    return List.copyOf(errors);
  }

  /** {@return the messages of all that was logged since the last {@link #clear()}} */
  public List<String> messages() {
    return List.copyOf(messages);
  }

  /** Forgets what was logged. */
  public void clear() {
    errors.clear();
    messages.clear();
  }

  /** {@return an exception, its causes and what was suppressed in favour of one of them} */
  public static List<Throwable> causes(Throwable error) {
    List<Throwable> causes = new ArrayList<>();
    for (Throwable e = error; e != null; e = e.getCause()) {
      causes.add(e);
      for (Throwable suppressed : e.getSuppressed()) {
        causes.addAll(causes(suppressed));
      }
    }
    return causes;
  }

  @Override
  public void publish(LogRecord record) {
    messages.add(record.getMessage());
    if (record.getThrown() != null) {
      errors.add(record.getThrown());
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    LOGGER.removeHandler(this);
    LOGGER.setUseParentHandlers(true);
  }
}
