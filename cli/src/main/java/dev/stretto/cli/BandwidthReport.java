package dev.stretto.cli;

import java.util.List;

/** Tells what {@code stretto bandwidth} found. */
interface BandwidthReport {
  /** Before the first test. */
  void begin(OpenDevices opened, long bytes);

  /** After each test, once for each of its figures. */
  void matrix(BandwidthMatrix matrix);

  /** After the last test. */
  void end(List<BandwidthLimits.LeftOut> leftOut);
}
