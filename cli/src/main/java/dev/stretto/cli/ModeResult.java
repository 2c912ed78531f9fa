package dev.stretto.cli;

import dev.stretto.timeline.Overlap;
import java.util.OptionalLong;

/**
 * What a mode took, and whether its output is right.
 *
 * @param bytes that it encrypted
 * @param shape how the file was cut
 * @param overlap what the device's clock says
 * @param wallNanos from before the input was opened until after the output was closed
 * @param firstDifference of the output from that of the JDK's cipher, if there is one
 * @param picture the timeline in characters
 */
record ModeResult(
    Mode mode,
    long bytes,
    ModeRun.Shape shape,
    Overlap overlap,
    long wallNanos,
    OptionalLong firstDifference,
    Picture picture) {

  boolean verified() {
    return firstDifference.isEmpty();
  }

  double wallSeconds() {
    return wallNanos / 1e9;
  }

  double gigabytesPerSecond() {
    return overlap.seconds() == 0 ? 0 : bytes / overlap.seconds() / 1e9;
  }
}
