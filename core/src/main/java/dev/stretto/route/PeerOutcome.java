package dev.stretto.route;

import dev.stretto.fault.DeviceLostException;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a copy between two devices. CUDA reports the copy as done on the stream of one
 * device even if the other device was lost before it could do its part. So both devices are asked.
 */
public final class PeerOutcome implements Outcome {
  private final DeviceState own;
  private final DeviceState other;
  private volatile boolean fine;

  /**
   * Creates the outcome of a copy that was enqueued.
   *
   * @param own the device that the stream belongs to
   * @param other the device that it does not belong to
   */
  public PeerOutcome(DeviceState own, DeviceState other) {
    this.own = own;
    this.other = other;
  }

  /** Called when the copy is done. A success is final. */
  @Override
  public @Nullable RuntimeException failure() {
    if (fine) {
      return null;
    }
    try {
      own.requireAlive();
      other.requireAlive();
    } catch (DeviceLostException e) {
      return e;
    }
    fine = true;
    return null;
  }
}
