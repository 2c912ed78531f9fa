package dev.stretto.route;

import java.util.List;

/** Runs what is due because something is done. */
final class DueActions {
  private DueActions() {}

  /**
   * Runs all of some actions, and clears the list. What one of them throws is logged: whoever runs
   * them goes on.
   *
   * @param due the actions
   * @param device the device's name
   */
  static void run(List<Runnable> due, String device) {
    for (Runnable action : due) {
      try {
        action.run();
      } catch (Throwable e) { // nobody would be told of anything any more if this thread ended
        ProgramLog.error("a completion of " + device + " failed", e);
      }
    }
    due.clear();
  }
}
