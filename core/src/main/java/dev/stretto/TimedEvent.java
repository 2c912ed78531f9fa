package dev.stretto;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import dev.stretto.route.Engine;
import dev.stretto.route.Transfer;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.List;

/**
 * An event that knows when it happened, by the device's clock. It holds a driver event, which is given back by {@link #close()}, or
 * when the event becomes unreachable.
 */
public final class TimedEvent extends Event implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final long handle;
  private final Cleaner.Cleanable cleanable;
  private volatile boolean open = true;

  TimedEvent(Stream stream, long sequence, List<Transfer> settling, long handle) {
    super(stream, sequence, settling);
    this.handle = handle;
    this.cleanable = CLEANER.register(this, new Destroy(stream.queue().engine(), handle));
  }

  private record Destroy(Engine engine, long handle) implements Runnable {
    @Override
    public void run() {
      engine.destroyEvent(handle);
    }
  }

  /**
   * {@return the time from this event to a later one, by the device's clock}
   *
   * <p>On a GPU its resolution is about half a microsecond. On a virtual device it is modelled time. Negative if {@code end} happened
   * first.
   *
   * @param end of the same device
   * @throws IllegalStateException if either event is still to happen: await it first
   * @throws IllegalArgumentException if the events are of two devices
   * @throws ClosedException if either is closed
   */
  public Duration elapsedTo(TimedEvent end) {
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
    Engine engine = stream().queue().engine();
    if (engine != end.stream().queue().engine()) {
      throw new IllegalArgumentException(
          this + " and " + end + " are of two devices, whose clocks cannot be compared");
    }
    requireDone(this);
    requireDone(end);
    try {
      return engine.driver().elapsedNanos(handle, end.handle);
    } catch (DriverException e) {
      throw engine.raised(e);
    }
  }

  private static void requireDone(TimedEvent event) {
    if (!event.open) {
      throw new ClosedException(event + " is closed");
    }
    if (!event.isDone()) {
      throw new IllegalStateException(event + " has not happened yet: await it before asking for its time");
    }
  }

  /** Gives the driver's event back. Closing twice has no further effect. */
  @Override
  public void close() {
    open = false;
    cleanable.clean();
  }
}
