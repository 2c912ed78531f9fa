package dev.stretto.cli;

import dev.stretto.Device;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/** Prints a table that grows by a row after each mode, then the timelines, then the speed-up. */
final class TextReport implements Report {
  private static final String COLUMNS = "%-8s %7s %10s %10s %9s %7s %8s %8s";

  private static final String PARTS = "%-8s %7s %7s  %s";

  private final Console console;
  private double firstSeconds;

  TextReport(Console console) {
    this.console = console;
  }

  @Override
  public void begin(Device device, Work work) {
    console.println(bold("ChaCha20 over " + work.describe() + " on " + device.properties().name()));
    console.println(device.name() + " (" + device.reason() + ")");
    if (device.isVirtual()) {
      console.println("All times are modelled, except the wall-clock times.");
    }
    console.println("");
    console.println(
        bold(
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
            number("%.2f", result.gigabytesPerSecond()),
            millis(result.overlap().seconds()),
            millis(result.overlap().copySeconds()),
            millis(result.overlap().kernelSeconds()),
            number("%.0f %%", 100 * result.overlap().ratio()),
            number("%.2f s", result.wallSeconds()),
            number("%.2f ×", firstSeconds / result.overlap().seconds()));
    console.println(row + (result.verified() ? "  ✓" : "  ✗"));
  }

  @Override
  public void end(List<ModeResult> results) {
    for (ModeResult result : results) {
      console.println("");
      console.println(bold(result.mode().word()) + "  " + describe(result));
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
    conclude(results);
  }

  /** Says where the time of a flow goes. */
  private void describeParts(ModeResult result) {
    console.println(bold(PARTS.formatted(result.mode().word(), "GB/s", "busy", "")));
    for (Part part : result.parts()) {
      console.println(
          PARTS.formatted(
              part.name(),
              number("%.2f", part.bytesPerSecond() / 1e9),
              number("%.0f %%", 100 * part.busy()),
              "by " + part.by()));
    }
    Part bound = Part.bound(result.parts());
    console.println(
        "Bound by %s: %s GB/s by %s; %s if nothing else runs."
            .formatted(
                bound.name(),
                number("%.1f", bound.bytesPerSecond() / 1e9),
                bound.by(),
                result.alone() == 0 ? "not measured" : number("%.1f", result.alone() / 1e9)));
    console.println("");
  }

  private static String describe(ModeResult result) {
    ModeRun.Shape shape = result.shape();
    String size = ByteSize.show(shape.chunkBytes());
    String chunks =
        shape.depth() > 1 ? shape.depth() + " chunks of " + size + " in flight" : size + " chunks";
    return String.join("; ", result.mode().description(), chunks, result.picture().caption());
  }

  private void conclude(List<ModeResult> results) {
    ModeResult first = results.getFirst();
    ModeResult last = results.getLast();
    if (results.size() > 1) {
      console.println(
          bold(
              "%s is %s times as fast as %s."
                  .formatted(
                      last.mode().word(),
                      number("%.1f", first.overlap().seconds() / last.overlap().seconds()),
                      first.mode().word())));
    }
    if (results.stream().allMatch(ModeResult::verified)) {
      console.println("✓ Every byte equals the output of the JDK's own ChaCha20.");
    }
  }

  private static String millis(double seconds) {
    return seconds >= 1 ? number("%.2f s", seconds) : number("%.2f ms", seconds * 1e3);
  }

  private static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String bold(String text) {
    return Ansi.AUTO.enabled() ? "\033[1m" + text + "\033[22m" : text;
  }

  /** Blue, orange and green of Okabe and Ito's palette, as closely as terminals can show them. */
  private static String coloured(String line) {
    if (!Ansi.AUTO.enabled()) {
      return line;
    }
    return line.replaceAll("(>+)", "\033[38;5;32m$1\033[39m")
        .replaceAll("(#+)", "\033[38;5;214m$1\033[39m")
        .replaceAll("(<+)", "\033[38;5;36m$1\033[39m")
        .replaceAll("(=+)", "\033[38;5;175m$1\033[39m");
  }
}
