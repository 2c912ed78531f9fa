package dev.stretto.bench;

import java.io.PrintStream;
import java.util.Locale;

/** Prints what was measured, a JSON object a line, with the names that the C++ programs use. */
final class Report {
  private final PrintStream out;

  Report(PrintStream out) {
    this.out = out;
  }

  void rate(String bench, long bytes, double gigabytesPerSecond) {
    out.printf(
        Locale.ROOT,
        "{\"bench\":\"%s\",\"bytes\":%d,\"gigabytesPerSecond\":%.3f}%n",
        bench,
        bytes,
        gigabytesPerSecond);
    out.flush();
  }

  void cost(String bench, int operations, double nanos, double bytesAllocated) {
    out.printf(
        Locale.ROOT,
        "{\"bench\":\"%s\",\"operations\":%d,\"nanosecondsPerOperation\":%.1f,\"bytesAllocatedPerOperation\":%.2f}%n",
        bench,
        operations,
        nanos,
        bytesAllocated);
    out.flush();
  }

  void note(String line) {
    out.println(line);
    out.flush();
  }
}
