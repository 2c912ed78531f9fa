package dev.stretto.route;

import java.util.concurrent.atomic.AtomicBoolean;

/** Reports once per process that no more threads can be started, and what Stretto does instead. */
final class ShortOfThreads {
  private static final AtomicBoolean REPORTED = new AtomicBoolean();

  private ShortOfThreads() {}

  /**
   * Reports the failure.
   *
   * @param what the thread was for
   */
  static void report(String what, Throwable e) {
    if (REPORTED.compareAndSet(false, true)) {
      ProgramLog.error(
          "the process can start no further thread to "
              + what
              + ": the thread that polls the device does the work instead, which is slower; raise"
              + " the limit of processes (ulimit -u, pids.max of the container) or use fewer"
              + " threads",
          e);
    }
  }
}
