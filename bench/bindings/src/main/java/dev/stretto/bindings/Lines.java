package dev.stretto.bindings;

import java.io.PrintStream;
import java.util.Locale;

/** Figures of one library as lines of JSON. */
final class Lines {
  private final PrintStream out;
  private final String library;

  Lines(PrintStream out, String library) {
    this.out = out;
    this.library = library;
  }

  void rate(String bench, Way<?> way, long bytes, double gigabytesPerSecond) {
    figure(
        bench,
        way,
        String.format(
            Locale.ROOT, "\"bytes\":%d,\"gigabytesPerSecond\":%.3f", bytes, gigabytesPerSecond));
  }

  void cost(String bench, Way<?> way, double nanos) {
    figure(bench, way, String.format(Locale.ROOT, "\"nanosecondsPerOperation\":%.1f", nanos));
  }

  void latency(String bench, Way<?> way, double micros) {
    figure(bench, way, String.format(Locale.ROOT, "\"microseconds\":%.3f", micros));
  }

  private void figure(String bench, Way<?> way, String figure) {
    line(
        String.format(
            Locale.ROOT,
            "\"bench\":\"%s\",\"library\":\"%s\",\"way\":\"%s\",\"threads\":%d,%s",
            bench,
            library,
            way.name(),
            way.threads(),
            figure));
  }

  /** That a job gave no figures, and why. */
  void error(String job, String message) {
    line(
        "\"bench\":\"%s\",\"library\":\"%s\",\"error\":\"%s\""
            .formatted(
                job,
                library,
                message.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ")));
  }

  private void line(String members) {
    out.println("{" + members + "}");
    out.flush();
  }
}
