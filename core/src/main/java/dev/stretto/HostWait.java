package dev.stretto;

import dev.stretto.fault.DeadlockException;
import dev.stretto.route.CompletionPoller;
import dev.stretto.route.PolledWait;
import dev.stretto.route.StreamQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something in the host's memory that work of a stream brings about while it runs. */
final class HostWait {
  /** How long the condition alone is looked at, before it is asked whether the stream goes on. */
  private static final long SLICE_NANOS = 2_000_000;

  private static final long PAUSE_NANOS = 50_000;

  /** How often the condition is looked at before anything else. */
  private static final int AT_ONCE = 2_000;

  private HostWait() {}

  /**
   * {@return whether the condition holds; if not, the time is over}
   *
   * @param deadline a time of {@link System#nanoTime()}, or {@link Long#MAX_VALUE} for none
   * @throws DeadlockException if everything is done that the stream held, and the condition does
   *     not hold
   */
  static boolean until(StreamQueue queue, BooleanSupplier condition, long deadline) {
    CompletionPoller watch = queue.watch();
    watch.checkInterrupt();
    long last = queue.end();
    if (!watch.isStepped()) {
      for (int i = 0; i < AT_ONCE; i++) { // an answer takes 3 microseconds, a look 5 nanoseconds
        if (condition.getAsBoolean()) {
          return true;
        }
      }
    }
    while (!condition.getAsBoolean()) {
      long now = System.nanoTime();
      if (watch.isStepped()) {
        watch.stepUntil(() -> condition.getAsBoolean() || queue.isReached(last), deadline);
      } else if (PolledWait.until(condition, Math.min(deadline, now + SLICE_NANOS))) {
        return true;
      } else {
        LockSupport.parkNanos(condition, Math.min(deadline, now + PAUSE_NANOS) - now);
      }
      watch.checkInterrupt();
      queue.device().requireAlive();
      boolean isDone = Point.hasHappened(queue, last);
      if (condition.getAsBoolean()) {
        return true;
      }
      if (isDone) {
        throw new DeadlockException(
            "everything is done that "
                + queue.describe()
                + " held, and what the thread waits for has not happened: nothing that runs there"
                + " can bring it about any more");
      }
      if (deadline <= System.nanoTime()) { // which no time is, if there is none
        return false;
      }
    }
    return true;
  }
}
