package dev.stretto.route;

import dev.stretto.fault.DeviceLostException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The waits of one stream for streams of other devices, oldest first, until they are over. CUDA
 * ends a wait when the device that is waited for is lost, and says nothing to the stream that
 * waits: what follows runs though what it depends on never happened. So when a wait is over, the
 * other device is asked whether it is still there. Guarded by the driver's lock.
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
        Loss.kept(e); // until somebody asks the stream
        return e;
      }
    }
  }

  private final ArrayDeque<Crossing> crossings = new ArrayDeque<>(0);

  /**
   * A stream waits for a point of another device's.
   *
   * @param sequence the number of the wait
   */
  void add(long sequence, Completion other, long point) {
    crossings.add(new Crossing(sequence, other, point));
  }

  /** {@return why a wait up to this number ended too early, if one did, which is told once} */
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
