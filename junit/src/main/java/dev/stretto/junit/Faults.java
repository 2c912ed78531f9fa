package dev.stretto.junit;

/** Whether calls of the driver are made to fail. */
public enum Faults {
  /** No call is made to fail. */
  NONE,
  /**
   * After the runs with all seeds, each driver call that the test has caused under the first seed
   * fails once, in a run of its own: allocations as if there were too little memory, all others
   * with an error of the driver. Calls that one line causes again and again fail the first two
   * times and the last.
   *
   * <p>Such a run passes if the test throws an exception that the failure caused, or passes
   * nevertheless, and if nothing is left open then. It fails if the test throws anything else, a
   * failed assertion for example: the program has taken no notice of the failure.
   *
   * <p>Only calls that enqueue, allocate, load or create something fail. Those that ask, give back
   * or close do not: a program cannot do anything about their failures.
   */
  ONE_BY_ONE
}
