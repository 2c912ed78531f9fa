package dev.stretto.bench;

import java.io.PrintStream;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Prints results, one JSON object per line, with the names that the C++ programs use. */
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

  /** A rate of several devices together. */
  void groupRate(String bench, int devices, long bytes, double gigabytesPerSecond) {
    note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"%s\",\"devices\":%d,\"bytes\":%d,\"gigabytesPerSecond\":%.3f}",
            bench,
            devices,
            bytes,
            gigabytesPerSecond));
  }

  void chunkedGroupRate(
      String bench, int devices, long bytes, long chunkBytes, double gigabytesPerSecond) {
    note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"%s\",\"devices\":%d,\"bytes\":%d,\"chunkBytes\":%d,\"gigabytesPerSecond\":%.3f}",
            bench,
            devices,
            bytes,
            chunkBytes,
            gigabytesPerSecond));
  }

  /** A collective operation, with its size and its bandwidths as NCCL counts them. */
  void collective(CollectiveJob job, double nanos) {
    double rate = job.bytes() / nanos;
    note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"collectives\",\"operation\":\"%s\",\"devices\":%d,\"bytes\":%d,"
                + "\"gigabytesPerSecond\":%.3f,\"busGigabytesPerSecond\":%.3f}",
            job.operation().label(),
            job.devices(),
            job.bytes(),
            rate,
            rate * job.operation().busFactor(job.devices())));
  }

  /** The least of the microseconds of several ways, with all of them beside it. */
  void leastMicroseconds(String bench, long bytes, Map<String, Double> ways) {
    Map.Entry<String, Double> best =
        ways.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
    String all =
        ways.entrySet().stream()
            .map(way -> String.format(Locale.ROOT, "\"%s\":%.3f", way.getKey(), way.getValue()))
            .collect(Collectors.joining(","));
    note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"%s\",\"bytes\":%d,\"microseconds\":%.3f,\"way\":\"%s\",\"ways\":{%s}}",
            bench,
            bytes,
            best.getValue(),
            best.getKey(),
            all));
  }

  /** How much of the copies' time the kernels hide, with the times of each and of both together. */
  void overlap(String bench, long bytes, double kernels, double copies, double together) {
    note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"%s\",\"bytes\":%d,\"kernelsMilliseconds\":%.4f,\"copiesMilliseconds\":%.4f,"
                + "\"togetherMilliseconds\":%.4f,\"hidden\":%.4f}",
            bench,
            bytes,
            kernels * 1e-6,
            copies * 1e-6,
            together * 1e-6,
            (kernels + copies - together) / copies));
  }

  void error(String bench, String message) {
    note("{\"bench\":" + quoted(bench) + ",\"error\":" + quoted(message) + "}");
  }

  private static String quoted(String text) {
    return '"'
        + text.replace("\\", "\\\\").replace("\"", "\\\"").replaceAll("\\p{Cntrl}", " ")
        + '"';
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

  /** How long something took from its first call until it was known to be done. */
  void latency(String bench, double microseconds, double percentile99, double bytesAllocated) {
    note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"%s\",\"microseconds\":%.3f,\"percentile99\":%.3f,\"bytesAllocatedPerOperation\":%.2f}",
            bench,
            microseconds,
            percentile99,
            bytesAllocated));
  }

  void note(String line) {
    out.println(line);
    out.flush();
  }
}
