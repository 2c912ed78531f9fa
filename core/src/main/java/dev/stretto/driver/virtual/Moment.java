package dev.stretto.driver.virtual;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When an operation begins and ends on the modelled device. Until that is fixed, it knows which
 * moments come after it. Guarded by the platform's lock.
 */
final class Moment {
  /** The operation; null once its times are fixed, so that it does not stay reachable. */
  private @Nullable StreamOp op;

  private final int priority;
  private final long number;

  /** The earliest start that is known so far. */
  private long readyNanos;

  /** How many things have to be known before the operation's turn comes. */
  private int missing;

  private boolean isLengthOpen;
  private boolean hasTurn;
  private boolean isFixed;
  private long startNanos;
  private long endNanos;
  private @Nullable List<Moment> later;

  /**
   * Creates a moment that is not fixed.
   *
   * @param number its place among all moments
   * @param readyNanos the earliest start
   * @param isLengthOpen whether it becomes known only later how long the operation takes
   */
  Moment(StreamOp op, long number, long readyNanos, boolean isLengthOpen) {
    this.op = op;
    this.priority = op.stream().priority();
    this.number = number;
    this.readyNanos = readyNanos;
    this.isLengthOpen = isLengthOpen;
    this.missing = isLengthOpen ? 1 : 0;
  }

  /** {@return the operation, whose times are not fixed yet} */
  StreamOp op() {
    return Objects.requireNonNull(op, "fixed already");
  }

  int priority() {
    return priority;
  }

  long number() {
    return number;
  }

  boolean isFixed() {
    return isFixed;
  }

  /** {@return when it begins; valid once it is fixed} */
  long startNanos() {
    return startNanos;
  }

  /** {@return when it ends; valid once it is fixed} */
  long endNanos() {
    return endNanos;
  }

  /** {@return the earliest start that is known so far} */
  long readyNanos() {
    return readyNanos;
  }

  boolean isLengthOpen() {
    return isLengthOpen;
  }

  /**
   * {@return whether it is known when the operation may start and how long it takes, and was not
   * when this was asked before}
   */
  boolean getsTurn() {
    boolean gets = missing == 0 && !hasTurn;
    hasTurn |= gets;
    return gets;
  }

  /** {@return whether its time may still depend on others} */
  boolean isOpen() {
    return !hasTurn;
  }

  /** {@return whether only its length is missing} */
  boolean lacksLengthOnly() {
    return isLengthOpen && missing == 1;
  }

  /** Puts it after another one. */
  void putAfter(Moment before) {
    if (before.isFixed) {
      readyNanos = Math.max(readyNanos, before.endNanos);
      return;
    }
    List<Moment> known = before.later;
    if (known == null) {
      known = new ArrayList<>(2);
      before.later = known;
    }
    known.add(this);
    missing++;
  }

  /** Notes that its length is known now. */
  void hasLength() {
    isLengthOpen = false;
    missing--;
  }

  /**
   * Fixes its times.
   *
   * @return the moments after it
   */
  List<Moment> fix(long start, long end) {
    isFixed = true;
    startNanos = start;
    endNanos = end;
    op = null;
    List<Moment> known = later;
    later = null;
    if (known == null) {
      return List.of();
    }
    for (Moment each : known) {
      each.missing--;
      each.readyNanos = Math.max(each.readyNanos, end);
    }
    return known;
  }
}
