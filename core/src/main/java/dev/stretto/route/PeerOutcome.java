package dev.stretto.route;

import dev.stretto.fault.DeviceLostException;
import org.jspecify.annotations.Nullable;

/**
 * What came of a copy between two devices. CUDA reports it as done on one device's stream though
 * the other one was lost before it could take its part, so both are asked.
 */
public final class PeerOutcome implements Outcome {
  private final DeviceState own;
  private final DeviceState other;
  private volatile boolean fine;

  /**
   * Of a copy that was enqueued.
   *
   * @param own the device that the stream belongs to
   * @param other the device that it does not belong to
   */
  public PeerOutcome(DeviceState own, DeviceState other) {
    this.own = own;
    this.other = other;
  }

  /** Asked when the copy is done; once it has gone well, that stays so. */
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
