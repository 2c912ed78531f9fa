package dev.stretto.bench.file;

import dev.stretto.flow.FlowReport;
import dev.stretto.flow.Source;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Much more than there is memory through one flow: 64 GiB, the file again and again. */
final class LongRate {
  private static final long ALL = 64L << 30;

  private final FileFlows flows;
  private final Path file;
  private final long bytes;
  private final PrintStream out;

  LongRate(FileFlows flows, Path file, long bytes, PrintStream out) {
    this.flows = flows;
    this.file = file;
    this.bytes = bytes;
    this.out = out;
  }

  void run() throws IOException {
    List<Path> files = new ArrayList<>();
    for (long i = 0; i < Math.ceilDiv(ALL, bytes); i++) {
      files.add(file);
    }
    long all = files.size() * bytes;
    List<String> course = new ArrayList<>();
    long[] next = {0};
    FlowReport report =
        flows.sum(
            Source.files(files),
            progress -> {
              synchronized (course) {
                if (progress.bytesDone() >= next[0]) {
                  next[0] += all / 8;
                  course.add(
                      "%4.1f GiB through: %4d MiB of heap used, %5d MiB resident"
                          .formatted(
                              progress.bytesDone() / (double) (1 << 30), heap(), resident()));
                }
              }
            });
    Runtime runtime = Runtime.getRuntime();
    out.printf(
        "%s, %d GiB with at most %d MiB of heap: %.1f GB/s%n",
        flows.device(), all >> 30, runtime.maxMemory() >> 20, all / (double) report.wallNanos());
    course.forEach(out::println);
  }

  private static long heap() {
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }

  /** {@return the MiB of memory that the process has, those of mapped files not counted} */
  private static long resident() {
    try {
      return Files.readAllLines(Path.of("/proc/self/status")).stream()
              .filter(line -> line.startsWith("RssAnon"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
              .sum()
          >> 10;
    } catch (IOException e) {
      return -1;
    }
  }
}
