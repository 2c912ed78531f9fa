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
  private static final ThreadLocal<@Nullable Reports> KEPT = new ThreadLocal<>();

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
    Reports kept = KEPT.get();
    if (kept == null) {
      kept = new Reports();
      KEPT.set(kept);
    }
    kept.depth++;
    return kept;
  }

  /**
   * Sends a report now, or when the thread holds no lock of Stretto's any more.
   *
   * @param report does not throw
   */
  public static void send(Runnable report) {
    Reports kept = KEPT.get();
    if (kept == null) {
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
    KEPT.remove(); // an observer may enqueue operations too
    for (Runnable next = reports.poll(); next != null; next = reports.poll()) {
      next.run();
    }
  }
}
