package dev.stretto.cli;

import java.util.List;

/** Reports the results of {@code stretto bandwidth}. */
interface BandwidthReport {
  /** Called before the first test. */
  void begin(OpenDevices opened, long bytes);

  /** Called after each test, once for each of its figures. */
  void matrix(BandwidthMatrix matrix);

  /** Called after the last test. */
  void end(List<BandwidthLimits.LeftOut> leftOut);
}
