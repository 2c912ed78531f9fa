package dev.stretto.flow;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;

/**
 * How fast a device takes a flow's chunks through: how much it did in the time in which it had any.
 * What it did lately says how fast it is now. Guarded by the flow's lock.
 */
final class Speed {
  /** So many chunks are lately: more adapt later, fewer depend on chance. */
  private static final int LATELY = 12;

  private record Passage(long enqueued, long done, long bytes) {}

  private final ArrayDeque<Passage> lately = new ArrayDeque<>();

  /** Until when the time has been counted of chunks that are no longer of late. */
  private long counted;

  private double nanosPerByte;
  private long allBytes;
  private long busyNanos;
  private long busyUntil;

  /**
   * Counts a chunk.
   *
   * @param enqueued when the device could begin with it
   * @param done when it was through; may be before others that were counted
   * @param bytes of it
   */
  void add(long enqueued, long done, long bytes) {
    lately.add(new Passage(enqueued, done, bytes));
    if (lately.size() > LATELY) {
      counted = Math.max(counted, lately.remove().done);
    }
    long nanos = 0;
    long sum = 0;
    long until = counted;
    for (Passage passage : inTime()) {
      nanos += Math.max(0, passage.done - Math.max(passage.enqueued, until));
      until = Math.max(until, passage.done);
      sum += passage.bytes;
    }
    nanosPerByte = (double) nanos / sum;
    allBytes += bytes;
    busyNanos += Math.max(0, done - Math.max(enqueued, busyUntil));
    busyUntil = Math.max(busyUntil, done);
  }

  private List<Passage> inTime() {
    return lately.stream().sorted(Comparator.comparingLong(Passage::done)).toList();
  }

  /** {@return nanoseconds for each byte of late; 0 if nothing is known} */
  double nanosPerByte() {
    return nanosPerByte;
  }

  /** {@return when the last chunk was through} */
  long busyUntil() {
    return busyUntil;
  }

  /** {@return over all chunks; 0 if there was none} */
  double bytesPerSecond() {
    return allBytes == 0 ? 0 : allBytes * 1e9 / Math.max(1, busyNanos);
  }
}
