package dev.stretto.cli;

import dev.stretto.Device;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;

/**
 * Prints what fits on a screen of 24 lines: a table that grows by a row after each mode, what the
 * engines did in the first and in the last mode, and the speed-up.
 */
final class TextReport implements Report {
  /** Longer ones would not fit on a line. */
  private static final int LONGEST_REASON = 44;

  private static final String LEGEND = "> copy in   # kernel   < copy out";
  private static final String HOST_LEGEND = "   r read   w write";

  /** More would not fit on a screen: two pictures of three engines each. */
  private static final int MOST_ROWS = 8;

  private static final String COLUMNS = "%-8s %9s %11s %9s %10s";

  private final Console console;
  private double firstSeconds;

  TextReport(Console console) {
    this.console = console;
  }

  @Override
  public void begin(Device device, String reason, Work work) {
    console.println(bold("ChaCha20 over " + work.describe() + " on " + device.properties().name()));
    String why = reason.length() > LONGEST_REASON ? reason.split(":", 2)[0] : reason;
    String times = device.isVirtual() ? "; all times are modelled" : "";
    console.println(device.name() + " (" + why + ")" + times);
    console.println(bold(COLUMNS.formatted("mode", "GB/s", "time", "overlap", "speed-up")));
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
            number("%.0f %%", 100 * result.overlap().ratio()),
            number("%.2f ×", firstSeconds / result.overlap().seconds()));
    console.println(row + (result.verified() ? "  ✓" : "  ✗"));
  }

  @Override
  public void end(List<ModeResult> results) {
    List<ModeResult> drawn = new ArrayList<>(List.of(results.getLast()));
    ModeResult first = results.getFirst();
    if (results.size() > 1 && rows(first) + rows(results.getLast()) <= MOST_ROWS) {
      drawn.addFirst(first);
    }
    console.println("");
    for (ModeResult result : drawn) {
      console.println(
          bold(result.mode().word()) + ": " + describe(result) + "; " + result.picture().caption());
      result.picture().engines().forEach(line -> console.println(coloured(line)));
    }
    boolean ofHost = results.getLast().picture().isOfHost();
    console.println(coloured(ofHost ? LEGEND + HOST_LEGEND : LEGEND));
    conclude(console, results);
    results.stream()
        .filter(result -> !result.parts().isEmpty())
        .forEach(result -> console.println(boundBy(result)));
    console.println("More: --details; in a browser: --html FILE.");
  }

  private static int rows(ModeResult result) {
    return result.picture().engines().size();
  }

  private static String describe(ModeResult result) {
    ModeRun.Shape shape = result.shape();
    return shape.depth() > 1
        ? shape.depth() + " chunks of " + ByteSize.show(shape.chunkBytes()) + " in flight"
        : result.mode().description();
  }

  /** What bounds a flow. */
  static String boundBy(ModeResult result) {
    Part bound = Part.bound(result.parts());
    return "Bound by %s: %s GB/s by %s; %s if nothing else runs."
        .formatted(
            bound.name(),
            number("%.1f", bound.bytesPerSecond() / 1e9),
            bound.by(),
            result.alone() == 0 ? "not measured" : number("%.1f", result.alone() / 1e9));
  }

  /** Says which mode is how much faster, and whether all is right. */
  static void conclude(Console console, List<ModeResult> results) {
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

  static String millis(double seconds) {
    return seconds >= 1 ? number("%.2f s", seconds) : number("%.2f ms", seconds * 1e3);
  }

  static String number(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  static String bold(String text) {
    return Ansi.AUTO.enabled() ? "\033[1m" + text + "\033[22m" : text;
  }

  /** Blue, orange and green of Okabe and Ito's palette, as closely as terminals can show them. */
  static String coloured(String line) {
    if (!Ansi.AUTO.enabled()) {
      return line;
    }
    return line.replaceAll("(>+)", "\033[38;5;32m$1\033[39m")
        .replaceAll("(#+)", "\033[38;5;214m$1\033[39m")
        .replaceAll("(<+)", "\033[38;5;36m$1\033[39m")
        .replaceAll("(=+)", "\033[38;5;175m$1\033[39m");
  }
}
