package dev.stretto.kernel.machine;

import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * When the threads of a cluster arrived at barrier objects and waited for their phases. From that
 * it follows which barrier gives a stage of shared memory back to the thread that fills it: the one
 * that this thread waits for before it fills the stage anew.
 *
 * <p>Moments are a thread's own: arrivals and waits have its own clock, and what a thread that
 * fills does is counted.
 */
final class StageTurns {
  /** Numbers in ascending order. */
  private static final class Moments {
    private int[] all = new int[4];
    private int count;

    void add(int moment) {
      if (count == all.length) {
        all = Arrays.copyOf(all, 2 * count);
      }
      all[count++] = moment;
    }

    /** How many are not before a moment, and before another one. */
    int between(int from, int to) {
      int found = 0;
      for (int i = count - 1; i >= 0 && all[i] >= from; i--) {
        found += all[i] < to ? 1 : 0;
      }
      return found;
    }
  }

  /** A thread's waits for one barrier object. */
  private static final class Waits {
    /** The highest phase that it has waited for. */
    private int phase = Integer.MIN_VALUE;

    /** When it waited for a phase for the first time, by its count of what it did. */
    private final Moments fresh = new Moments();

    /** Where it waited last, and where it waits now; known of stages of pipelines. */
    private @Nullable CallPath line;

    private @Nullable CallPath now;

    /** When it waited at the same line again without a new phase. */
    private int again;
  }

  /** A thread that uses barrier objects. */
  private static final class Turns {
    private final IdentityHashMap<StageBarrier, Moments> arrivals = new IdentityHashMap<>();
    private final IdentityHashMap<StageBarrier, Waits> waits = new IdentityHashMap<>();
    private int moment;

    /** When it arrived or waited again for the last time, by its own clock. */
    private int last;

    /** The only barrier that it has waited for since it last filled something. */
    private @Nullable StageBarrier only;

    private boolean waitedForOthers;
    private boolean fills;
  }

  private final HappensBefore order;
  private final @Nullable Turns[] threads;

  StageTurns(HappensBefore order, int threads) {
    this.order = order;
    this.threads = new Turns[threads];
  }

  /** Called when a cluster begins. */
  void begin() {
    Arrays.fill(threads, null);
  }

  private Turns turns(int rank) {
    Turns known = threads[rank];
    if (known == null) {
      known = new Turns();
      threads[rank] = known;
    }
    return known;
  }

  /** Called before a thread arrives. */
  void arrives(Coroutine thread, StageBarrier at) {
    Turns turns = turns(thread.rank());
    turns.last = order.now(thread);
    turns.arrivals.computeIfAbsent(at, _ -> new Moments()).add(turns.last);
  }

  /**
   * Called when a thread has waited.
   *
   * @param phase the phase that has ended
   * @param isFirst whether the barrier's phases begin behind that one, so that nothing was waited
   *     for
   */
  @SuppressWarnings("ReferenceEquality") // a barrier has an identity
  void waits(Coroutine thread, StageBarrier at, int phase, boolean isFirst) {
    Turns turns = turns(thread.rank());
    turns.moment++;
    Waits waits = turns.waits.computeIfAbsent(at, _ -> new Waits());
    if (turns.fills) {
      turns.fills = false;
      turns.only = null;
      turns.waitedForOthers = false;
    }
    if (!at.countsCopies()) { // those that count copies say that stages are full
      turns.waitedForOthers |= turns.only != null && turns.only != at;
      turns.only = at;
    }
    if (!isFirst && phase > waits.phase) {
      waits.phase = phase;
      waits.fresh.add(turns.moment);
    } else if (phase == waits.phase && at.isWaitedForOnce()) {
      CallPath line = thread.isCarried() ? waits.now : thread.place();
      if (line != null && line.equals(waits.line)) {
        waits.again = order.now(thread);
        turns.last = waits.again;
        order.steps(thread); // what comes behind the wait is later than what came before
      }
    }
    waits.line = thread.isCarried() ? waits.now : thread.place();
  }

  /** Called when a thread that is carried begins to wait. */
  void comesTo(Coroutine thread, StageBarrier at) {
    turns(thread.rank()).waits.computeIfAbsent(at, _ -> new Waits()).now = CallPath.here();
  }

  /** The barrier objects that a thread waited for before it fills, if there is only one. */
  @Nullable StageBarrier guard(Coroutine thread) {
    Turns turns = threads[thread.rank()];
    return turns == null || turns.waitedForOthers ? null : turns.only;
  }

  /** Called when a thread fills shared memory; says when, by the count of what it did. */
  int fills(Coroutine thread) {
    Turns turns = threads[thread.rank()];
    if (turns == null) {
      return 0;
    }
    turns.fills = true;
    return turns.moment;
  }

  /** How many phases of a barrier a thread has waited for since a moment. */
  int waited(int rank, StageBarrier at, int since) {
    Turns turns = threads[rank];
    Waits waits = turns == null ? null : turns.waits.get(at);
    return waits == null ? 0 : waits.fresh.between(since + 1, Integer.MAX_VALUE);
  }

  /** Whether a thread has ever waited for a barrier. */
  boolean hasWaited(int rank, StageBarrier at) {
    Turns turns = threads[rank];
    return turns != null && turns.waits.containsKey(at);
  }

  /** Whether a thread has arrived at a barrier, or waited for one again, since a moment. */
  boolean hasGoneOn(int rank, int since) {
    Turns turns = threads[rank];
    return turns != null && turns.last >= since;
  }

  /**
   * Whether all that a thread knows of another one it knows from that one's arrivals at a barrier:
   * only then it is this barrier that gives memory back.
   */
  boolean isKnownThrough(StageBarrier at, int rank, Coroutine by) {
    Turns turns = threads[rank];
    Moments moments = turns == null ? null : turns.arrivals.get(at);
    if (moments == null) {
      return false;
    }
    for (int i = moments.count - 1; i >= 0; i--) {
      if (order.knows(by, rank, moments.all[i])) {
        return !order.knows(by, rank, moments.all[i] + 1);
      }
    }
    return false;
  }

  /** How often a thread arrived between two moments. */
  int arrived(int rank, StageBarrier at, int from, int to) {
    Turns turns = threads[rank];
    Moments moments = turns == null ? null : turns.arrivals.get(at);
    return moments == null ? 0 : moments.between(from, to);
  }

  /** All barriers at which threads have arrived. */
  Set<StageBarrier> barriers() {
    Set<StageBarrier> all = Collections.newSetFromMap(new IdentityHashMap<>());
    for (Turns turns : threads) {
      if (turns != null) {
        all.addAll(turns.arrivals.keySet());
      }
    }
    return all;
  }

  /**
   * When a thread waited for a phase of a barrier again, by {@code consumerWait} of a pipeline at
   * the same line, without having released the stage; 0 if it has not.
   */
  int waitedAgain(int rank, StageBarrier at) {
    Turns turns = threads[rank];
    Waits waits = turns == null ? null : turns.waits.get(at);
    return waits == null ? 0 : waits.again;
  }
}
