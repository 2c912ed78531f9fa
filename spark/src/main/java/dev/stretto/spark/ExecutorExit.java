package dev.stretto.spark;

import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends the process of an executor that has lost all of its devices. */
final class ExecutorExit {
  /** As spark-rapids has it. */
  static final int CODE = 20;

  private static final Logger LOG = LoggerFactory.getLogger(StrettoPlugin.class);
  private static final Duration TASKS_END = Duration.ofSeconds(10);

  /** So long the report of the last failure may be under way. */
  private static final Duration REPORTS_LEAVE = Duration.ofSeconds(1);

  private ExecutorExit() {}

  /** Lets tasks that have failed report it, and exits. Does not block. */
  static void begin(Map<?, ?> tasks) {
    Thread _ = Thread.ofPlatform().daemon().name("stretto-exit").start(() -> exit(tasks));
  }

  private static void exit(Map<?, ?> tasks) {
    try {
      long end = System.nanoTime() + TASKS_END.toNanos();
      while (!tasks.isEmpty() && System.nanoTime() < end) {
        Thread.sleep(20);
      }
      Thread.sleep(REPORTS_LEAVE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    LOG.error(
        "this executor has lost all of its devices, which a process cannot open again: exit code"
            + " {}; with {}=keep it would go on",
        CODE,
        SparkSettings.ON_LOST);
    System.exit(CODE);
  }
}
