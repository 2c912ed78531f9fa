package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.route.DriverEvent;
import java.time.Duration;
import java.util.Objects;

/**
 * An event that nodes of a graph record in every launch, and that nodes of other graphs wait for: a
 * {@code CUevent} for event record and event wait nodes (CUDA C++ Programming Guide, "CUDA
 * Graphs"). It also stores the time of its last recording, by the device's clock, so that parts of
 * a launch can be timed.
 *
 * <p>Within a graph, {@link GraphNode#after()} defines the order; no event is needed.
 */
public final class GraphEvent implements AutoCloseable {
  private final Device device;
  private final DriverEvent event;

  private GraphEvent(Device device, DriverEvent event) {
    this.device = device;
    this.event = event;
  }

  /**
   * {@return an event that was never recorded}
   *
   * @param device the device whose graphs will record it
   * @throws ClosedException if the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public static GraphEvent of(Device device) {
    Objects.requireNonNull(device, "device");
    return new GraphEvent(device, DriverEvent.create(device.engine()));
  }

  /** {@return the device whose graphs may record it} */
  public Device device() {
    return device;
  }

  DriverEvent event() {
    return event;
  }

  /**
   * {@return the time from the last recording of this event to the last one of another} Await the
   * launches first.
   *
   * @param end an event of the same device
   * @throws IllegalStateException if either was never recorded, or its last recording has not
   *     happened yet
   * @throws IllegalArgumentException if the two belong to different devices
   * @throws ClosedException if either event, or the device, is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Duration elapsedTo(GraphEvent end) {
    Objects.requireNonNull(end, "end");
    if (end.device.engine() != device.engine()) {
      throw new IllegalArgumentException(
          this + " and " + end + " belong to different devices, whose clocks cannot be compared");
    }
    return Duration.ofNanos(Math.round(event.nanosTo(end.event)));
  }

  /** {@return whether graphs may be made with it} */
  public boolean isOpen() {
    return event.isOpen();
  }

  /**
   * Ends the use of the event. Graphs that were made with it keep it for as long as they need it.
   * Does not block. Closing it again has no further effect.
   */
  @Override
  public void close() {
    Capture.closing(event);
    boolean _ = event.closeAfterLastUse();
    device.engine().finishIfClosed();
  }

  @Override
  public String toString() {
    return "event 0x" + Long.toHexString(event.handle());
  }
}
