package dev.stretto.route;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Wakes and starts virtual threads on one of their carriers. If a platform thread wakes a virtual
 * thread, the virtual thread waits until the system has woken a carrier, and that often takes
 * longer than the work that it awaited. If a virtual thread wakes it, the same carrier runs it
 * next. So while completions are reported to virtual threads one after the other, one virtual
 * thread stays awake on a carrier: the courier. As long as a virtual thread waits, it naps there,
 * so that neither the carrier nor its core has to be woken. It ends soon after the last completion.
 */
final class CarrierWaker {
  private static final @Nullable CarrierWaker OF_THE_PROCESS =
      Awake.NANOS == 0 ? null : new CarrierWaker(Awake.NANOS);

  private final long stayNanos;
  private final CountedQueue calls = new CountedQueue();
  private final AtomicBoolean begun = new AtomicBoolean();

  /** How many virtual threads wait. */
  private final AtomicInteger expected = new AtomicInteger();

  private volatile boolean awake;
  private volatile long until;

  /**
   * @param stayNanos how long the virtual thread stays awake after the last call
   */
  CarrierWaker(long stayNanos) {
    this.stayNanos = stayNanos;
  }

  /** {@return the waker that all devices share, or null if no thread is to stay awake} */
  static @Nullable CarrierWaker ofTheProcess() {
    return OF_THE_PROCESS;
  }

  /**
   * Starts a virtual thread, or wakes one, on a carrier that is awake if there is one. Does not
   * block.
   *
   * @param waker starts it or wakes it; what it throws is only logged
   */
  void run(Runnable waker) {
    until = System.nanoTime() + stayNanos;
    if (!awake) {
      runSafely(waker);
      begin();
      return;
    }
    calls.add(waker);
    if (!awake) {
      boolean _ = deliver(); // the courier may have ended without seeing this call
    }
  }

  /** Notes that the calling virtual thread is about to park until it is woken. */
  void expects() {
    if (expected.getAndIncrement() == 0) {
      until = System.nanoTime() + stayNanos;
      begin();
    }
  }

  /** Notes that the calling virtual thread no longer waits. */
  void expectsNoMore() {
    expected.decrementAndGet();
  }

  private void begin() {
    if (begun.compareAndSet(false, true)) {
      try {
        Thread.ofVirtual().name("stretto-courier").unstarted(this::stayAwake).start();
      } catch (Throwable e) { // no more threads: others are woken without it, only later
        begun.set(false);
      }
    }
  }

  @SuppressWarnings(
      "ThreadPriorityCheck") // yielding decides which thread runs next on this carrier
  private void stayAwake() {
    awake = true;
    while (true) {
      long idleNanos = System.nanoTime() - until;
      if (deliver()) {
        Thread.yield(); // to the thread that it has just woken
      } else if (idleNanos < 0) {
        Thread.onSpinWait();
      } else if (expected.get() > 0 && Awake.ON_CARRIERS) {
        // Without yielding: other carriers run what is queued on this one, and would also take
        // this thread if it were queued, of which each has to be woken first.
        Naps.onCarrier(Naps.nanos(idleNanos));
      } else {
        break;
      }
    }
    awake = false;
    boolean _ = deliver();
    begun.set(false);
    if (expected.get() > 0 && Awake.ON_CARRIERS) {
      begin(); // for a thread that came just now and found this one
    }
  }

  private boolean deliver() {
    boolean any = false;
    for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
      any = true;
      runSafely(call);
    }
    return any;
  }

  /** If the courier ended, nobody would wake the other threads. */
  private static void runSafely(Runnable waker) {
    try {
      waker.run();
    } catch (Throwable e) {
      ProgramLog.error("a virtual thread could not be woken", e);
    }
  }
}
