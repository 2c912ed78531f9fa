package dev.stretto.cli;

import dev.stretto.timeline.Overlap;
import java.util.List;
import java.util.OptionalLong;

/**
 * A mode's result: how long it took, and whether its output is right.
 *
 * @param bytes that it encrypted
 * @param shape how the file was cut
 * @param overlap by the device's clock
 * @param engines how busy the copy engines are
 * @param wallNanos from before the input was opened until after the output was closed
 * @param firstDifference the first position where the output differs from that of the JDK's cipher,
 *     if it does
 * @param picture the timeline in characters
 * @param parts of a flow from file to file; empty otherwise
 * @param alone the bytes per second of the part that bounds the others, if nothing else runs; 0
 *     without parts, and if a disk has no room to measure it
 */
record ModeResult(
    Mode mode,
    long bytes,
    ModeRun.Shape shape,
    Overlap overlap,
    Engines engines,
    long wallNanos,
    OptionalLong firstDifference,
    Picture picture,
    List<Part> parts,
    double alone) {

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
