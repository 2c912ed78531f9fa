package dev.stretto.route;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs short actions with the driver's lock held, one thread at a time. A thread that comes while
 * another one runs such actions leaves its own to that thread and goes on at once. If each of many
 * threads waited for the lock instead, most of their time would go into parking and waking: for a
 * piece of a staged copy that takes as long as moving its bytes.
 *
 * <p>While the device's poller is awake, it runs all actions: its core has the driver's code and
 * data in its caches, where the first call of another thread takes ten times as long.
 */
final class LockedActions {
  /** After so many actions other threads get a chance to take the lock. */
  private static final int MOST_AT_ONCE = 8;

  private final DriverLock lock;
  private final CountedQueue actions = new CountedQueue();
  private final AtomicBoolean running = new AtomicBoolean();
  private volatile boolean attended;

  LockedActions(DriverLock lock) {
    this.lock = lock;
  }

  /**
   * Runs an action: before this returns, or soon on another thread.
   *
   * @param action what it throws is only logged
   */
  void run(Runnable action) {
    actions.add(action);
    if (!attended) {
      runAll();
    }
  }

  /** Runs what other threads have left. */
  void runAll() {
    while (!actions.isEmpty() && running.compareAndSet(false, true)) {
      try {
        runSome();
      } finally {
        running.set(false);
      }
    }
  }

  private void runSome() {
    synchronized (lock) {
      Runnable next;
      for (int i = 0; i < MOST_AT_ONCE && (next = actions.poll()) != null; i++) {
        runSafely(next);
      }
    }
  }

  /** Survives any exception: the thread that runs an action is seldom the one that brought it. */
  private static void runSafely(Runnable action) {
    try {
      action.run();
    } catch (Throwable e) {
      ProgramLog.error("a part of a staged copy failed", e);
    }
  }

  /** Notes that the calling thread will call {@link #runAll} again and again. */
  void attend() {
    attended = true;
  }

  /** Notes that the thread that has attended does so no longer, and runs what was left to it. */
  void leave() {
    attended = false;
    runAll();
  }

  /** {@return whether a thread runs the actions, so that those who bring them need not} */
  boolean isAttended() {
    return attended;
  }

  /** {@return whether actions wait to be run} */
  boolean isAny() {
    return !actions.isEmpty();
  }
}
