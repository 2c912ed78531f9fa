package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.route.TimedMark;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * An event that records when it happened, by the device's clock. It holds a driver event, which is
 * released by {@link #close()}, or when this object becomes unreachable.
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
   * <p>On a GPU the resolution is about half a microsecond. On a virtual device the time is
   * modelled. The result is negative if {@code end} happened first.
   *
   * @param end an event of the same device
   * @throws IllegalStateException if either event has not happened yet: await it first
   * @throws IllegalArgumentException if the events belong to different devices
   * @throws ClosedException if either is closed
   */
  public Duration elapsedTo(TimedEvent end) {
    Objects.requireNonNull(end, "end");
    return Duration.ofNanos(Math.round(nanosTo(end)));
  }

  /**
   * {@return the time from this event to a later one in nanoseconds, fractions included}
   *
   * @param end an event of the same device
   * @throws IllegalStateException if either event has not happened yet: await it first
   * @throws IllegalArgumentException if the events belong to different devices
   * @throws ClosedException if either is closed
   */
  public double nanosTo(TimedEvent end) {
    Objects.requireNonNull(end, "end");
    if (stream().device().engine() != end.stream().device().engine()) {
      throw new IllegalArgumentException(
          this + " and " + end + " belong to different devices, whose clocks cannot be compared");
    }
    requireDone(this);
    requireDone(end);
    return mark.nanosTo(end.mark);
  }

  /**
   * {@return when this event happens, by the {@linkplain Device#hostClock() modelled clock} that
   * all virtual devices of one driver share, in nanoseconds; nothing on a device whose clock is its
   * own} It is known as soon as the driver has recorded the event, before it has happened.
   *
   * @throws IllegalStateException if the event is still held back
   * @throws ClosedException if the event is closed
   */
  public OptionalLong modelledNanos() {
    return mark.modelledNanos();
  }

  /**
   * {@return whether the event has happened} As {@link #isDone}, for observers: for the check of
   * the order, and for the report of work that was never awaited, the program does not learn of it.
   *
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before
   */
  public boolean hasHappened() {
    return Point.hasHappened(stream().queue(), sequence());
  }

  /**
   * {@return the driver's handle, a {@code CUevent}, for other CUDA libraries in the process to
   * wait for; valid until the event is closed}
   *
   * <p>The libraries must neither record nor destroy the event. Closing it does not affect work
   * that already waits for it.
   *
   * @throws IllegalStateException if the event is still held back (after a staged copy, a callback
   *     or another event), so that the driver has not recorded it yet: work that waited for it now
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
    if (!event.hasHappened()) {
      throw new IllegalStateException(
          event + " has not happened yet: await it before reading its time");
    }
  }

  /** Releases the driver's event. Closing it again has no further effect. */
  @Override
  public void close() {
    mark.close();
  }
}
