package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import org.jspecify.annotations.Nullable;

/**
 * Reports to listeners that events are done. A thread that has run an operation reports its effects
 * itself. Effects of an enqueuing call (a record on an idle stream) are reported by a separate
 * thread, because the program's thread may hold locks that a listener needs. Guarded by the
 * platform's lock, which is not held when listeners are called.
 */
final class ProgressNews {
  private final Platform platform;
  private final Set<PrimaryContext> untold = new LinkedHashSet<>();
  private @Nullable Condition arrived;
  private boolean toldByWorker;
  private int generation;

  ProgressNews(Platform platform) {
    this.platform = platform;
  }

  /** Notes that there is something to report. */
  void add(PrimaryContext context) {
    if (context.listeners().isEmpty()) {
      return;
    }
    untold.add(context);
    if (toldByWorker) {
      return;
    }
    if (arrived == null) {
      start();
    }
    if (arrived != null) {
      arrived.signal();
    }
  }

  private void start() {
    arrived = platform.lock().newCondition();
    int mine = generation;
    try {
      Thread.ofPlatform()
          .daemon()
          .inheritInheritableThreadLocals(false)
          .name("stretto-virtual-news")
          .start(() -> run(mine));
    } catch (OutOfMemoryError e) {
      arrived = null; // listeners poll from time to time, and the next news tries again
    }
  }

  /** Runs an action that may bring news, then reports the news on this thread. */
  void tellAfter(Runnable action) {
    toldByWorker = true;
    try {
      action.run();
    } finally {
      toldByWorker = false;
    }
    tell();
  }

  /** Ends the thread; a new one is started when it is needed. */
  void close() {
    generation++;
    if (arrived != null) {
      arrived.signalAll();
      arrived = null;
    }
  }

  private void run(int mine) {
    platform.lock().lock();
    try {
      while (mine == generation && arrived != null) {
        if (untold.isEmpty()) {
          arrived.awaitUninterruptibly();
        } else {
          tell();
        }
      }
    } finally {
      platform.lock().unlock();
    }
  }

  private void tell() {
    List<Runnable> listeners = new ArrayList<>();
    untold.forEach(context -> listeners.addAll(context.listeners()));
    untold.clear();
    if (listeners.isEmpty()) {
      return;
    }
    platform.lock().unlock();
    try {
      for (Runnable listener : listeners) {
        call(listener);
      }
    } finally {
      platform.lock().lock();
    }
  }

  /**
   * Calls a listener. One that throws breaks its contract; that is reported to its author, but the
   * device goes on.
   */
  private static void call(Runnable listener) {
    try {
      listener.run();
    } catch (RuntimeException | Error e) {
      Thread thread = Thread.currentThread();
      thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
    }
  }
}
