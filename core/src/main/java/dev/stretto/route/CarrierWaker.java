package dev.stretto.route;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Wakes virtual threads from one of their carriers. Woken by a platform thread, a virtual thread
 * waits until the system has woken a carrier, which takes longer than most of what it has waited
 * for. Woken by a virtual thread, it is what that one's carrier runs next. So while virtual threads
 * are told of completions one after the other, a virtual thread stays awake on a carrier, and ends
 * soon after the last.
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
   * @param stayNanos for how long after the last call it stays awake
   */
  CarrierWaker(long stayNanos) {
    this.stayNanos = stayNanos;
  }

  /** {@return the one that all devices share, or null where none is to stay awake} */
  static @Nullable CarrierWaker ofTheProcess() {
    return OF_THE_PROCESS;
  }

  /**
   * Wakes a virtual thread. Does not block.
   *
   * @param thread parked, or about to be
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
      boolean _ = deliver(); // it may have gone without seeing this call
    }
  }

  @SuppressWarnings("ThreadPriorityCheck") // it is about who runs next on this carrier
  private void stayAwake() {
    awake = true;
    while (System.nanoTime() - until < 0) {
      if (deliver()) {
        Thread.yield(); // to whom it has just woken
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
