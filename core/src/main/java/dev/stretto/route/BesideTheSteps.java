package dev.stretto.route;

import java.util.concurrent.locks.LockSupport;

/**
 * Runs a {@link HostStep} of a seeded device on a thread of its own. The thread that steps the
 * device waits for it as long as it works, so that the seed alone decides what happens; once it
 * waits for somebody outside, the device goes on without it.
 */
final class BesideTheSteps {
  /** A step that is parked for so long waits for somebody outside. */
  private static final long PARKED_NANOS = 10_000_000;

  /** A step may wait in native code as well, which looks as if it worked. */
  private static final long WORKING_NANOS = 200_000_000;

  private static final long LOOK_NANOS = 50_000;

  private BesideTheSteps() {}

  /** Begins a callback, and returns when it is over or waits. */
  static void run(Callback callback, DriverLock lock) {
    Thread stepper = Thread.currentThread();
    lock.beginElsewhere();
    Thread thread;
    try {
      thread =
          Thread.ofVirtual()
              .name("stretto-step")
              .start(
                  () -> {
                    try {
                      callback.run();
                    } finally {
                      lock.endElsewhere();
                      LockSupport.unpark(stepper);
                    }
                  });
    } catch (Throwable e) { // no thread can be made any more
      lock.endElsewhere();
      callback.refused(e);
      return;
    }
    waitFor(thread);
  }

  private static void waitFor(Thread thread) {
    long begin = System.nanoTime();
    long parkedSince = begin;
    while (thread.isAlive()) {
      long now = System.nanoTime();
      if (thread.getState() == Thread.State.RUNNABLE) {
        parkedSince = now;
      }
      if (now - parkedSince > PARKED_NANOS || now - begin > WORKING_NANOS) {
        return;
      }
      LockSupport.parkNanos(thread, LOOK_NANOS);
    }
  }
}
