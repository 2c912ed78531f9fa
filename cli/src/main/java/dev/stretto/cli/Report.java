package dev.stretto.cli;

import dev.stretto.Device;
import java.util.List;

/** Reports the results of {@code stretto overlap}. */
interface Report {
  /** Called before the first mode. */
  void begin(Device device, Work work);

  /** Called after each mode. */
  void mode(ModeResult result);

  /** Called after the last mode. */
  void end(List<ModeResult> results);
}
