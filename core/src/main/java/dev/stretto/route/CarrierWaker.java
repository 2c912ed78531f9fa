package dev.stretto.route;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes virtual threads from one of their carriers. If a platform thread wakes a virtual thread,
 * the virtual thread waits until the system has woken a carrier, and that often takes longer than
 * the work that it awaited. If a virtual thread wakes it, the same carrier runs it next. So while
 * completions are reported to virtual threads one after the other, one virtual thread stays awake
 * on a carrier. It ends soon after the last completion.
 */
final class CarrierWaker {
  private static final @Nullable CarrierWaker OF_THE_PROCESS =
      Awake.NANOS == 0 ? null : new CarrierWaker(Awake.NANOS);

  private final long stayNanos;
  private final Queue<Thread> calls = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean begun = new AtomicBoolean();
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
   * Wakes a virtual thread. Does not block.
   *
   * @param thread a thread that is parked, or about to park
   */
  void wake(Thread thread) {
    until = System.nanoTime() + stayNanos;
    if (!awake) {
      LockSupport.unpark(thread);
      if (begun.compareAndSet(false, true)) {
        Thread.ofVirtual().name("stretto-courier").unstarted(this::stayAwake).start();
      }
      return;
    }
    boolean _ = calls.add(thread);
    if (!awake) {
      boolean _ = deliver(); // the thread may have ended without seeing this call
    }
  }

  @SuppressWarnings(
      "ThreadPriorityCheck") // yielding decides which thread runs next on this carrier
  private void stayAwake() {
    awake = true;
    while (System.nanoTime() - until < 0) {
      if (deliver()) {
        Thread.yield(); // to the thread that it has just woken
      } else {
        Thread.onSpinWait();
      }
    }
    awake = false;
    boolean _ = deliver();
    begun.set(false);
  }

  private boolean deliver() {
    boolean any = false;
    for (Thread thread = calls.poll(); thread != null; thread = calls.poll()) {
      LockSupport.unpark(thread);
      any = true;
    }
    return any;
  }
}
