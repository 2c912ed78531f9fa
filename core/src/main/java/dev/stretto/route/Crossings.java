package dev.stretto.route;

import dev.stretto.fault.DeviceLostException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The pending waits of one stream for streams of other devices, oldest first. If the other device
 * is lost, CUDA ends the wait without an error on the waiting stream: later operations run although
 * the work that they depend on never happened. So when a wait is over, the other device is asked
 * whether it is still alive. Guarded by the driver's lock.
 */
final class Crossings {
  private record Crossing(long sequence, Completion other, long point) {
    /** Why the wait ended too early, or null. */
    @Nullable DeviceLostException failure() {
      if (other.isKnownDone(point)) {
        return null;
      }
      try {
        other.device().requireAlive();
        return null;
      } catch (DeviceLostException e) {
        Loss.kept(e); // until the stream is asked
        return e;
      }
    }
  }

  private final ArrayDeque<Crossing> crossings = new ArrayDeque<>(0);

  /**
   * Notes that the stream waits for a point of another device's stream.
   *
   * @param sequence the number of the wait
   */
  void add(long sequence, Completion other, long point) {
    crossings.add(new Crossing(sequence, other, point));
  }

  /**
   * {@return why a wait up to this number ended too early, or null; each failure is reported once}
   */
  @Nullable DeviceLostException failureUpTo(long completed) {
    DeviceLostException first = null;
    while (!crossings.isEmpty() && crossings.peek().sequence <= completed) {
      DeviceLostException failure = crossings.remove().failure();
      first = first == null ? failure : first;
    }
    return first;
  }

  boolean isEmpty() {
    return crossings.isEmpty();
  }
}
