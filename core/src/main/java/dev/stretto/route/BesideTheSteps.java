package dev.stretto.route;

import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Runs a step of the program on a seeded device on a thread of its own, as a {@link HostStep} or
 * what a {@link ForeignCall} still has to enqueue. While the step works, the thread that steps the
 * device waits for it, so that the seed alone decides the order. Once the step itself waits for
 * something outside the device, the device goes on without it.
 */
final class BesideTheSteps {
  /** A step that is parked for this long counts as waiting for something outside. */
  private static final long PARKED_NANOS = 10_000_000;

  /** The same for a step that may be waiting in native code, which looks like working. */
  private static final long WORKING_NANOS = 200_000_000;

  private static final long LOOK_NANOS = 50_000;

  private BesideTheSteps() {}

  /**
   * Starts a step, and returns when it is over or waits.
   *
   * @param refused told why the step has not run, if the process can have no more threads
   */
  static void run(Runnable step, Consumer<Throwable> refused, DriverLock lock) {
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
                      step.run();
                    } finally {
                      lock.endElsewhere();
                      LockSupport.unpark(stepper);
                    }
                  });
    } catch (Throwable e) { // the process can have no more threads
      refused.accept(e);
      lock.endElsewhere();
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
