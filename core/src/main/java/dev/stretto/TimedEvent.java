package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.route.TimedMark;
import java.time.Duration;
import java.util.Objects;

/**
 * An event that knows when it happened, by the device's clock. It holds a driver event, which is
 * given back by {@link #close()}, or when the event becomes unreachable.
 */
public final class TimedEvent extends Event implements AutoCloseable {
  private final TimedMark mark;

  TimedEvent(Stream stream, TimedMark mark) {
    super(stream, mark.sequence());
    this.mark = mark;
  }

  /**
   * {@return the time from this event to a later one, by the device's clock}
   *
   * <p>On a GPU its resolution is about half a microsecond. On a virtual device it is modelled
   * time. Negative if {@code end} happened first.
   *
   * @param end of the same device
   * @throws IllegalStateException if either event is still to happen: await it first
   * @throws IllegalArgumentException if the events are of two devices
   * @throws ClosedException if either is closed
   */
  public Duration elapsedTo(TimedEvent end) {
    Objects.requireNonNull(end, "end");
    return Duration.ofNanos(Math.round(nanosTo(end)));
  }

  /**
   * {@return the time from this event to a later one in nanoseconds, fractions included}
   *
   * @param end of the same device
   * @throws IllegalStateException if either event is still to happen: await it first
   * @throws IllegalArgumentException if the events are of two devices
   * @throws ClosedException if either is closed
   */
  public double nanosTo(TimedEvent end) {
    Objects.requireNonNull(end, "end");
    if (stream().device().engine() != end.stream().device().engine()) {
      throw new IllegalArgumentException(
          this + " and " + end + " are of two devices, whose clocks cannot be compared");
    }
    requireDone(this);
    requireDone(end);
    return mark.nanosTo(end.mark);
  }

  /**
   * {@return the driver's handle, a {@code CUevent}, for other CUDA libraries in the process to
   * wait for; valid until the event is closed}
   *
   * <p>They must neither record nor destroy it. What waits for it by then is not affected by
   * closing it.
   *
   * @throws IllegalStateException if the event is still held back (behind a staged copy, a
   *     callback, another event), so that the driver has not recorded it: whoever waited for it now
   *     would not wait at all
   * @throws ClosedException if the event is closed
   */
  public long handle() {
    return mark.handle();
  }

  private static void requireDone(TimedEvent event) {
    if (!event.mark.isOpen()) {
      throw new ClosedException(event + " is closed");
    }
    if (!event.isDone()) {
      throw new IllegalStateException(
          event + " has not happened yet: await it before asking for its time");
    }
  }

  /** Gives the driver's event back. Closing twice has no further effect. */
  @Override
  public void close() {
    mark.close();
  }
}
