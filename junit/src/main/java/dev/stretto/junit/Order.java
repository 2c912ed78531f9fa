package dev.stretto.junit;

/** What the runs of a test do about the order of operations. */
public enum Order {
  /** Nothing is checked: a missing wait shows in a wrong result alone, under some of the seeds. */
  OFF,
  /**
   * An operation that nothing orders after an earlier one of the same bytes is refused with a
   * {@link dev.stretto.fault.RaceException}, which names both places, whatever the seed.
   */
  CHECKED,
  /** An operation that would race with an earlier one waits for it. */
  AUTOMATIC
}
