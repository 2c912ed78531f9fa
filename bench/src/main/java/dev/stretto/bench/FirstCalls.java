package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.kernel.Kernel;
import dev.stretto.kernel.ThreadBlock;
import dev.stretto.memory.GlobalFloats;
import java.io.PrintStream;
import java.util.Locale;

/**
 * What the first operations of a process take: run it in a process of its own, at least twice,
 * since the first one has no compiled kernel.
 */
final class FirstCalls {
  private static final int COUNT = 1 << 18;

  private FirstCalls() {}

  /**
   * Opens a device, copies 1 MiB of an array to it, launches, and prints a line.
   *
   * @param name the device
   */
  static void run(String name, PrintStream out) {
    long begin = System.nanoTime();
    try (Device device = Device.open(name);
        Stream stream = device.stream()) {
      final double open = millisSince(begin);
      try (GlobalFloats array = device.allocateFloats(COUNT)) {
        long copied = System.nanoTime();
        stream.copy(new float[COUNT], array).await();
        final double copy = millisSince(copied);
        long launched = System.nanoTime();
        stream.launch(Grid.covering(COUNT, 256), FirstCalls::twice, array, COUNT);
        stream.await();
        out.printf(
            Locale.ROOT,
            "{\"bench\":\"first-calls\",\"openMilliseconds\":%.1f,\"copyMilliseconds\":%.1f,"
                + "\"launchMilliseconds\":%.1f}%n",
            open,
            copy,
            millisSince(launched));
      }
    }
  }

  private static double millisSince(long begin) {
    return (System.nanoTime() - begin) / 1e6;
  }

  @Kernel
  static void twice(ThreadBlock block, GlobalFloats array, int n) {
    long i = block.globalIndexX();
    if (i < n) {
      array.set(i, array.get(i) * 2);
    }
  }
}
