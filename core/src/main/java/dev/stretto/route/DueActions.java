package dev.stretto.route;

import java.util.List;

/** Runs actions that are due because an operation is done. */
final class DueActions {
  private DueActions() {}

  /**
   * Runs all actions of a list and clears it. An exception of one of them is logged, and the others
   * still run.
   *
   * @param due the actions
   * @param device the device's name
   */
  static void run(List<Runnable> due, String device) {
    for (Runnable action : due) {
      try {
        action.run();
      } catch (Throwable e) { // if this thread ended, no completion would be reported any more
        ProgramLog.error("a completion of " + device + " failed", e);
      }
    }
    due.clear();
  }
}
