package dev.stretto.route;

import dev.stretto.fault.DeviceLostException;
import org.jspecify.annotations.Nullable;

/**
 * What came of one copy of the driver's between two devices. That its stream's device is lost
 * everybody is told anyway; the other device's end may have gone with that one.
 */
public final class PeerOutcome implements Outcome {
  private final Engine other;
  private boolean fine;

  /**
   * Of a copy that was enqueued.
   *
   * @param other the device that the stream does not belong to
   */
  public PeerOutcome(Engine other) {
    this.other = other;
  }

  /** Once it was told that all went well it stays so. */
  @Override
  public synchronized @Nullable RuntimeException failure() {
    if (fine) {
      return null;
    }
    try {
      other.requireNotLost();
    } catch (DeviceLostException e) {
      return e;
    }
    fine = true;
    return null;
  }
}
