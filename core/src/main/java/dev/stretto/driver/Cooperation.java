package dev.stretto.driver;

import java.util.List;

/**
 * The control of a seeded virtual device, which has no threads of its own. Device work and
 * host-side tasks advance only in {@link #step()}. The layers above call it while the program
 * waits, and the seed picks one of all legal orders.
 *
 * <p>A driver call that has to block because a stream is full also lets device work advance. It
 * runs no tasks, because its caller may hold locks that a task takes.
 */
public interface Cooperation {
  /**
   * How the program uses the driver's devices.
   *
   * @param count how often any thread has enqueued something or stepped
   * @param nanos when a thread last did so, by {@link System#nanoTime()}
   * @param threads the threads that have done so and are still alive
   */
  record Use(long count, long nanos, List<Thread> threads) {
    /** Keeps an immutable copy of the list. */
    public Use {
      threads = List.copyOf(threads);
    }
  }

  /**
   * Adds a host-side task (a pump's memory copy, a callback) that {@link #step()} may pick. Tasks
   * may run in any order.
   *
   * @param task runs once, on the thread that steps
   */
  void submit(Runnable task);

  /**
   * Picks one thing that can happen now, an operation at the head of a stream whose waits are met
   * or a task, and lets it happen. The caller holds no lock, because a task may run any code.
   *
   * @return whether anything could happen
   */
  default boolean step() {
    return step(Long.MAX_VALUE);
  }

  /**
   * Like {@link #step()}, for a thread that waits for a limited time. If a kernel is still running
   * at the deadline, and has run for a moment, the call returns and the kernel goes on in the
   * background.
   *
   * @param deadline a time of {@link System#nanoTime()}, or {@link Long#MAX_VALUE} for none
   * @return whether anything could happen
   */
  boolean step(long deadline);

  /** {@return whether {@link #step()} or {@link #takeNews()} would find anything} */
  boolean canStep();

  /**
   * {@return whether nothing can happen: {@link #step()} and {@link #takeNews()} would find
   * nothing, and no other thread is letting an operation happen in a driver call that blocks}
   */
  boolean isAtRest();

  /**
   * {@return whether threads of a launch keep polling for something that the host or another
   * operation has to do} Such a launch is not over. For a while it counts as something that can
   * happen.
   */
  boolean isLooking();

  /**
   * {@return the streams on which an event was recorded since the last call, by the handles that
   * programs see}
   */
  List<Long> takeNews();

  /**
   * {@return a number that the seed picks}
   *
   * @param count 0 to {@code count - 1} are possible
   */
  int pick(int count);

  /** {@return how the program uses the devices} */
  Use use();

  /** From now on, the calling thread does not count as a user of the devices. */
  void disregardThisThread();

  /**
   * {@return the operation at the head of each stream, and why it cannot run, for the report of a
   * deadlock: one line for each stream, empty if no stream of the driver holds anything}
   */
  String describeStall();
}
