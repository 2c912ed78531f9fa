package dev.stretto.cli;

/** Something that two threads want done, and that is done once: the later thread waits for it. */
final class Once {
  private boolean begun;

  /** Does it, unless it was begun before; returns when it has been done. */
  synchronized void run(Runnable action) {
    if (!begun) {
      begun = true;
      action.run();
    }
  }
}
