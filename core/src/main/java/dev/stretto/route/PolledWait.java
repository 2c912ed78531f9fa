package dev.stretto.route;

import dev.stretto.settings.Settings;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Waits for something by asking for it again and again: spins for a short while, since to be woken
 * takes longer than many operations, and then naps between two questions, since to wake a core that
 * has halted takes longer than a nap.
 */
public final class PolledWait {
  /** How long a waiting thread spins before it naps. */
  private static final long SPIN_NANOS = Settings.POLL_NANOS.value();

  /** How long it asks without a pause; later, others can take locks in between. */
  private static final long GREEDY_NANOS = 20_000;

  private static final long BETWEEN_QUESTIONS_NANOS = 1_000;

  /** How many threads wait like this at the same time; more would take cores from others. */
  private static final int MOST = Math.max(1, Runtime.getRuntime().availableProcessors() / 4);

  /** How many virtual threads do so: each keeps its carrier. */
  private static final int MOST_VIRTUAL = Awake.ON_CARRIERS ? 1 : 0;

  private static final AtomicInteger WAITING = new AtomicInteger();
  private static final AtomicInteger WAITING_VIRTUAL = new AtomicInteger();

  private PolledWait() {}

  /**
   * Waits until something is done, the thread is interrupted, or the time is over. Returns at once
   * if many threads wait like this already. Of virtual threads only one does, and keeps its
   * carrier; a single thread that waits is woken no sooner in any other way.
   *
   * @param done the question
   * @param deadline a time of {@link System#nanoTime()}, or {@link Long#MAX_VALUE} for none
   * @return whether it is done; if not, the caller may have to wait in another way
   */
  public static boolean until(BooleanSupplier done, long deadline) {
    if (SPIN_NANOS == 0) {
      return false;
    }
    boolean virtual = Thread.currentThread().isVirtual();
    AtomicInteger waiting = virtual ? WAITING_VIRTUAL : WAITING;
    try {
      return waiting.incrementAndGet() <= (virtual ? MOST_VIRTUAL : MOST)
          && (spin(done, deadline) || nap(done, deadline));
    } finally {
      int _ = waiting.decrementAndGet();
    }
  }

  private static boolean spin(BooleanSupplier done, long deadline) {
    long begin = System.nanoTime();
    long most = Math.min(deadline - begin, SPIN_NANOS);
    for (long now = begin; now - begin < most; now = System.nanoTime()) {
      if (done.getAsBoolean()) {
        return true;
      }
      if (Thread.currentThread().isInterrupted()) {
        return false;
      }
      if (now - begin > GREEDY_NANOS) {
        Awake.spin(BETWEEN_QUESTIONS_NANOS);
      }
    }
    return false;
  }

  private static boolean nap(BooleanSupplier done, long deadline) {
    boolean virtual = Thread.currentThread().isVirtual();
    long begin = System.nanoTime() - SPIN_NANOS;
    int slack = virtual ? 0 : Naps.sharpen();
    try {
      for (long now = System.nanoTime(); deadline - now > 0; now = System.nanoTime()) {
        if (done.getAsBoolean()) {
          return true;
        }
        if (Thread.currentThread().isInterrupted()) {
          return false;
        }
        long nap = Math.min(deadline - now, Naps.nanos(now - begin));
        if (virtual) {
          Naps.onCarrier(nap); // the next nap may be on another one
        } else {
          Naps.sleep(nap);
        }
      }
      return false;
    } finally {
      Naps.blunt(slack);
    }
  }
}
