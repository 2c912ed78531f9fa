package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What threads of a cluster know of each other, by vector clocks: one number for each thread, and
 * one for each barrier object, by which copies become known to who waits there.
 *
 * <p>To know where a thread is costs more than everything else, so that lines are kept only when a
 * block is run a second time because one was missing in a report.
 */
public final class HappensBefore {
  private final int threads;
  private final boolean keepsLines;
  private final List<List<Integer>> fences = new ArrayList<>();
  private final int[][] clocks;
  private final @Nullable LearningHistory history;
  private int[] atomics = new int[0];
  private int slots;
  private boolean active;

  HappensBefore(int threads, boolean keepsLines) {
    this.threads = threads;
    this.keepsLines = keepsLines;
    this.clocks = new int[threads][];
    this.slots = threads;
    this.history = keepsLines ? new LearningHistory(threads) : null;
  }

  /** A cluster begins. */
  void begin() {
    active = false;
  }

  /** Clocks run from now on; not before the first copy or barrier object of a cluster. */
  void activate() {
    active = true;
    slots = threads;
    atomics = new int[0];
    fences.clear();
    for (int thread = 0; thread < threads; thread++) {
      clocks[thread] = new int[threads];
      clocks[thread][thread] = 1;
      fences.add(new ArrayList<>());
    }
  }

  boolean isActive() {
    return active;
  }

  /** What each thread came to know, and when; null if no lines are kept. */
  @Nullable LearningHistory history() {
    return history;
  }

  /** A place in the clocks for a barrier object. */
  int newSlot() {
    return slots++;
  }

  private int[] clock(Coroutine thread) {
    return clocks[thread.rank()];
  }

  /** What a thread knows now. */
  int[] knownBy(Coroutine thread) {
    return clock(thread).clone();
  }

  private static int[] join(int[] a, int[] b) {
    int[] both = a.length >= b.length ? a : Arrays.copyOf(a, b.length);
    for (int i = 0; i < b.length; i++) {
      both[i] = Math.max(both[i], b[i]);
    }
    return both;
  }

  /** A thread makes known what it did: gives what was known to others before together with that. */
  int[] release(Coroutine thread, int[] before) {
    if (!active) {
      return before;
    }
    int[] joined = join(Arrays.copyOf(before, before.length), clock(thread));
    clock(thread)[thread.rank()]++;
    return joined;
  }

  /** A thread learns what others made known. */
  void acquire(Coroutine thread, int[] known) {
    if (active) {
      clocks[thread.rank()] = join(clock(thread), known);
      if (history != null) {
        history.learns(thread.rank(), now(thread), known);
      }
    }
  }

  /** A thread learns that a phase of a barrier object has ended. */
  void acquire(Coroutine thread, int slot, int number) {
    if (active) {
      int[] clock = clock(thread);
      if (clock.length <= slot) {
        clock = Arrays.copyOf(clock, slot + 1);
        clocks[thread.rank()] = clock;
      }
      clock[slot] = Math.max(clock[slot], number);
      if (history != null) {
        history.learns(thread.rank(), now(thread), slot, number);
      }
    }
  }

  int now(Coroutine thread) {
    return active ? clock(thread)[thread.rank()] : 0;
  }

  boolean knows(Coroutine thread, int slot, int number) {
    return !active || LearningHistory.at(clock(thread), slot) >= number;
  }

  /** Atomic operations may be how threads tell each other something: each is taken to be. */
  void atomic(Coroutine thread) {
    if (active) {
      acquire(thread, atomics);
      atomics = release(thread, atomics);
    }
  }

  /** What the thread did so far comes before what asynchronous copies do that it makes known to. */
  public void fenceProxy(Coroutine thread) {
    if (active) {
      fences.get(thread.rank()).add(clock(thread)[thread.rank()]++);
    }
  }

  /**
   * Whether a thread has fenced what it did, and another one knows of that.
   *
   * @param writer the thread that has done something, by its rank
   * @param written when, by its clock
   */
  boolean isFenced(int writer, int written, Coroutine by) {
    for (int fence : fences.get(writer)) {
      if (fence >= written) {
        return writer == by.rank() || knows(by, writer, fence);
      }
    }
    return false;
  }

  /** Where the thread that calls is, if lines are kept. */
  @Nullable CallPath line() {
    return keepsLines ? CallPath.here() : null;
  }

  CopyMisuse misuse(CopyRule rule, String what) {
    return new CopyMisuse(rule, what, !keepsLines);
  }
}
