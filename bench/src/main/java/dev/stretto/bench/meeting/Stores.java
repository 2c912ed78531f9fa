package dev.stretto.bench.meeting;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.memory.GlobalInts;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What {@code bench/cpp/stores.cu} measures, through Stretto, as a table with the same rows. */
public final class Stores {
  private static final int ROUNDS = 3;
  private static final int WARM = 5;
  private static final int THREADS = 256;

  /** A kernel that stores tiles. */
  private interface Tiles extends KernelMethod.Of3<GlobalInts, Integer, Integer> {}

  private final Device device;
  private final Stream stream;
  private final PrintStream out;

  private Stores(Device device, Stream stream, PrintStream out) {
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
      Stores stores = new Stores(device, stream, out);
      for (long bytes = most / 256; bytes <= most; bytes *= 4) {
        for (int tile = 2 << 10; tile <= Math.min(32 << 10, bytes); tile *= 2) {
          stores.all(bytes, tile);
        }
      }
    }
  }

  private void all(long bytes, int tile) {
    row("kept", bytes, tile, StoreKernels::kept, 0);
    row("filled", bytes, tile, StoreKernels::filled, 1);
    row("in stages", bytes, tile, StoreKernels::staged, 1);
  }

  /**
   * Measures a kernel.
   *
   * @param step by how much the numbers of a tile differ from those of the one before; 0 if the
   *     second half of the shared memory differs from the first
   */
  private void row(String what, long bytes, int tile, Tiles kernel, int step) {
    int ints = tile / Integer.BYTES;
    int tiles = (int) (bytes / tile);
    try (GlobalInts to = device.allocateInts(bytes / Integer.BYTES)) {
      int launches = Math.clamp((1L << 30) / bytes, 10, 200);
      double best = Double.MAX_VALUE;
      for (int blocks : grids(tile, tiles)) {
        Grid grid = Grid.of(blocks, THREADS).withSharedBytes(2 * tile);
        Launch launch = device.prepare(grid, kernel, to, tiles, ints);
        check(launch, to, ints, blocks, step);
        best = Math.min(best, worst(launch, launches));
      }
      out.printf(
          Locale.ROOT,
          "| %s, %s in tiles of %d KiB | %.1f GB/s |%n",
          what,
          bytes < 1 << 20 ? bytes / 1024 + " KiB" : (bytes >> 20) + " MiB",
          tile >> 10,
          bytes / best);
    }
  }

  /** The numbers of blocks that are tried, as in C++. */
  private List<Integer> grids(int tile, int tiles) {
    List<Integer> grids = new ArrayList<>();
    int most = Math.min(200_000 / (2 * tile + 1024), 2048 / THREADS);
    for (int each = 1; each <= most; each *= 2) {
      grids.add(Math.min(tiles, device.properties().multiprocessors() * each));
    }
    for (int each = 1; each <= 4; each *= 2) {
      grids.add((tiles + each - 1) / each);
    }
    return grids;
  }

  private void check(Launch launch, GlobalInts to, int ints, int blocks, int step) {
    stream.launch(launch);
    int[] got = new int[(int) to.length()];
    stream.copy(to, got).await();
    for (int i = 0; i < got.length; i++) {
      int t = i / ints;
      int expected = i % ints + (step == 0 ? t / blocks % 2 * ints : t);
      if (got[i] != expected) {
        throw new IllegalStateException(
            "element %d is %d instead of %d".formatted(i, got[i], expected));
      }
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
