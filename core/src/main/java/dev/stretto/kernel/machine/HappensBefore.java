package dev.stretto.kernel.machine;

import dev.stretto.fault.CopyRule;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the threads of a cluster know of each other, as vector clocks. A clock has one number for
 * each thread and one for each barrier object. Through a barrier object's number, copies become
 * known to the threads that wait there.
 *
 * <p>Finding out where a thread is costs more than everything else. Lines are therefore kept only
 * when a cluster runs a second time because a line was missing from a report.
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
  private boolean mayBeActive = true;

  HappensBefore(int threads, boolean keepsLines) {
    this.threads = threads;
    this.keepsLines = keepsLines;
    this.clocks = new int[threads][];
    this.slots = threads;
    this.history = keepsLines ? new LearningHistory(threads) : null;
  }

  /** Called when a cluster begins. */
  void begin() {
    active = false;
  }

  /** Says whether the threads of the next clusters are watched at all. */
  void watches(boolean allowed) {
    mayBeActive = allowed;
  }

  boolean mayBeActive() {
    return mayBeActive;
  }

  /** Starts the clocks: at the first copy or barrier object of a cluster, or at its beginning. */
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

  /** What each thread learned, and when; null if no lines are kept. */
  @Nullable LearningHistory history() {
    return history;
  }

  /** Reserves a slot in the clocks for a barrier object. */
  int newSlot() {
    return slots++;
  }

  private int[] clock(Coroutine thread) {
    return clocks[thread.rank()];
  }

  /** A copy of a thread's current clock. */
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

  /** Makes known what a thread did: returns {@code before} joined with the thread's clock. */
  int[] release(Coroutine thread, int[] before) {
    if (!active) {
      return before;
    }
    int[] joined = join(before, clock(thread));
    clock(thread)[thread.rank()]++;
    return joined;
  }

  /** Lets a thread learn what others made known. */
  void acquire(Coroutine thread, int[] known) {
    if (active) {
      clocks[thread.rank()] = join(clock(thread), known);
      if (history != null) {
        history.learns(thread.rank(), now(thread), known);
      }
    }
  }

  /** Lets a thread learn that a phase of a barrier object has ended. */
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

  /**
   * Threads may synchronize through atomic operations, so each operation counts as an acquire and a
   * release.
   */
  void atomic(Coroutine thread) {
    if (active) {
      acquire(thread, history == null ? atomics : atomics.clone());
      atomics = release(thread, atomics);
    }
  }

  /**
   * Orders what the thread has done so far before asynchronous copies of threads that learn of this
   * fence.
   */
  public void fenceProxy(Coroutine thread) {
    if (active) {
      fences.get(thread.rank()).add(clock(thread)[thread.rank()]++);
    }
  }

  /**
   * Whether a thread has fenced an access, and another thread knows of the fence.
   *
   * @param writer the rank of the thread that made the access
   * @param written when it made the access, by its own clock
   */
  boolean isFenced(int writer, int written, Coroutine by) {
    for (int fence : fences.get(writer)) {
      if (fence >= written) {
        return writer == by.rank() || knows(by, writer, fence);
      }
    }
    return false;
  }

  /** Where the calling thread is, if lines are kept. */
  @Nullable CallPath line() {
    return keepsLines ? CallPath.here() : null;
  }

  CopyMisuse misuse(CopyRule rule, String what) {
    return new CopyMisuse(rule, what, !keepsLines);
  }
}
