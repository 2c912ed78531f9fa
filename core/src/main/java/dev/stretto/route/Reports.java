package dev.stretto.route;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * What observers are still to be told, of the calling thread. An observer is the program's code: it
 * may take locks of its own, use devices, or throw. So none is called while the thread holds a lock
 * of Stretto's: operations that are enqueued under one have their reports kept until it is
 * released.
 */
public final class Reports implements AutoCloseable {
  /** One for each thread that has ever needed it, so that enqueuing allocates nothing. */
  private static final ThreadLocal<@Nullable Reports> OF_THREAD = new ThreadLocal<>();

  private final ArrayDeque<Runnable> reports = new ArrayDeque<>(0);
  private int depth;

  private Reports() {}

  /**
   * Keeps the thread's reports from now on, until the last of them is closed that were begun; call
   * it before a lock is taken, and close it after the lock was released.
   *
   * @return what ends it
   */
  public static Reports keep() {
    Reports reports = OF_THREAD.get();
    if (reports == null) {
      reports = new Reports();
      OF_THREAD.set(reports);
    }
    reports.depth++;
    return reports;
  }

  /**
   * Sends a report now, or when the thread holds no lock of Stretto's any more.
   *
   * @param report does not throw
   */
  public static void send(Runnable report) {
    Reports kept = OF_THREAD.get();
    if (kept == null || kept.depth == 0) {
      report.run();
    } else {
      kept.reports.add(report);
    }
  }

  @Override
  public void close() {
    if (--depth > 0) {
      return;
    }
    for (Runnable next = reports.poll(); next != null; next = reports.poll()) {
      next.run();
    }
  }
}
