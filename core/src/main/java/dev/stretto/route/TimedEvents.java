package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The timed driver events of one device. */
public final class TimedEvents {
  private final DeviceState device;
  private final Set<Long> open = new HashSet<>();

  TimedEvents(DeviceState device) {
    this.device = device;
  }

  /** {@return a new event; {@link #destroy} gives it back} */
  public long create() {
    synchronized (device.lock) {
      device.requireUsable();
      try {
        long event = device.driver().createEvent(true);
        open.add(event);
        return event;
      } catch (DriverException e) {
        throw device.raised(e);
      }
    }
  }

  /**
   * Destroys an event. Remaining events are destroyed with the device.
   *
   * @param event an event of {@link #create}
   */
  public void destroy(long event) {
    synchronized (device.lock) {
      if (open.remove(event) && device.isUsable()) {
        try {
          device.driver().destroyEvent(event);
        } catch (DriverException e) {
          device.report("an event could not be released", e);
        }
      }
    }
  }

  /**
   * Destroys an event once it has been recorded.
   *
   * @param queue the stream that records it
   * @param sequence the number of the operation that records it
   * @param event an event of {@link #create}
   */
  public void destroyAfter(StreamQueue queue, long sequence, long event) {
    synchronized (device.lock) {
      if (queue.completion.isHandedOver(sequence) || !device.isUsable()) {
        destroy(event);
      } else {
        queue.completion.whenHandedOver(sequence, () -> destroy(event));
      }
    }
  }

  void destroyAll() {
    synchronized (device.lock) {
      List.copyOf(open).forEach(this::destroy);
    }
  }

  /**
   * {@return when an event that was recorded happens, in the time of the model}
   *
   * @param event an event of {@link #create}
   * @throws ClosedException if it was destroyed
   */
  long modelledNanos(long event) {
    synchronized (device.lock) {
      device.requireUsable();
      if (!open.contains(event)) {
        throw new ClosedException("the event is closed: it no longer knows when it happened");
      }
      try {
        return device.driver().eventNanos(event);
      } catch (DriverException e) {
        throw device.raised(e);
      }
    }
  }

  /**
   * {@return the time from one event to another in nanoseconds}
   *
   * @param start the earlier event
   * @param end the later event
   * @throws ClosedException if one of them was destroyed
   */
  public double elapsedNanos(long start, long end) {
    synchronized (device.lock) {
      device.requireUsable();
      if (!open.contains(start) || !open.contains(end)) {
        throw new ClosedException(
            "one of the two events is closed: it no longer knows when it happened");
      }
      try {
        return device.driver().elapsedNanos(start, end);
      } catch (DriverException e) {
        throw device.raised(e);
      }
    }
  }
}
