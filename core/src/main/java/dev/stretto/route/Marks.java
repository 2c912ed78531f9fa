package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;

/**
 * The events recorded on one stream, oldest first: which sequence numbers are known to be done.
 * Events are reused in a ring, so that marking costs one driver call and no allocation. Guarded by
 * the driver's lock.
 */
final class Marks {
  private static final int FIRST_CAPACITY = 64;

  private final DriverDevice driver;
  private long[] events = new long[FIRST_CAPACITY];
  private long[] sequences = new long[FIRST_CAPACITY];

  /** How many operations before each mark take no place in the driver's queue. */
  private long[] uncounted = new long[FIRST_CAPACITY];

  private long first; // oldest mark that is not known to be done
  private long next; // the index that the next mark gets

  Marks(DriverDevice driver) {
    this.driver = driver;
  }

  /**
   * Records a mark that stands for everything up to this sequence number, and returns its index.
   *
   * @param before how many operations before it take no place in the driver's queue
   */
  long record(long stream, long sequence, long before) {
    if (isFull()) {
      harvest();
      if (isFull()) {
        grow();
      }
    }
    int slot = slot(next);
    if (events[slot] == 0) {
      events[slot] = driver.createEvent(false);
    }
    driver.recordEvent(events[slot], stream);
    sequences[slot] = sequence;
    uncounted[slot] = before;
    return next++;
  }

  /** One place stays free, so that the last mark that is known to be done can still be queried. */
  private boolean isFull() {
    return next - first >= events.length - 1;
  }

  /**
   * Asks the driver for the stream's progress. Takes logarithmic time in the number of marks in
   * flight, because they complete in order.
   */
  void harvest() {
    if (first == next || !driver.isDone(events[slot(first)])) {
      return;
    }
    long done = first; // known to be done
    long open = next; // the lowest index that is known not to be done, or the end
    if (done + 1 < open && !driver.isDone(events[slot(done + 1)])) {
      open = done + 1; // the usual case: marks complete one at a time
    } else if (done + 2 < open && driver.isDone(events[slot(next - 1)])) {
      done = next - 1;
    } else if (done + 1 < open) {
      done++;
    }
    long stride = 1;
    while (done + 1 < open) {
      long probe = Math.min(done + stride, open - 1);
      if (driver.isDone(events[slot(probe)])) {
        done = probe;
        stride *= 2;
      } else {
        open = probe;
        stride = Math.max(1, (open - done) / 2);
      }
    }
    first = done + 1;
  }

  /** The index below which all marks are known to be done. */
  long completedMarks() {
    return first;
  }

  /** Whether any mark is in flight. */
  boolean isEmpty() {
    return first == next;
  }

  /** The sequence number up to which everything is known to be done, or -1. */
  long completedSequence() {
    return first == 0 ? -1 : sequences[slot(first - 1)];
  }

  /** How many of those operations take no place in the driver's queue. */
  long completedUncounted() {
    return first == 0 ? 0 : uncounted[slot(first - 1)];
  }

  /** The highest sequence number that a mark stands for, or -1. */
  long markedSequence() {
    return next == 0 ? -1 : sequences[slot(next - 1)];
  }

  /** {@return the oldest mark that stands for this sequence number; there has to be one} */
  long indexFor(long sequence) {
    if (next - first >= 2 && sequences[slot(next - 2)] < sequence) {
      return newest(sequence); // usually the mark that was just recorded
    }
    long low = Math.max(0, next - events.length);
    long high = next;
    while (low < high) {
      long middle = (low + high) >>> 1;
      if (sequences[slot(middle)] < sequence) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    if (low == next) {
      throw new AssertionError("no mark stands for operation " + sequence);
    }
    return low;
  }

  /**
   * Whether a mark that is done stands for this sequence number and was neither reused nor
   * destroyed.
   */
  boolean remembers(long sequence) {
    if (markedSequence() < sequence) {
      return false;
    }
    long index = indexFor(sequence);
    return index < first && event(index) != 0;
  }

  private long newest(long sequence) {
    if (sequences[slot(next - 1)] < sequence) {
      throw new AssertionError("no mark stands for operation " + sequence);
    }
    return next - 1;
  }

  /** {@return the driver's event of a mark that is in flight or was done recently} */
  long event(long index) {
    return events[slot(index)];
  }

  /** {@return the modelled time at which a mark happened, or 0 if time is real} */
  long nanos(long index) {
    long event = events[slot(index)];
    return event == 0 ? 0 : driver.eventNanos(event);
  }

  /** {@return the modelled time at which the last mark happened, or 0 if there is none} */
  long lastNanos() {
    return next == 0 ? 0 : nanos(next - 1);
  }

  /** Destroys all events, even if the driver reports an error for one. */
  void destroy() {
    DriverException first = null;
    for (int i = 0; i < events.length; i++) {
      if (events[i] != 0) {
        try {
          driver.destroyEvent(events[i]);
        } catch (DriverException e) {
          first = first == null ? e : first;
        }
        events[i] = 0;
      }
    }
    this.first = next;
    if (first != null) {
      throw first;
    }
  }

  private void grow() {
    int capacity = events.length * 2;
    long[] moreEvents = new long[capacity];
    long[] moreSequences = new long[capacity];
    long[] moreUncounted = new long[capacity];
    for (long index = Math.max(0, next - events.length); index < next; index++) {
      int to = (int) (index & (capacity - 1));
      moreEvents[to] = events[slot(index)];
      moreSequences[to] = sequences[slot(index)];
      moreUncounted[to] = uncounted[slot(index)];
    }
    events = moreEvents;
    sequences = moreSequences;
    uncounted = moreUncounted;
  }

  private int slot(long index) {
    return (int) (index & (events.length - 1));
  }
}
