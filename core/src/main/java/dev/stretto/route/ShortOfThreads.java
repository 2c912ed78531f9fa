package dev.stretto.route;

import java.util.concurrent.atomic.AtomicBoolean;

/** Reports, once in a process, that it can have no more threads, and what Stretto does then. */
final class ShortOfThreads {
  private static final AtomicBoolean REPORTED = new AtomicBoolean();

  private ShortOfThreads() {}

  /**
   * Reports it.
   *
   * @param what the thread was for
   */
  static void report(String what, Throwable e) {
    if (REPORTED.compareAndSet(false, true)) {
      ProgramLog.error(
          "the process can have no further thread, to "
              + what
              + ": its work is done by the one that watches the device, which is slower; raise the"
              + " limit of processes (ulimit -u, pids.max of the container) or have fewer threads",
          e);
    }
  }
}
