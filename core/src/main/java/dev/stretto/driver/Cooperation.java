package dev.stretto.driver;

import java.util.List;

/**
 * What a seeded virtual device offers instead of threads: nothing happens behind the program's
 * back. Device work and host-side tasks advance only in {@link #step()}, which the layers above
 * call while the program waits, and in an order that the seed picks among all legal ones.
 *
 * <p>A call of the driver's that has to block, because a stream is full, lets device work advance
 * too, and no tasks: its caller may hold locks that a task takes.
 */
public interface Cooperation {
  /**
   * What the program does with the driver's devices.
   *
   * @param count how often a thread has enqueued something or stepped
   * @param nanos when one did so last, by {@link System#nanoTime()}
   * @param threads the threads that have done so and still live
   */
  record Use(long count, long nanos, List<Thread> threads) {
    /** Keeps a list that nobody changes. */
    public Use {
      threads = List.copyOf(threads);
    }
  }

  /**
   * Adds a host-side task (a pump's memory copy, a callback) to what {@link #step()} may pick.
   * Tasks may run in any order.
   *
   * @param task runs once, on the thread that steps
   */
  void submit(Runnable task);

  /**
   * Picks one thing that can happen now (an operation at the head of a stream whose waits are met,
   * or a task) and lets it happen. Called with no lock held, for a task may be anything.
   *
   * @return whether there was one
   */
  default boolean step() {
    return step(Long.MAX_VALUE);
  }

  /**
   * The same for a thread that does not wait for ever. A kernel that still runs at the deadline,
   * and has run for a moment, goes on beside the program, and the call returns.
   *
   * @param deadline a time of {@link System#nanoTime()}, or {@link Long#MAX_VALUE} for none
   * @return whether there was something that could happen
   */
  boolean step(long deadline);

  /** {@return whether {@link #step()} or {@link #takeNews()} would find anything} */
  boolean canStep();

  /**
   * {@return whether nothing can happen: {@link #step()} and {@link #takeNews()} would find
   * nothing, and no other thread has an operation happen now, in a call of the driver's that
   * blocks}
   */
  boolean isAtRest();

  /**
   * {@return whether threads of a launch look again and again for what something else has to do,
   * which may be the host} Such a launch is not over, and counts as what can happen for a while.
   */
  boolean isLooking();

  /**
   * {@return the streams on which an event was recorded since the last call, by the handles that
   * programs know them by}
   */
  List<Long> takeNews();

  /**
   * {@return a number that the seed picks}
   *
   * @param count 0 to {@code count - 1} are possible
   */
  int pick(int count);

  /** {@return what the program does with the devices} */
  Use use();

  /** What the calling thread does from now on is no use by the program. */
  void disregardThisThread();

  /**
   * {@return what stands at the head of each stream and why it cannot run, for the report of a
   * deadlock: a new line for each, empty if no stream of the driver's holds anything}
   */
  String describeStall();
}
