package dev.stretto.bench.meeting;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.memory.GlobalInts;
import java.io.PrintStream;
import java.util.Locale;

/** What {@code bench/cpp/groups.cu} measures, through Stretto, as a table with the same rows. */
public final class Groups {
  private static final int ROUNDS = 3;
  private static final int WARM = 5;

  /** Prepares a kernel. */
  private interface Kernel {
    Launch prepare(Grid grid, GlobalInts in, GlobalInts out, int stages, int mask, int ints);
  }

  private final Device device;
  private final Stream stream;
  private final PrintStream out;

  private Groups(Device device, Stream stream, PrintStream out) {
    this.device = device;
    this.stream = stream;
    this.out = out;
  }

  /**
   * Measures, and prints the rows.
   *
   * @param name the device
   * @param most the greatest number of bytes
   */
  public static void run(String name, long most, PrintStream out) {
    try (Device device = Device.open(name);
        Stream stream = device.stream()) {
      Groups groups = new Groups(device, stream, out);
      for (long bytes : new long[] {most / 16, most}) {
        groups.all(bytes, most);
      }
    }
  }

  /** Measures everything with so many bytes of input, of which so many are read. */
  private void all(long bytes, long read) {
    for (int stage = 2 << 10; stage <= 16 << 10; stage *= 2) {
      for (int which : new int[] {0, 4, 8}) {
        String what = "warp %d of 9 produces".formatted(which);
        row(
            what,
            bytes,
            read,
            stage,
            288,
            stage,
            (grid, in, to, stages, mask, ints) ->
                device.prepare(
                    grid, GroupKernels::warpProduces, in, to, stages, mask, ints, which));
        row(
            what + " by hand",
            bytes,
            read,
            stage,
            288,
            stage,
            (grid, in, to, stages, mask, ints) ->
                device.prepare(
                    grid, GroupKernels::warpProducesByHand, in, to, stages, mask, ints, which));
      }
    }
    for (int stage = 128; stage <= 1024; stage *= 2) {
      row(
          "tiles of 8 lanes",
          bytes,
          read,
          stage,
          256,
          32 * stage,
          (grid, in, to, stages, mask, ints) ->
              device.prepare(grid, GroupKernels::tiles, in, to, stages, mask, ints));
      row(
          "tiles of 8 lanes by hand",
          bytes,
          read,
          stage,
          256,
          32 * stage,
          (grid, in, to, stages, mask, ints) ->
              device.prepare(grid, GroupKernels::tilesByHand, in, to, stages, mask, ints));
    }
  }

  /**
   * Measures a kernel.
   *
   * @param shared how many bytes the stages of one turn take in a block
   */
  private void row(
      String what, long bytes, long read, int stage, int threads, int shared, Kernel kernel) {
    int stages = (int) (read / stage);
    int mask = (int) (bytes / stage) - 1;
    int room = GroupKernels.STAGES * shared;
    int each = Math.min(200_000 / (room + 4096), 2048 / threads);
    int blocks = device.properties().multiprocessors() * each;
    try (GlobalInts in = device.allocateInts(bytes / Integer.BYTES);
        GlobalInts to = device.allocateInts((long) blocks * threads)) {
      Grid grid = Grid.of(blocks, threads).withSharedBytes(room);
      Launch launch = kernel.prepare(grid, in, to, stages, mask, stage / Integer.BYTES);
      check(what, launch, in, to, (int) (read / bytes));
      double nanos = worst(launch, Math.clamp((8L << 30) / read, 2, 32));
      out.printf(
          Locale.ROOT,
          "| %s, %s in stages of %d bytes | %.1f GB/s |%n",
          what,
          bytes < 1 << 20 ? bytes / 1024 + " KiB" : (bytes >> 20) + " MiB",
          stage,
          read / nanos);
    }
  }

  private void check(String what, Launch launch, GlobalInts in, GlobalInts to, int times) {
    int[] numbers = new int[(int) in.length()];
    int expected = 0;
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = i * 0x9E3779B1;
      expected += times * numbers[i];
    }
    stream.copy(numbers, in);
    stream.launch(launch);
    int[] got = new int[(int) to.length()];
    stream.copy(to, got).await();
    int sum = 0;
    for (int part : got) {
      sum += part;
    }
    if (sum != expected) {
      throw new IllegalStateException("%s: the sum is %d, not %d".formatted(what, sum, expected));
    }
  }

  /** The worst of some rounds in nanoseconds, after some that do not count: the clocks are up. */
  private double worst(Launch launch, int launches) {
    double most = 0;
    for (int i = 0; i < WARM + ROUNDS; i++) {
      double nanos = nanos(launch, launches);
      most = i < WARM ? 0 : Math.max(most, nanos);
    }
    return most;
  }

  private double nanos(Launch launch, int launches) {
    // The time begins while the device is busy, so that no call of the host is in it.
    stream.launch(launch);
    try (TimedEvent begin = stream.recordTimed()) {
      for (int i = 0; i < launches; i++) {
        stream.launch(launch);
      }
      try (TimedEvent end = stream.recordTimed()) {
        end.await();
        return begin.nanosTo(end) / launches;
      }
    }
  }
}
