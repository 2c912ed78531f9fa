package dev.stretto.flow;

/** Threads on which a flow runs actions that must not delay others. */
final class FlowThreads {
  private FlowThreads() {}

  /**
   * Runs a task on a new thread, or on this one if no thread can be started, so that the flow ends
   * in any case.
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
