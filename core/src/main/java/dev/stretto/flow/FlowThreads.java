package dev.stretto.flow;

/** Threads on which a flow does what must not keep anybody waiting. */
final class FlowThreads {
  private FlowThreads() {}

  /**
   * Runs a task on a new thread; on this one if there is no room for another, so that a flow comes
   * to its end in any case.
   */
  static void run(Runnable task) {
    Thread thread = Thread.ofVirtual().name("stretto-flow").unstarted(task);
    try {
      thread.start();
    } catch (Throwable e) { // the machine or its memory has no room for another thread
      if (thread.getState() == Thread.State.NEW || thread.getState() == Thread.State.TERMINATED) {
        task.run();
      }
    }
  }
}
