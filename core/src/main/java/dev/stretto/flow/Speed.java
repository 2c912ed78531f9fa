package dev.stretto.flow;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.List;

/**
 * A device's speed in processing a flow's chunks: how much it did in the time in which it had any.
 * Its recent chunks show how fast it is now. Guarded by the flow's lock.
 */
final class Speed {
  /** How many chunks count as recent: more adapt later, fewer depend on chance. */
  private static final int LATELY = 12;

  private record Passage(long enqueued, long done, long bytes) {}

  private final ArrayDeque<Passage> lately = new ArrayDeque<>();

  /** The time up to which chunks that are no longer recent have been counted. */
  private long counted;

  private double nanosPerByte;
  private long allBytes;
  private long busyNanos;
  private long busyUntil;

  /**
   * Counts a chunk.
   *
   * @param enqueued when the device could begin with it
   * @param done when it was complete; may be before others that were counted
   * @param bytes its size
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

  /** {@return recent nanoseconds for each byte; 0 if not known} */
  double nanosPerByte() {
    return nanosPerByte;
  }

  /** {@return when the last chunk was complete} */
  long busyUntil() {
    return busyUntil;
  }

  /** {@return the rate over all chunks; 0 if there was none} */
  double bytesPerSecond() {
    return allBytes == 0 ? 0 : allBytes * 1e9 / Math.max(1, busyNanos);
  }
}
