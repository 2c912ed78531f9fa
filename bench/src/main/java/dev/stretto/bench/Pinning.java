package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Locale;

/** How long it takes until much pinned memory can be used. */
final class Pinning {
  private static final long BYTES = 4L << 30;
  private static final int SAMPLES = 3;

  private final Device device;
  private final Report report;

  Pinning(Device device, Report report) {
    this.device = device;
    this.report = report;
  }

  void run() {
    double[] millis = new double[SAMPLES];
    for (int i = 0; i < SAMPLES; i++) {
      try (PinnedArena arena = device.pinnedArena()) {
        long begin = System.nanoTime();
        MemorySegment memory = arena.allocate(BYTES, 4096);
        millis[i] = (System.nanoTime() - begin) * 1e-6;
        memory.fill((byte) i);
      }
    }
    Arrays.sort(millis);
    report.note(
        String.format(
            Locale.ROOT,
            "{\"bench\":\"pinning\",\"bytes\":%d,\"milliseconds\":%.1f}",
            BYTES,
            millis[SAMPLES / 2]));
  }
}
