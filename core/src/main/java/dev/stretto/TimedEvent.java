package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.TimedEvents;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.Objects;

/**
 * An event that knows when it happened, by the device's clock. It holds a driver event, which is
 * given back by {@link #close()}, or when the event becomes unreachable.
 */
public final class TimedEvent extends Event implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final long handle;
  private final Cleaner.Cleanable cleanable;
  private volatile boolean open = true;

  TimedEvent(Stream stream, long sequence, long handle) {
    super(stream, sequence);
    this.handle = handle;
    this.cleanable =
        CLEANER.register(
            this,
            new Destroy(stream.device().engine().timedEvents(), stream.queue(), sequence, handle));
  }

  private record Destroy(TimedEvents events, StreamQueue queue, long sequence, long handle)
      implements Runnable {
    @Override
    public void run() {
      events.destroyAfter(queue, sequence, handle);
    }
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
    DeviceRuntime engine = stream().device().engine();
    if (engine != end.stream().device().engine()) {
      throw new IllegalArgumentException(
          this + " and " + end + " are of two devices, whose clocks cannot be compared");
    }
    requireDone(this);
    requireDone(end);
    return engine.timedEvents().elapsedNanos(handle, end.handle);
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
    if (!open) {
      throw new ClosedException(this + " is closed: its handle is no longer valid");
    }
    if (!stream().queue().isWithDriver(sequence())) {
      throw new IllegalStateException(
          this
              + " is held back, so that the driver has not recorded it yet: have the other"
              + " library's stream wait by device.adoptStream(handle).waitFor(event) later, or"
              + " await what comes before");
    }
    stream().queue().heard(sequence()); // as far as we know: the other library may await it
    return handle;
  }

  private static void requireDone(TimedEvent event) {
    if (!event.open) {
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
    open = false;
    cleanable.clean();
  }
}
