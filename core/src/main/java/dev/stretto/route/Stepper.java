package dev.stretto.route;

import dev.stretto.driver.Cooperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets a seeded device advance, one thing at a time, and wakes the threads that wait for it on any
 * device of the driver. It has no thread of its own: the waiting threads step.
 */
final class Stepper {
  private static final long PAUSE_NANOS = 20_000;

  /** How long the last user of a seeded device waits for other threads: about a second. */
  private static final int MOST_PAUSES = 20_000;

  private final Cooperation cooperation;
  private final DriverLock lock;
  private final Looks looks;
  private final String name;

  Stepper(Cooperation cooperation, DriverLock lock, Looks looks, String name) {
    this.cooperation = cooperation;
    this.lock = lock;
    this.looks = looks;
    this.name = name;
  }

  /**
   * Lets one thing happen.
   *
   * @param deadline a time of {@link System#nanoTime()} until which the thread waits; a kernel that
   *     still runs then goes on in the background. {@link Long#MAX_VALUE} for none
   * @return whether anything happened here, or there was anything to report about other threads'
   *     steps
   */
  boolean stepOnce(long deadline) {
    lock.beginStep();
    try {
      boolean stepped = cooperation.step(deadline);
      return settle() || stepped;
    } finally {
      lock.endStep();
    }
  }

  /** Lets everything happen that can, including what other threads bring about. */
  void stepToTheEnd() {
    int pauses = 0;
    while (stepOnce(Long.MAX_VALUE) || (isMoving() && pauses++ < MOST_PAUSES)) {
      if (pauses > 0) {
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  /** Whether something can happen, or another thread is in the middle of a step. */
  private boolean isMoving() {
    return !cooperation.isAtRest() || lock.isSteppedElsewhere();
  }

  /** Has a queue polled soon: the awaited point may be reached already. */
  void lookSoon(Looks.Looked queue) {
    looks.add(queue);
  }

  /** Notes that nobody waits on a queue any more. */
  void lookNoMore(Looks.Looked queue) {
    looks.remove(queue);
  }

  /**
   * Reports what is done on all devices of the driver, until that brings about nothing more.
   *
   * @return whether there was anything to poll
   */
  private boolean settle() {
    List<Runnable> due = new ArrayList<>();
    boolean any = false;
    boolean retry = true; // once, for queues that could not be asked before
    while (true) {
      List<Long> news = cooperation.takeNews();
      Set<Looks.Looked> queues;
      synchronized (lock) {
        looks.note(news);
        any |= looks.isAnyDue();
        if (!retry && !looks.isAnyDue()) {
          return any;
        }
        queues = looks.take();
      }
      look(queues, due);
      retry = !due.isEmpty();
      DueActions.run(due, name);
    }
  }

  private void look(Set<Looks.Looked> queues, List<Runnable> due) {
    for (Looks.Looked queue : queues) {
      boolean troubled = queue.look(due);
      synchronized (lock) {
        looks.looked(queue, troubled);
      }
    }
  }
}
