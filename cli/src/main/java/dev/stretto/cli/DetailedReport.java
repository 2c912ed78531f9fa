package dev.stretto.cli;

import dev.stretto.Device;
import java.util.List;

/** Prints all there is to tell: {@code stretto overlap --details}. */
final class DetailedReport implements Report {
  private static final String COLUMNS = "%-8s %7s %10s %10s %9s %7s %8s %8s";

  private static final String PARTS = "%-8s %7s %7s  %s";

  private final Console console;
  private double firstSeconds;

  DetailedReport(Console console) {
    this.console = console;
  }

  @Override
  public void begin(Device device, String reason, Work work) {
    console.println(
        TextReport.bold("ChaCha20 over " + work.describe() + " on " + device.properties().name()));
    console.println(device.name() + " (" + reason + ")");
    if (device.isVirtual()) {
      console.println("All times are modelled, except the wall-clock times.");
    }
    console.println("");
    console.println(
        TextReport.bold(
            COLUMNS.formatted(
                "mode", "GB/s", "time", "copy", "kernel", "overlap", "wall", "speed-up")));
  }

  @Override
  public void mode(ModeResult result) {
    if (firstSeconds == 0) {
      firstSeconds = result.overlap().seconds();
    }
    String row =
        COLUMNS.formatted(
            result.mode().word(),
            TextReport.number("%.2f", result.gigabytesPerSecond()),
            TextReport.millis(result.overlap().seconds()),
            TextReport.millis(result.overlap().copySeconds()),
            TextReport.millis(result.overlap().kernelSeconds()),
            TextReport.number("%.0f %%", 100 * result.overlap().ratio()),
            TextReport.number("%.2f s", result.wallSeconds()),
            TextReport.number("%.2f ×", firstSeconds / result.overlap().seconds()));
    console.println(row + (result.verified() ? "  ✓" : "  ✗"));
  }

  @Override
  public void end(List<ModeResult> results) {
    for (ModeResult result : results) {
      console.println("");
      console.println(TextReport.bold(result.mode().word()) + "  " + describe(result));
      result.picture().text().lines().map(TextReport::coloured).forEach(console::println);
    }
    console.println("");
    results
        .getLast()
        .picture()
        .legend()
        .lines()
        .map(TextReport::coloured)
        .forEach(console::println);
    console.println("");
    results.stream().filter(result -> !result.parts().isEmpty()).forEach(this::describeParts);
    TextReport.conclude(console, results);
  }

  /** Says where the time of a flow goes. */
  private void describeParts(ModeResult result) {
    console.println(TextReport.bold(PARTS.formatted(result.mode().word(), "GB/s", "busy", "")));
    for (Part part : result.parts()) {
      console.println(
          PARTS.formatted(
              part.name(),
              TextReport.number("%.2f", part.bytesPerSecond() / 1e9),
              TextReport.number("%.0f %%", 100 * part.busy()),
              "by " + part.by()));
    }
    console.println(TextReport.boundBy(result));
    console.println("");
  }

  private static String describe(ModeResult result) {
    ModeRun.Shape shape = result.shape();
    String size = ByteSize.show(shape.chunkBytes());
    String chunks =
        shape.depth() > 1 ? shape.depth() + " chunks of " + size + " in flight" : size + " chunks";
    return String.join("; ", result.mode().description(), chunks, result.picture().caption());
  }
}
