package dev.stretto.bench.meeting;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalFloats;
import dev.stretto.memory.GlobalInts;
import java.io.PrintStream;
import java.util.Locale;

/** What {@code bench/cpp/clusters.cu} measures, through Stretto, as a table with the same rows. */
public final class Clusters {
  private static final int ROUNDS = 3;
  private static final double WARM_NANOS = 300e6;
  private static final int LAUNCHES = 10;
  private static final int HOPS = 10_000;
  private static final int READS = 20_000;
  private static final int BLOCKS = 128;

  private final Device device;
  private final Stream stream;
  private final int count;
  private final PrintStream out;

  private Clusters(Device device, Stream stream, int count, PrintStream out) {
    this.device = device;
    this.stream = stream;
    this.count = count;
    this.out = out;
  }

  /**
   * Measures, and prints the rows.
   *
   * @param name the device
   * @param count how many numbers the histograms count
   */
  public static void run(String name, int count, PrintStream out) {
    try (Device device = Device.open(name);
        Stream stream = device.stream()) {
      Clusters clusters = new Clusters(device, stream, count, out);
      clusters.histograms();
      clusters.rings();
      clusters.reads();
    }
  }

  private void row(String what, String format, double value, String unit) {
    out.printf(Locale.ROOT, "| %s | " + format + " %s |%n", what, value, unit);
  }

  /** The worst of some rounds in nanoseconds, after some that do not count: the clocks are up. */
  private double worst(Launch launch) {
    for (double warm = 0; warm < WARM_NANOS; ) {
      warm += LAUNCHES * nanos(launch);
    }
    double most = 0;
    for (int i = 0; i < ROUNDS; i++) {
      most = Math.max(most, nanos(launch));
    }
    return most;
  }

  private double nanos(Launch launch) {
    // The time begins while the device is busy, so that no call of the host is in it.
    stream.launch(launch);
    try (TimedEvent begin = stream.recordTimed()) {
      for (int i = 0; i < LAUNCHES; i++) {
        stream.launch(launch);
      }
      try (TimedEvent end = stream.recordTimed()) {
        end.await();
        return begin.nanosTo(end) / LAUNCHES;
      }
    }
  }

  private int[] numbers(int below) {
    int[] numbers = new int[count];
    int state = 1;
    for (int i = 0; i < count; i++) {
      state = state * 1664525 + 1013904223;
      numbers[i] = (state >>> 8) % below;
    }
    return numbers;
  }

  private static Grid grid(int threads, int cluster, int sharedBytes) {
    return Grid.of(BLOCKS, threads).withCluster(cluster, 1, 1).withSharedBytes(sharedBytes);
  }

  private void histograms() {
    try (GlobalInts in = device.allocateInts(count)) {
      for (int cluster = 2; cluster <= 8; cluster *= 2) {
        for (int perBlock = 1024; perBlock <= 8192; perBlock *= 8) {
          int bins = cluster * perBlock;
          int[] numbers = numbers(bins);
          stream.copy(numbers, in).await();
          try (GlobalInts counts = device.allocateInts(bins)) {
            stream.fill(counts, 0);
            Launch launch =
                device.prepare(
                    grid(512, cluster, 4 * perBlock),
                    ClusterKernels::histogram,
                    in,
                    count / 4,
                    counts,
                    perBlock);
            check(launch, numbers, counts);
            row(
                "a histogram of %d bins in each of %d blocks".formatted(perBlock, cluster),
                "%.2f",
                4.0 * count / worst(launch),
                "GB/s");
          }
        }
      }
    }
  }

  private void check(Launch launch, int[] numbers, GlobalInts counts) {
    int[] expected = new int[(int) counts.length()];
    for (int number : numbers) {
      expected[number]++;
    }
    int[] got = new int[expected.length];
    stream.launch(launch);
    stream.copy(counts, got).await();
    for (int i = 0; i < got.length; i++) {
      if (got[i] != expected[i]) {
        throw new IllegalStateException(
            "bin %d has %d instead of %d".formatted(i, got[i], expected[i]));
      }
    }
  }

  private void rings() {
    try (GlobalInts result = device.allocateInts(BLOCKS)) {
      for (int cluster = 2; cluster <= 8; cluster *= 2) {
        for (int bytes : new int[] {1024, 8192, 32768}) {
          Launch launch =
              device.prepare(
                  grid(128, cluster, 2 * bytes), ClusterKernels::ring, result, HOPS, bytes);
          row(
              "a ring of %d blocks with %d bytes".formatted(cluster, bytes),
              "%.3f",
              worst(launch) / 1000 / HOPS,
              "us");
        }
      }
    }
  }

  private void reads() {
    try (GlobalFloats sums = device.allocateFloats(BLOCKS * 512)) {
      for (int cluster = 2; cluster <= 8; cluster *= 2) {
        Launch launch = device.prepare(grid(512, cluster, 0), ClusterKernels::reads, sums, READS);
        row(
            "reads of another of %d blocks".formatted(cluster),
            "%.2f",
            16.0 * BLOCKS * 512 * READS / worst(launch),
            "GB/s");
      }
    }
  }
}
