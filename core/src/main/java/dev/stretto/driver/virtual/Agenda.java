package dev.stretto.driver.virtual;

import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * The operations whose modelled times are not fixed yet, of all devices of a driver. Times are
 * fixed when somebody asks for one, in the order in which things happen on the modelled devices. A
 * program asks for the time of what is done, and enqueues nothing that begins before the time that
 * it has read. So whatever could have had an influence is known by then, and the result does not
 * depend on how fast the work is done in reality. Where host threads with different times use a
 * device, work may arrive at a time that has passed; it is fitted into what was left free.
 *
 * <p>Guarded by the platform's lock.
 */
final class Agenda {
  /** The most moments that are left open, so that a program that never asks needs no memory. */
  private static final int MOST_OPEN = 1 << 14;

  private static final Comparator<Moment> IN_ORDER =
      Comparator.comparingLong(Agenda::turn)
          .thenComparingInt(Moment::priority)
          .thenComparingLong(Moment::number);

  private final PriorityQueue<Moment> ready = new PriorityQueue<>(IN_ORDER);

  /** Moments that lack nothing but their length. */
  private final Set<Moment> lengthOpen = new LinkedHashSet<>();

  /** The multiprocessors for which kernels wait. */
  private final Set<Multiprocessors> asked = new LinkedHashSet<>();

  private long numbers;
  private int open;

  /** {@return when the turn of an operation comes that is ready} */
  private static long turn(Moment moment) {
    return moment.readyNanos() + moment.op().leadNanos();
  }

  /**
   * {@return a moment for an operation that is about to be enqueued; to be passed to {@link #add}}
   *
   * @param readyNanos the earliest start
   */
  Moment moment(StreamOp op, long readyNanos) {
    return new Moment(op, ++numbers, readyNanos, op.isLengthOpen());
  }

  /** Adds a moment that comes after all that it was put after. */
  void add(Moment moment) {
    open++;
    note(moment);
    while (open > MOST_OPEN && step()) {
      // the oldest are fixed
    }
  }

  /** Puts a moment after one more. */
  void putAfter(Moment moment, Moment before) {
    if (moment.isOpen()) {
      moment.putAfter(before);
      boolean _ = lengthOpen.remove(moment);
      note(moment);
    }
  }

  /** Notes that it is known now how long an operation takes. */
  void hasLength(Moment moment) {
    if (moment.isLengthOpen()) {
      boolean _ = lengthOpen.remove(moment);
      moment.hasLength();
      note(moment);
    }
  }

  private void note(Moment moment) {
    if (moment.getsTurn()) {
      ready.add(moment);
    } else if (moment.lacksLengthOnly()) {
      lengthOpen.add(moment);
    }
  }

  /** {@return when an operation is done on the modelled device} */
  long endNanos(Moment moment) {
    while (!moment.isFixed()) {
      if (!step()) {
        // Asked before the work is done: as if what is known so far were all.
        hasLength(lengthOpen.iterator().next());
      }
    }
    return moment.endNanos();
  }

  /**
   * {@return whether an operation is done by a time on the modelled device} Nothing is fixed that
   * happens later.
   */
  boolean isOverBy(Moment moment, long nanos) {
    while (!moment.isFixed() && step(nanos)) {
      // until it is known, or the time has come
    }
    return moment.isFixed() && moment.endNanos() <= nanos;
  }

  /** Lets the next thing happen; returns whether there was one. */
  private boolean step() {
    return step(Long.MAX_VALUE);
  }

  /** Lets the next thing happen that happens by a time; returns whether there was one. */
  private boolean step(long latest) {
    Moment next = ready.peek();
    Multiprocessors first = null;
    long earliest = Long.MAX_VALUE;
    for (Multiprocessors each : asked) {
      if (each.nextNanos() < earliest) {
        earliest = each.nextNanos();
        first = each;
      }
    }
    if (Math.min(earliest, next == null ? Long.MAX_VALUE : turn(next)) > latest) {
      return false;
    }
    if (next != null && turn(next) <= earliest) {
      ready.poll();
      next.op().context().timing().begin(next, turn(next));
      return true;
    }
    if (first == null) {
      return false;
    }
    first.dispatch();
    if (!first.isAsked()) {
      boolean _ = asked.remove(first);
    }
    return true;
  }

  /** Notes that kernels wait for multiprocessors. */
  void asks(Multiprocessors multiprocessors) {
    boolean _ = asked.add(multiprocessors);
  }

  /** Fixes the times of an operation. */
  void fix(Moment moment, long start, long end) {
    open--;
    moment.fix(start, end).forEach(this::note);
  }
}
