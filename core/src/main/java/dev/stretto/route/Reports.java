package dev.stretto.route;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The calling thread's pending reports to observers. An observer is the program's code: it may take
 * locks of its own, use devices, or throw. So no observer is called while the thread holds a lock
 * of Stretto. Reports about operations that are enqueued with a lock held wait until it is
 * released.
 */
public final class Reports implements AutoCloseable {
  /** One object for each thread that has ever needed it, so that enqueuing allocates nothing. */
  private static final ThreadLocal<@Nullable Reports> OF_THREAD = new ThreadLocal<>();

  private final ArrayDeque<Runnable> reports = new ArrayDeque<>(0);
  private int depth;

  private Reports() {}

  /**
   * Keeps the thread's reports back until the outermost result of this method is closed. Call it
   * before taking a lock, and close the result after releasing the lock.
   *
   * @return ends the keeping when it is closed
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
   * Sends a report now, or when the thread no longer holds a lock of Stretto.
   *
   * @param report sends the report; must not throw
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
