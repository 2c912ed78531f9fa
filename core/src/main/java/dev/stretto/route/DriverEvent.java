package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;

/** A timed event of the driver that nodes of graphs record. */
public final class DriverEvent extends Resource {
  /** The driver's code for work that is not done yet. */
  private static final int NOT_READY = 600;

  private final DeviceRuntime engine;
  private final long handle;

  private DriverEvent(DeviceRuntime engine, long handle) {
    this.engine = engine;
    this.handle = handle;
  }

  /**
   * {@return a new event}
   *
   * @param engine the device
   */
  public static DriverEvent create(DeviceRuntime engine) {
    DriverEvent event = new DriverEvent(engine, engine.timedEvents().create());
    if (!engine.resources().adopt(event)) {
      event.closeAfterLastUse();
      throw engine.device().closedException();
    }
    return event;
  }

  /** {@return the driver's handle} */
  public long handle() {
    return handle;
  }

  /**
   * {@return the time from the last recording of this event to that of another, in nanoseconds}
   *
   * @param end of the same device
   * @throws ClosedException if one of the two is closed
   * @throws IllegalStateException if one of the two was never recorded, or has not happened yet
   */
  public double nanosTo(DriverEvent end) {
    if (!isOpen() || !end.isOpen()) {
      throw new ClosedException("one of the two events is closed");
    }
    try {
      return engine.call(() -> engine.driver().elapsedNanos(handle, end.handle));
    } catch (RuntimeException e) {
      if (!engine.isLost() && !engine.isClosed() && isUnrecorded(e)) {
        throw new IllegalStateException(
            "one of the two events was never recorded, or its last recording has not happened yet:"
                + " await the launch",
            e);
      }
      throw e;
    }
  }

  /** {@return whether this is a driver's error for an event that has not happened} */
  private static boolean isUnrecorded(RuntimeException e) {
    Throwable cause = e instanceof DriverException ? e : e.getCause();
    return cause instanceof DriverException told
        && (told.kind() == DriverException.Kind.INVALID || told.code() == NOT_READY);
  }

  @Override
  public String describe() {
    return "an event of graphs on " + engine.name();
  }

  @Override
  protected void release() {
    engine.timedEvents().destroy(handle);
    engine.resources().released(this);
    gone();
  }
}
