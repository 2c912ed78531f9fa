package dev.stretto.schedule;

import dev.stretto.driver.virtual.OpName;
import java.util.List;
import java.util.Objects;

/** A short run that fails, and where it goes wrong. */
public final class Shrunk {
  private final Outcome outcome;
  private final List<OpName> ends;

  Shrunk(Outcome outcome, List<OpName> ends) {
    this.outcome = outcome;
    this.ends = List.copyOf(ends);
  }

  /** {@return the run} */
  public Outcome outcome() {
    return outcome;
  }

  /**
   * {@return the operations whose order decides, by their names in the trace} Two: the first
   * happened before the second, and had the second happened first, the run would not have failed.
   * One: it happened within a call that enqueued, and had it waited for the program to go on, the
   * run would not have failed; the other end is in the program itself. None: no single change of
   * order mends the run.
   */
  public List<String> ends() {
    return ends.stream().map(OpName::toString).toList();
  }

  /**
   * {@return a picture: a column for each stream, a line for each turn, from top to bottom} The
   * {@link #ends()} have lines of their own, which begin with {@code >}. One that has not happened
   * at all comes last.
   */
  public String picture() {
    return Picture.of(outcome.trace().choices(), ends);
  }

  /** {@return whether the other object is of an equal run with equal ends} */
  @Override
  public boolean equals(Object other) {
    return other instanceof Shrunk shrunk
        && shrunk.outcome.equals(outcome)
        && shrunk.ends.equals(ends);
  }

  /** {@return a hash code that fits {@link #equals}} */
  @Override
  public int hashCode() {
    return Objects.hash(outcome, ends);
  }

  /** {@return the trace as a text} */
  @Override
  public String toString() {
    return outcome.trace().toString();
  }
}
