package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The driver's events of one device that know when they happened. */
public final class TimedEvents {
  private final Engine engine;
  private final Set<Long> open = new HashSet<>();

  TimedEvents(Engine engine) {
    this.engine = engine;
  }

  /** {@return a new one; given back by {@link #destroy}} */
  public long create() {
    synchronized (engine.lock) {
      engine.requireUsable();
      try {
        long event = engine.driver().createEvent(true);
        open.add(event);
        return event;
      } catch (DriverException e) {
        throw engine.raised(e);
      }
    }
  }

  /**
   * Gives one back. Those that are left go with the device.
   *
   * @param event from {@link #create}
   */
  public void destroy(long event) {
    synchronized (engine.lock) {
      if (open.remove(event) && engine.isUsable()) {
        try {
          engine.driver().destroyEvent(event);
        } catch (DriverException e) {
          engine.report("an event could not be given back", e);
        }
      }
    }
  }

  void destroyAll() {
    synchronized (engine.lock) {
      List.copyOf(open).forEach(this::destroy);
    }
  }

  /**
   * {@return the time from one to another in nanoseconds}
   *
   * @param start the earlier one
   * @param end the later one
   * @throws ClosedException if one of them was given back
   */
  public double elapsedNanos(long start, long end) {
    synchronized (engine.lock) {
      engine.requireUsable();
      if (!open.contains(start) || !open.contains(end)) {
        throw new ClosedException(
            "one of the two events is closed: it no longer knows when it happened");
      }
      try {
        return engine.driver().elapsedNanos(start, end);
      } catch (DriverException e) {
        throw engine.raised(e);
      }
    }
  }
}
