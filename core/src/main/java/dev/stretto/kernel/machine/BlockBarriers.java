package dev.stretto.kernel.machine;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The sixteen barriers of a block. A barrier that expects all threads does not wait for those that
 * have returned.
 */
public final class BlockBarriers {
  private static final int COUNT = 16;

  /** The outcome of a vote. */
  public record Outcome(int arrived, int count, Known known) {
    public boolean all() {
      return arrived == count;
    }
  }

  private final HappensBefore order;
  private final IntSupplier live;
  private final Phase[] phases = new Phase[COUNT];

  /**
   * Creates the barriers of a block.
   *
   * @param live supplies the number of threads that have not returned
   */
  BlockBarriers(HappensBefore order, IntSupplier live) {
    this.order = order;
    this.live = live;
    for (int i = 0; i < COUNT; i++) {
      phases[i] = new Phase(i);
    }
  }

  /** Called when a block begins. */
  void begin() {
    for (Phase phase : phases) {
      phase.reset();
    }
  }

  /**
   * Waits at a barrier.
   *
   * @param threads the number of threads expected, or 0 for all that have not returned
   */
  public void sync(int barrier, int threads) {
    phase(barrier).arrive(Coroutine.current("sync"), "sync", threads, false, true);
  }

  /** Arrives at a barrier without waiting. */
  public void arrive(int barrier, int threads) {
    phase(barrier).arrive(Coroutine.current("barArrive"), "sync", threads, false, false);
  }

  /** Waits at barrier 0 and votes. */
  public Outcome vote(String what, boolean condition) {
    return phases[0].arrive(Coroutine.current(what), what, 0, condition, true);
  }

  /** Waits at a barrier until a number of threads have arrived, and votes. */
  public Outcome vote(int barrier, int threads, boolean condition) {
    return phase(barrier)
        .arrive(Coroutine.current("syncCount"), "syncCount", threads, condition, true);
  }

  /** Whether no thread has arrived at the barrier of all threads. */
  boolean isIdle() {
    return phases[0].arrived == 0;
  }

  /** Called when a thread has returned from the kernel. */
  void leave() {
    for (Phase phase : phases) {
      phase.left();
    }
  }

  private Phase phase(int barrier) {
    if (barrier < 0 || barrier >= COUNT) {
      throw new IllegalArgumentException("barrier " + barrier + ": a block has 0 to 15");
    }
    return phases[barrier];
  }

  /** The current phase of a barrier, from its first arrival until it releases its threads. */
  private final class Phase {
    private final int barrier;
    private final List<Coroutine> waiting = new ArrayList<>();
    private String what = "";
    private int expected;
    private int arrived;
    private int count;
    private Outcome last = new Outcome(0, 0, new Known());
    private Known known = new Known();
    private final Map<Integer, CallPath> places = new HashMap<>();

    Phase(int barrier) {
      this.barrier = barrier;
    }

    Outcome arrive(Coroutine thread, String how, int threads, boolean condition, boolean waits) {
      if (thread.takesUp(Phase.class) != null) {
        order.acquire(thread, last.known());
        return last;
      }
      if (arrived == 0) {
        what = how;
        expected = threads;
      } else if (!what.equals(how) || expected != threads) {
        throw new IllegalStateException(
            "barrier "
                + barrier
                + ": thread "
                + thread.rank()
                + " arrives with "
                + describe(how, threads)
                + " where others wait in "
                + describe(what, expected));
      }
      if (thread.looksCloser()) {
        checkPlace(thread, how);
      }
      arrived++;
      order.release(thread, known);
      count += condition ? 1 : 0;
      if (isComplete()) {
        complete();
      } else if (waits) {
        waiting.add(thread);
        if (thread.leavesOff(this, () -> describe(how, threads) + " of barrier " + barrier)) {
          return last;
        }
      }
      if (waits) {
        order.acquire(thread, last.known());
      }
      // Still this phase's outcome: the next phase cannot end without this thread.
      return last;
    }

    /**
     * Requires that the threads of a warp arrive at one place: a warp arrives with one instruction.
     */
    private void checkPlace(Coroutine thread, String how) {
      CallPath here = CallPath.here();
      CallPath other = places.putIfAbsent(thread.rankInBlock() / 32, here);
      if (other != null && !other.equals(here)) {
        throw new IllegalStateException(
            how
                + " at "
                + here
                + " while other threads of the same warp wait at "
                + other
                + ": the threads of a warp have to arrive at a barrier at the same place");
      }
    }

    private boolean isComplete() {
      return arrived >= (expected == 0 ? live.getAsInt() : expected);
    }

    private void complete() {
      last = new Outcome(arrived, count, known);
      waiting.forEach(Coroutine::goOn);
      reset();
    }

    void reset() {
      waiting.clear();
      places.clear();
      known = new Known();
      arrived = 0;
      count = 0;
    }

    void left() {
      if (arrived > 0 && isComplete()) {
        complete();
      }
    }
  }

  private static String describe(String what, int threads) {
    return threads == 0 ? what : what + " of " + threads + " threads";
  }
}
