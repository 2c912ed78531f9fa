package dev.stretto.cli;

import dev.stretto.Device;
import dev.stretto.cli.BandwidthMatrix.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine.Help.Ansi;

/** Prints a table after each test. */
final class BandwidthText implements BandwidthReport {
  private static final int LEAST_COLUMN = 9;
  private static final String GAP = "  ";

  private final Console console;

  BandwidthText(Console console) {
    this.console = console;
  }

  @Override
  public void begin(OpenDevices opened, long bytes) {
    for (Device device : opened.devices()) {
      console.println(bold(device.name() + GAP + device.properties().name()));
    }
    console.println("(" + opened.reason() + ")");
    if (opened.devices().stream().allMatch(Device::isVirtual)) {
      console.println("All times are modelled.");
    }
    console.println(
        ("%d copies of %s per sample, after %d to warm up; medians of %d samples; "
                + "bytes compared")
            .formatted(
                GatedCopies.COPIES,
                ByteSize.show(bytes),
                GatedCopies.WARM_UPS,
                BandwidthMatrix.SAMPLES));
  }

  @Override
  public void matrix(BandwidthMatrix matrix) {
    console.println("");
    console.println(bold(matrix.name()) + ", " + matrix.unit());
    console.println(matrix.meaning());
    int first = width(matrix.rows().stream());
    int width = Math.max(LEAST_COLUMN, width(matrix.columns().stream()));
    line(first, width, "", matrix.columns());
    for (int row = 0; row < matrix.rows().size(); row++) {
      List<String> cells = matrix.values().get(row).stream().map(BandwidthText::show).toList();
      line(first, width, matrix.rows().get(row), cells);
    }
    tellRoutes(matrix);
  }

  private static int width(Stream<String> texts) {
    return texts.mapToInt(String::length).max().orElse(0);
  }

  private void line(int first, int width, String head, List<String> cells) {
    StringBuilder line = new StringBuilder(head).repeat(' ', first - head.length());
    for (String cell : cells) {
      line.append(GAP).repeat(' ', width - cell.length()).append(cell);
    }
    console.println(line.toString());
  }

  private static String show(Value value) {
    return value.isMeasured() ? String.format(Locale.ROOT, "%.2f", value.number()) : "-";
  }

  /** Prints the routes of copies that did not go directly from device to device. */
  private void tellRoutes(BandwidthMatrix matrix) {
    TreeSet<String> routes = new TreeSet<>();
    for (List<Value> row : matrix.values()) {
      row.stream().map(Value::route).forEach(routes::add);
    }
    routes.removeAll(List.of("", "PEER"));
    for (String route : routes) {
      console.println(route + " (row/column): " + String.join(", ", places(matrix, route)));
    }
  }

  private static List<String> places(BandwidthMatrix matrix, String route) {
    return Stream.iterate(0, row -> row < matrix.rows().size(), row -> row + 1)
        .flatMap(
            row ->
                Stream.iterate(0, column -> column < matrix.columns().size(), column -> column + 1)
                    .filter(column -> matrix.values().get(row).get(column).route().equals(route))
                    .map(column -> matrix.rows().get(row) + "/" + matrix.columns().get(column)))
        .toList();
  }

  @Override
  public void end(List<BandwidthLimits.LeftOut> leftOut) {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    for (BandwidthLimits.LeftOut each : leftOut) {
      byReason.computeIfAbsent(each.reason(), _ -> new ArrayList<>()).add(each.test());
    }
    byReason.forEach(
        (reason, tests) -> {
          console.println("");
          console.println("Left out because " + reason + ":");
          tests.forEach(test -> console.println(GAP + test));
        });
    console.println("");
    console.println("✓ Every byte arrived at its place.");
  }

  private static String bold(String text) {
    return Ansi.AUTO.enabled() ? "\033[1m" + text + "\033[22m" : text;
  }
}
