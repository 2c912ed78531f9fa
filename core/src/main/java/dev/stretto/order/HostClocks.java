package dev.stretto.order;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of the host know. A thread has a clock of its own while an agent sees all that
 * it does: from the beginning of a task of the program to the end. All other threads have one clock
 * together, since what they hand over to each other nobody sees.
 *
 * <p>Called with the order's lock held.
 */
final class HostClocks {
  /** So often it is asked what all threads know before that is found out anew. */
  private static final int QUESTIONS = 1 << 6;

  /**
   * A thread counts as idle if so often it was asked what all threads know since it did anything.
   */
  private static final int PATIENCE = 1 << 14;

  /** What any thread knows. */
  private final HostClock any = new HostClock(Knowledge.NONE);

  /** The threads that are not seen. */
  private final HostClock strangers = new HostClock(Knowledge.NONE);

  private final Map<Thread, HostClock> own = new WeakHashMap<>();

  /** The threads that have learned something when they were not seen. */
  private final Set<Thread> unseen = Collections.newSetFromMap(new WeakHashMap<>());

  private boolean areApart;

  /** What callbacks knew when they ended; all that is behind them comes after it. */
  private Knowledge callbacks = Knowledge.NONE;

  private Knowledge knownToAll = Knowledge.NONE;
  private long questions;

  /** {@return the actor of what the host does itself} */
  HostClock actor() {
    return any;
  }

  /** {@return what the calling thread knows, and so an operation that it enqueues now} */
  Knowledge known() {
    return here().known().join(callbacks);
  }

  /** {@return what any thread knows} */
  Knowledge knownToAny() {
    return any.known();
  }

  /**
   * {@return what all threads know, or did a while ago} A thread that does nothing for very long
   * does not count: races of it with what all others know to be over are missed.
   */
  Knowledge knownToAll() {
    if (!areApart) {
      return any.known();
    }
    if (++questions % QUESTIONS == 0) {
      Knowledge all = any.known();
      if (strangers.used() > questions - PATIENCE) {
        all = all.meet(strangers.known());
      }
      for (Map.Entry<Thread, HostClock> each : own.entrySet()) {
        Thread thread = each.getKey();
        HostClock its = each.getValue();
        boolean isBusy = its.isSeen() && its.used() > questions - PATIENCE;
        if (isBusy && thread != null && thread.isAlive()) {
          all = all.meet(its.known());
        }
      }
      knownToAll = all;
    }
    return knownToAll;
  }

  private HostClock here() {
    if (!areApart) {
      return any;
    }
    HostClock its = own.get(Thread.currentThread());
    if (its != null && its.isSeen()) {
      its.usedAt(questions);
      return its;
    }
    strangers.usedAt(questions);
    if (its != null) {
      strangers.learn(its.known()); // what the thread knows from its tasks
    }
    return strangers;
  }

  /** Notes that the calling thread learns something. */
  void learn(Moment moment) {
    any.learn(moment);
    if (areApart) {
      HostClock here = here();
      here.learn(moment);
      if (here == strangers) {
        unseen.add(Thread.currentThread());
      }
    }
  }

  /** Notes that the calling thread knows what another one knew. */
  void learn(Knowledge more) {
    if (areApart) {
      here().learn(more);
    }
  }

  /** Notes that all threads know something. */
  void allLearn(Knowledge more) {
    any.learn(more);
    if (areApart) {
      strangers.learn(more);
      own.values().forEach(each -> each.learn(more));
    }
  }

  /** Notes that the calling thread ends a callback. */
  void callbackEnds() {
    callbacks = callbacks.join(known());
  }

  // --- what an agent sees ----------------------------------------------------------------------

  /** Notes that the calling thread begins a task of the program. */
  void begins() {
    if (!areApart) {
      areApart = true;
      strangers.learn(any.known());
      knownToAll = any.known();
    }
    Thread here = Thread.currentThread();
    HostClock its = own.get(here);
    if (its == null || !its.isSeen()) {
      boolean isKept = !(here instanceof ForkJoinWorkerThread); // which runs tasks in any order
      its = its != null && isKept ? its : new HostClock(Knowledge.NONE);
      if (isKept && unseen.remove(here)) {
        its.learn(strangers.known());
      }
      own.put(here, its);
    }
    its.usedAt(questions);
    its.begins();
  }

  /** Notes that the calling thread ends a task of the program. */
  void ends() {
    HostClock its = own.get(Thread.currentThread());
    if (its != null && its.isSeen()) {
      its.ends();
    }
  }

  /** Notes that threads which are not seen may know what the calling thread knows. */
  void publish() {
    if (areApart) {
      strangers.learn(known());
    }
  }

  /** Notes that another thread may know what the calling thread knows. */
  void tell(Thread other) {
    if (areApart) {
      clock(other).learn(known());
    }
  }

  private HostClock clock(Thread thread) {
    HostClock its = own.get(thread);
    return its == null || !its.isSeen() ? strangers : its;
  }

  /** {@return what a thread knew when it ended; null if that was not seen} */
  @Nullable Knowledge ofEnded(Thread thread) {
    HostClock its = own.get(thread);
    return its == null ? null : its.known();
  }
}
