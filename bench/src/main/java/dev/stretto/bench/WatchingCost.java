package dev.stretto.bench;

import com.sun.management.ThreadMXBean;
import dev.stretto.Device;
import dev.stretto.Diagnosis;
import dev.stretto.Grid;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.bench.sweep.EmptyKernel;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What it costs the host to enqueue an operation while the device is watched: by nothing, a
 * timeline, a diagnosis, or both, in turns. Batches never fill the driver's queue, and are small
 * enough to leave a stream busy.
 */
final class WatchingCost {
  private static final int WARM_UP = 300;
  private static final int ROUNDS = 60;
  private static final int OPERATIONS = 400;
  private static final long BYTES = 4096;

  private enum Watch {
    NOTHING,
    TIMELINE,
    DIAGNOSIS,
    BOTH;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Device device;
  private final Report report;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  WatchingCost(Device device, Report report) {
    this.device = device;
    this.report = report;
  }

  void run() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(BYTES);
        GlobalBytes other = device.allocateBytes(BYTES)) {
      MemorySegment host = arena.allocate(BYTES, 4096);
      Grid grid = Grid.of(1, 1);
      compare("launch", () -> stream.launch(grid, EmptyKernel::empty, 1, array, 2f));
      compare("copy-4k-in", () -> stream.copy(host, array));
      compare("copy-4k-within", () -> stream.copy(array, other));
      compare(
          "in-launch-out",
          () -> {
            stream.copy(host, array);
            stream.launch(grid, EmptyKernel::empty, 1, array, 2f);
            stream.copy(array, host);
          });
    }
  }

  private void compare(String name, Runnable operation) {
    Map<Watch, double[]> nanos = new EnumMap<>(Watch.class);
    Map<Watch, Long> allocated = new EnumMap<>(Watch.class);
    List<Watch> ways = List.of(Watch.values());
    for (int round = -WARM_UP; round < ROUNDS; round++) {
      for (Watch watch : ways) {
        long before = threads.getCurrentThreadAllocatedBytes();
        double each = watched(watch, operation);
        if (round >= 0) {
          nanos.computeIfAbsent(watch, _ -> new double[ROUNDS])[round] = each;
          allocated.merge(watch, threads.getCurrentThreadAllocatedBytes() - before, Long::sum);
        }
      }
    }
    nanos.forEach(
        (watch, all) -> {
          Arrays.sort(all);
          report.cost(
              name + "-" + watch.label(),
              OPERATIONS,
              all[ROUNDS / 2],
              allocated.getOrDefault(watch, 0L) / (double) (ROUNDS * OPERATIONS));
        });
  }

  private double watched(Watch watch, Runnable operation) {
    boolean isTimed = watch == Watch.TIMELINE || watch == Watch.BOTH;
    boolean isDiagnosed = watch == Watch.DIAGNOSIS || watch == Watch.BOTH;
    Timeline timeline = isTimed ? Timeline.record(device) : null;
    Diagnosis diagnosis = isDiagnosed ? Diagnosis.of(device) : null;
    try {
      long begin = System.nanoTime();
      for (int i = 0; i < OPERATIONS; i++) {
        operation.run();
      }
      double each = (System.nanoTime() - begin) / (double) OPERATIONS;
      device.await();
      return each;
    } finally {
      if (diagnosis != null) {
        diagnosis.close();
      }
      if (timeline != null) {
        timeline.close();
      }
    }
  }
}
