package dev.stretto.cli;

import dev.stretto.Device;
import java.util.List;

/** Reports the results of {@code stretto overlap}. */
interface Report {
  /**
   * Called before the first mode.
   *
   * @param reason why it is this device
   */
  void begin(Device device, String reason, Work work);

  /** Called after each mode. */
  void mode(ModeResult result);

  /** Called after the last mode. */
  void end(List<ModeResult> results);
}
