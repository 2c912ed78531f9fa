package dev.stretto.driver;

/**
 * What a seeded virtual device offers instead of threads: nothing happens behind the program's
 * back. Device work and host-side tasks advance only in {@link #step()}, which the layers above
 * call while the program waits, and in an order that the seed picks among all legal ones.
 */
public interface Cooperation {
  /**
   * Adds a host-side task (a pump's memory copy, a callback) to what {@link #step()} may pick.
   * Tasks may run in any order.
   *
   * @param task runs once, on the thread that steps
   */
  void submit(Runnable task);

  /**
   * Picks one thing that can happen now (an operation at the head of a stream whose waits are met,
   * or a task) and lets it happen.
   *
   * @return whether there was one
   */
  boolean step();

  /**
   * Takes a small number of steps (0 to 3) that the seed picks, so that a loop which only asks
   * whether something is done comes to its end. {@link DriverDevice#isDone} itself never steps.
   */
  void nudge();

  /**
   * {@return what stands at the head of each stream and why it cannot run, for the report of a
   * deadlock: a new line for each, empty if no stream of the driver's holds anything}
   */
  String describeStall();
}
