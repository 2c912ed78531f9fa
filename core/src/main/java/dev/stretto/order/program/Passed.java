package dev.stretto.order.program;

import dev.stretto.order.HandOver;
import dev.stretto.order.Threads;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What was passed on by means of an object, and what the object depends on. */
final class Passed {
  /** How far dependencies are followed. */
  private static final int DEPTH = 1 << 6;

  private static final ConcurrentHashMap<Object, Passed> ALL = new ConcurrentHashMap<>();
  private static final ReferenceQueue<Object> GONE = new ReferenceQueue<>();

  /** An object that is not kept. */
  private static final class Key extends WeakReference<Object> {
    private final int hash;

    Key(Object of, @Nullable ReferenceQueue<Object> gone) {
      super(of, gone);
      this.hash = System.identityHashCode(of);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // objects are told apart by what they are
    public boolean equals(@Nullable Object other) {
      if (other == this) {
        return true;
      }
      Object its = get();
      return its != null && other instanceof Key key && key.get() == its;
    }
  }

  private final HandOver known = new HandOver();
  private final List<Passed> from = new ArrayList<>(0);

  /** Whether somebody has passed something on, or a task is over. */
  private boolean isReleased;

  private volatile boolean isOpen;

  /** The thread that has it as a lock; 0 if none has, as far as is known. */
  private volatile long holder;

  /** Creates what nothing was passed on by. */
  Passed() {}

  /** {@return what was passed on by an object, or will be} */
  static Passed by(Object object) {
    for (Object key = GONE.poll(); key != null; key = GONE.poll()) {
      ALL.remove(key);
    }
    Passed its = find(object);
    return its == null ? ALL.computeIfAbsent(new Key(object, GONE), _ -> new Passed()) : its;
  }

  /** {@return what was passed on by an object; null if nothing was} */
  static @Nullable Passed find(Object object) {
    return ALL.get(new Key(object, null));
  }

  /** Notes that an object passes on what another one does. */
  static void isPart(Object part, Object whole) {
    ALL.put(new Key(part, GONE), by(whole));
  }

  /** The calling thread passes on what it knows. */
  void release() {
    Threads.release(known);
    holder = 0;
    synchronized (this) {
      isReleased = true;
    }
  }

  /** Notes that the calling thread has it as a lock. */
  void isHeld() {
    holder = Thread.currentThread().threadId();
  }

  /** {@return whether another thread had the lock, and has left it without passing anything on} */
  boolean wasLeft() {
    long its = holder;
    return its != 0 && its != Thread.currentThread().threadId();
  }

  /** Notes that more may be passed on than is told. */
  void isOpen() {
    isOpen = true;
  }

  /** The calling thread gets what was passed on. */
  void acquire() {
    if (isOpen) {
      Threads.acquireAll();
    } else {
      Threads.acquire(known);
    }
  }

  /** Notes that it is passed on behind something else. */
  void comesFrom(Passed other) {
    if (other != this) {
      synchronized (this) {
        from.add(other);
      }
    }
  }

  /** Forgets what it depends on, since all of that is known to whoever passes it on. */
  void isWhole() {
    synchronized (this) {
      from.clear();
    }
  }

  /**
   * The calling thread gets what was passed on by this and by what it depends on; if some of that
   * was not seen, it may know all that any thread knows.
   */
  void acquireResult() {
    if (!acquireResult(DEPTH)) {
      Threads.acquireAll();
    }
  }

  private boolean acquireResult(int depth) {
    List<Passed> others;
    boolean isSeen;
    synchronized (this) {
      others = List.copyOf(from);
      isSeen = isReleased || !others.isEmpty();
    }
    if (!isSeen || depth == 0) {
      return false;
    }
    acquire();
    for (Passed other : others) {
      if (!other.acquireResult(depth - 1)) {
        return false;
      }
    }
    return true;
  }
}
