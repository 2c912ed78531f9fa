package dev.stretto.order.program;

import dev.stretto.order.Threads;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Called by the program's classes where threads hand over what they know, if an agent has added
 * that. None of them fails, and none of them waits.
 */
public final class ProgramThreads {
  private static final Passed HANDLES = new Passed();

  private static volatile boolean isParallel;

  private ProgramThreads() {}

  private static boolean isOn() {
    return Threads.areUsed();
  }

  // --- the begin and the end of what is seen ---------------------------------------------------

  /**
   * A method begins that may be the program's first one. If nothing has called it, all is seen from
   * now on that its thread does.
   */
  public static void programBegins() {
    if (StackWalker.getInstance().walk(frames -> frames.limit(3).count()) == 2) {
      Threads.begins();
    }
  }

  /** The method begins that a class has for a thread to run. */
  public static void threadBegins(@Nullable Object thread) {
    if (thread instanceof Thread its && its.equals(Thread.currentThread())) {
      Threads.begins();
      Passed.by(its).acquire();
    }
  }

  /** {@return a task of a type, so that its begin and its end are told} */
  public static @Nullable Object task(@Nullable Object body, Class<?> type) {
    return Task.of(body, type);
  }

  /**
   * {@return the same unless it is a class of the program, which an executor may give back, and the
   * program look at}
   */
  public static @Nullable Object lambda(@Nullable Object body, Class<?> type) {
    return body != null && body.getClass().isHidden() ? Task.of(body, type) : body;
  }

  /** {@return the same for all of a collection} */
  public static @Nullable Object tasks(@Nullable Object all) {
    if (!(all instanceof Collection<?> given)) {
      return all;
    }
    List<@Nullable Object> tasks = new ArrayList<>(given.size());
    given.forEach(each -> tasks.add(Task.of(each, Callable.class)));
    return tasks;
  }

  // --- objects ---------------------------------------------------------------------------------

  /** What the calling thread knows is passed on by an object. */
  public static void gives(@Nullable Object by) {
    if (isOn() && by != null) {
      switch (Kind.of(by)) {
        case SEEN -> Passed.by(by).release();
        case UNSEEN -> Threads.publish();
        case NONE -> {}
      }
    }
  }

  /** The same, and more while the method runs that is about to be called. */
  public static void givesWithin(@Nullable Object by) {
    if (by != null && Kind.of(by) == Kind.SEEN) {
      Passed.by(by).isOpen();
    }
  }

  /** The calling thread has got what was passed on by an object. */
  public static void takes(@Nullable Object by) {
    if (!isOn() || by == null) {
      return;
    }
    switch (Kind.of(by)) {
      case SEEN -> acquire(by);
      case UNSEEN -> acquireAll();
      case NONE -> {}
    }
  }

  /** A call has made an object that passes on what another one does. */
  public static void partOf(@Nullable Object part, @Nullable Object whole) {
    if (part != null && whole != null) {
      Passed.isPart(part, whole);
    }
  }

  private static void acquire(Object by) {
    Passed its = Passed.find(by);
    if (its != null) {
      its.acquire();
    }
  }

  private static void acquireAll() {
    Threads.acquireAll();
  }

  /** What the calling thread knows is passed on by the lock that any object is. */
  public static void unlocks(@Nullable Object lock) {
    if (isOn() && lock != null) {
      Passed.by(lock).release();
    }
  }

  /** The calling thread has the lock that any object is. */
  public static void locks(@Nullable Object lock) {
    if (isOn() && lock != null) {
      Passed its = Passed.find(lock);
      if (its != null && its.wasLeft()) {
        acquireAll();
      } else if (its != null) {
        its.acquire();
      }
    }
  }

  /** The calling thread is in a method that has a lock, and may leave it without telling. */
  public static void locksHere(@Nullable Object lock) {
    if (isOn() && lock != null) {
      locks(lock);
      Passed.by(lock).isHeld();
    }
  }

  /** A volatile field is about to be written. */
  public static void writesField(String name) {
    unlocks(name);
  }

  /** A volatile field was read. */
  public static void readField(String name) {
    locks(name);
  }

  /** What the calling thread knows is passed on by a variable of which a handle knows. */
  public static void givesByHandle() {
    if (isOn()) {
      HANDLES.release();
    }
  }

  /** The calling thread has got what was passed on by such a variable. */
  public static void takesByHandle() {
    if (isOn()) {
      HANDLES.acquire();
    }
  }

  // --- results ---------------------------------------------------------------------------------

  /** What the calling thread knows is passed on by a result that it completes. */
  public static void completes(@Nullable Object future) {
    unlocks(future);
  }

  /** The calling thread may have got a result. */
  public static void takesResult(@Nullable Object future) {
    if (isOn() && future != null) {
      Passed its = Passed.find(future);
      if (its == null) {
        acquireAll();
      } else {
        its.acquireResult();
      }
    }
  }

  /** A call has made a result that is there already. */
  public static void madeComplete(@Nullable Object future) {
    unlocks(future);
  }

  /** A task will run behind the result of another one. */
  public static void comesBehind(@Nullable Object task, @Nullable Object future) {
    if (task instanceof Task.Dressed its && future != null) {
      its.task().comesBehind(Passed.by(future));
    }
  }

  /** A call has made a result that comes from a task, from another result or from several. */
  public static void made(@Nullable Object future, @Nullable Object from) {
    if (future == null || from == null) {
      return;
    }
    switch (from) {
      case Task.Dressed task -> Passed.by(future).comesFrom(task.task().result());
      case Object[] all -> {
        for (Object each : all) {
          made(future, each);
        }
      }
      default -> Passed.by(future).comesFrom(Passed.by(from));
    }
  }

  // --- threads ---------------------------------------------------------------------------------

  /** A thread is about to be started. */
  public static void starts(@Nullable Object thread) {
    unlocks(thread);
  }

  /** The calling thread has looked whether another one has ended. */
  public static void looksAt(@Nullable Object thread) {
    if (isOn() && thread instanceof Thread its && its.getState() == Thread.State.TERMINATED) {
      Threads.acquireEnded(its);
    }
  }

  /** A thread is about to be woken up. */
  public static void wakes(@Nullable Object thread) {
    if (isOn() && thread instanceof Thread its) {
      Threads.publishTo(its);
    }
  }

  // --- what is not seen ------------------------------------------------------------------------

  /** Something is called that may hand over anything to threads that are not seen. */
  public static void calls() {
    if (isOn()) {
      Threads.publish();
    }
  }

  /** Something was called that may have got anything from any thread. */
  public static void called() {
    if (isOn()) {
      acquireAll();
    }
  }

  /** Streams of the program may use threads that are not seen. */
  public static void isParallel() {
    isParallel = true;
  }

  /** A method of a stream is about to be called. */
  public static void callsStream() {
    if (isParallel) {
      calls();
    }
  }

  /** A method of a stream was called. */
  public static void calledStream() {
    if (isParallel) {
      called();
    }
  }

  /** A class is initialized; others wait for that, and nobody sees it. */
  public static void initialized() {
    if (isOn()) {
      Threads.publishToAll();
    }
  }
}
