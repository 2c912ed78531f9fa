package dev.stretto.flow;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Platform threads that read chunks and enqueue their copies. Several of them enqueue at the same
 * time: a virtual thread that has to wait for a lock takes a tenth of a millisecond to go on.
 */
final class ReaderThreads {
  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> Thread.ofPlatform().daemon().name("stretto-reader").unstarted(task));

  private ReaderThreads() {}

  /** Runs a task on such a thread, or on another one if none can be started. */
  static void run(Runnable task) {
    try {
      THREADS.execute(task);
    } catch (Throwable e) { // the machine or its memory has no room for another thread
      FlowThreads.run(task);
    }
  }
}
