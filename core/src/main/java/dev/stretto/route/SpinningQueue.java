package dev.stretto.route;

import java.util.AbstractQueue;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Iterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A queue of tasks whose takers spin for a moment, and then nap for a while, before they park. To
 * wake a parked thread takes as long as to copy a piece of a staged copy, both for the thread and
 * for the one that wakes it. So a task goes to a thread that is awake, if there is one, and
 * otherwise to the one that parked last: as few threads as are needed stay awake.
 */
final class SpinningQueue extends AbstractQueue<Runnable> implements BlockingQueue<Runnable> {
  /** How long a taker spins. */
  private static final long SPIN_NANOS = 50_000;

  private final long awakeNanos;
  private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  /** How many takers spin, nap or have been woken. */
  private final AtomicInteger awake = new AtomicInteger();

  /** The takers that are parked, the last one first; guarded by itself. */
  private final ArrayDeque<Taker> parked = new ArrayDeque<>();

  private static final class Taker {
    final Thread thread = Thread.currentThread();
    volatile boolean woken;
  }

  /**
   * @param awakeNanos how long a taker spins and naps
   */
  SpinningQueue(long awakeNanos) {
    this.awakeNanos = awakeNanos;
  }

  @Override
  public boolean offer(Runnable task) {
    size.incrementAndGet();
    tasks.add(task);
    if (size.get() > awake.get()) {
      wakeOne();
    }
    return true;
  }

  private void wakeOne() {
    Taker taker;
    synchronized (parked) {
      taker = parked.poll();
      if (taker == null) {
        return;
      }
      awake.incrementAndGet(); // on its behalf, so that the next task wakes another one
      taker.woken = true;
    }
    LockSupport.unpark(taker.thread);
  }

  @Override
  public @Nullable Runnable poll() {
    if (size.get() == 0) {
      return null; // see CountedQueue: threads ask again and again
    }
    Runnable task = tasks.poll();
    if (task != null) {
      size.decrementAndGet();
    }
    return task;
  }

  @Override
  public @Nullable Runnable poll(long timeout, TimeUnit unit) throws InterruptedException {
    long deadline = System.nanoTime() + unit.toNanos(timeout);
    Runnable task = poll();
    if (task != null) {
      return task;
    }
    awake.incrementAndGet();
    while (true) {
      task = stayAwake();
      awake.decrementAndGet();
      // Again, because a task that came just now may have counted on this thread.
      task = task != null ? task : poll();
      if (task != null) {
        return task;
      }
      if (!park(deadline)) {
        return poll();
      }
    }
  }

  private @Nullable Runnable stayAwake() {
    long begin = System.nanoTime();
    Runnable task = poll();
    for (long waited = 0; task == null && waited < awakeNanos; task = poll()) {
      if (waited < SPIN_NANOS) {
        pause();
      } else {
        LockSupport.parkNanos(this, Naps.nanos(waited));
      }
      waited = System.nanoTime() - begin;
    }
    return task;
  }

  /** Some at a time: each round counts in a cache line of all threads while the JVM profiles it. */
  private static void pause() {
    Thread.onSpinWait();
    Thread.onSpinWait();
    Thread.onSpinWait();
    Thread.onSpinWait();
    Thread.onSpinWait();
    Thread.onSpinWait();
    Thread.onSpinWait();
    Thread.onSpinWait();
  }

  /** {@return whether the thread was woken, and counts as awake; otherwise its time is over} */
  private boolean park(long deadline) throws InterruptedException {
    Taker self = new Taker();
    synchronized (parked) {
      parked.push(self);
    }
    // A task that came before this thread could be seen here wakes nobody.
    boolean waits = isEmpty();
    while (waits && !self.woken && !Thread.currentThread().isInterrupted()) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        break;
      }
      LockSupport.parkNanos(this, left);
    }
    synchronized (parked) {
      if (!self.woken) {
        parked.remove(self);
        if (!waits) {
          awake.incrementAndGet();
          return true;
        }
      }
    }
    if (Thread.interrupted()) {
      if (self.woken) {
        awake.decrementAndGet();
        passOn();
      }
      throw new InterruptedException();
    }
    return self.woken;
  }

  /** Wakes another thread for a task that has counted on this one. */
  private void passOn() {
    if (!isEmpty()) {
      wakeOne();
    }
  }

  @Override
  public Runnable take() throws InterruptedException {
    Runnable task;
    do {
      task = poll(1, TimeUnit.MINUTES);
    } while (task == null);
    return task;
  }

  @Override
  public void put(Runnable task) {
    offer(task);
  }

  @Override
  public boolean offer(Runnable task, long timeout, TimeUnit unit) {
    return offer(task);
  }

  @Override
  public @Nullable Runnable peek() {
    return tasks.peek();
  }

  @Override
  public boolean isEmpty() {
    return tasks.isEmpty();
  }

  @Override
  public int size() {
    return tasks.size();
  }

  @Override
  public boolean remove(Object task) {
    boolean removed = tasks.remove(task);
    if (removed) {
      size.decrementAndGet();
    }
    return removed;
  }

  @Override
  public Iterator<Runnable> iterator() {
    return tasks.iterator();
  }

  @Override
  public int remainingCapacity() {
    return Integer.MAX_VALUE;
  }

  @Override
  public int drainTo(Collection<? super Runnable> to) {
    return drainTo(to, Integer.MAX_VALUE);
  }

  @Override
  public int drainTo(Collection<? super Runnable> to, int most) {
    int moved = 0;
    Runnable task;
    while (moved < most && (task = poll()) != null) {
      to.add(task);
      moved++;
    }
    return moved;
  }
}
