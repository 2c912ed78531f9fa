package dev.stretto.route;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs short actions with the driver's lock held. A thread that comes while another one runs such
 * actions leaves its own to that thread and goes on at once. If each of many threads waited for the
 * lock instead, most of their time would go into parking and waking: for a piece of a staged copy
 * that takes as long as moving its bytes.
 */
final class LockedActions {
  /** After so many actions other threads get a chance to take the lock. */
  private static final int MOST_AT_ONCE = 32;

  private final DriverLock lock;
  private final Queue<Runnable> actions = new ConcurrentLinkedQueue<>();
  private final AtomicInteger pending = new AtomicInteger();

  LockedActions(DriverLock lock) {
    this.lock = lock;
  }

  /**
   * Runs an action: before this returns, or on another thread that is running some.
   *
   * @param action must not throw anything
   */
  void run(Runnable action) {
    actions.add(action);
    if (pending.getAndIncrement() > 0) {
      return;
    }
    int done;
    do {
      done = runSome();
    } while (pending.addAndGet(-done) > 0);
  }

  private int runSome() {
    synchronized (lock) {
      int done = 0;
      Runnable next;
      while (done < MOST_AT_ONCE && (next = actions.poll()) != null) {
        next.run();
        done++;
      }
      return done;
    }
  }
}
