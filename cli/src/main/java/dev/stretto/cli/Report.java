package dev.stretto.cli;

import dev.stretto.Device;
import java.util.List;

/** Tells what {@code stretto overlap} did. */
interface Report {
  /** Before the first mode. */
  void begin(Device device, InputFile input, boolean random);

  /** After each mode. */
  void mode(ModeResult result);

  /** After the last mode. */
  void end(List<ModeResult> results);
}
