package dev.stretto.order;

import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
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
 * <p>It has a lock of its own, and refers to nothing else: programs that an agent has changed use
 * it before they use Stretto.
 */
final class HostClocks {
  /** So often it is asked what all threads know before that is found out anew. */
  private static final int QUESTIONS = 1 << 6;

  private static final int ANY = 0;
  private static final int STRANGERS = 1;
  private static final int CROWD = 1 << 6;

  /**
   * A thread counts as idle if so often it was asked what all threads know since it did anything.
   */
  private static final int PATIENCE = 1 << 14;

  /**
   * What any thread knows; the actor of what the host does as long as threads are not told apart.
   */
  private final HostClock any = new HostClock(ANY, "");

  /** The threads that are not seen. */
  private final HostClock strangers = new HostClock(STRANGERS, "");

  private int actors = STRANGERS + 1;
  private final ArrayDeque<HostClock> free = new ArrayDeque<>();
  private final Map<Thread, HostClock> own = new HashMap<>();

  /** The threads that have learned something when they were not seen. */
  private final Set<Thread> unseen = Collections.newSetFromMap(new WeakHashMap<>());

  /** The size of the map at which it is asked which threads have ended. */
  private int crowd = CROWD;

  private volatile boolean areApart;
  private volatile boolean isUsed;

  /** What callbacks knew when they ended; all that is behind them comes after it. */
  private Knowledge callbacks = Knowledge.NONE;

  private Knowledge knownToAll = Knowledge.NONE;
  private long questions;

  /** {@return an index in what actors know, which no other actor has} */
  synchronized int index() {
    return actors++;
  }

  /** Notes that there is a stream; before, nobody knows anything. */
  void isUsed() {
    isUsed = true;
  }

  /** {@return whether there ever was a stream} */
  boolean areUsed() {
    return isUsed;
  }

  /** {@return whether threads are told apart} */
  boolean areApart() {
    return areApart;
  }

  /** {@return the actor of what the host does itself} */
  HostClock actor() {
    return any;
  }

  /** {@return what the calling thread knows} */
  Knowledge known() {
    if (!areApart) {
      return any.known();
    }
    synchronized (this) {
      return here().known().join(callbacks);
    }
  }

  /** {@return what others learn now from the calling thread, and so what it enqueues} */
  synchronized Knowledge tell() {
    return here().tell().join(callbacks);
  }

  /** Keeps what the calling thread itself accesses, if threads are told apart. */
  synchronized void accessed(Accesses memory, Footprint bytes, Way way, Work work) {
    if (areApart) {
      HostClock here = here();
      memory.accessed(here, bytes, way, work, knownToAll());
      any.learn(here.knownWithItself());
    }
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
    return areApart ? knownToApart() : any.known();
  }

  private synchronized Knowledge knownToApart() {
    if (++questions % QUESTIONS == 0) {
      Knowledge all = any.known();
      if (strangers.used() > questions - PATIENCE) {
        all = all.meet(strangers.known());
      }
      for (Map.Entry<Thread, HostClock> each : own.entrySet()) {
        Thread thread = each.getKey();
        HostClock its = each.getValue();
        boolean isBusy = its.isSeen() && its.used() > questions - PATIENCE;
        if (isBusy && thread.isAlive()) {
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
      strangers.learn(its.tell()); // what the thread knows from its tasks
    }
    return strangers;
  }

  /** Notes that the calling thread learns something. */
  synchronized void learn(Moment moment) {
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
  synchronized void learn(Knowledge more) {
    if (areApart) {
      here().learn(more);
    }
  }

  /** Notes that all threads know something. */
  synchronized void allLearn(Knowledge more) {
    any.learn(more);
    if (areApart) {
      strangers.learn(more);
      own.values().forEach(each -> each.learn(more));
    }
  }

  /** Notes that the calling thread ends a callback. */
  synchronized void callbackEnds() {
    callbacks = callbacks.join(tell());
  }

  // --- what an agent sees ----------------------------------------------------------------------

  /** Notes that the calling thread begins a task of the program. */
  synchronized void begins() {
    if (!areApart) {
      areApart = true;
      strangers.learn(any.known());
      knownToAll = any.known();
    }
    Thread here = Thread.currentThread();
    HostClock its = own.get(here);
    if (its == null) {
      its = clock();
      own.put(here, its);
    }
    if (!its.isSeen()) {
      if (here instanceof ForkJoinWorkerThread) {
        its.beginAnew(); // it runs tasks in any order
      } else if (unseen.remove(here)) {
        its.learn(strangers.tell());
      }
    }
    its.usedAt(questions);
    its.begins();
  }

  /** {@return a clock of a thread that knows nothing; perhaps that of one that has ended} */
  private HostClock clock() {
    if (own.size() >= crowd) {
      own.entrySet().removeIf(each -> !each.getKey().isAlive() && free.add(each.getValue()));
      crowd = Math.max(CROWD, 2 * own.size());
    }
    String name = "thread '" + Thread.currentThread().getName() + "'";
    HostClock ended = free.poll();
    return ended == null ? new HostClock(actors++, name) : ended.heir(name);
  }

  /** Notes that the calling thread ends a task of the program. */
  synchronized void ends() {
    HostClock its = own.get(Thread.currentThread());
    if (its != null && its.isSeen()) {
      its.ends();
    }
  }

  /** Notes that threads which are not seen may know what the calling thread knows. */
  synchronized void publish() {
    if (areApart) {
      strangers.learn(tell());
    }
  }

  /** Notes that another thread may know what the calling thread knows. */
  synchronized void tell(Thread other) {
    if (areApart) {
      clock(other).learn(tell());
    }
  }

  private HostClock clock(Thread thread) {
    HostClock its = own.get(thread);
    return its == null || !its.isSeen() ? strangers : its;
  }

  /** {@return what a thread knew when it ended; null if that was not seen} */
  synchronized @Nullable Knowledge ofEnded(Thread thread) {
    HostClock its = own.get(thread);
    return its == null ? null : its.tell();
  }
}
