package dev.stretto.bench;

import com.sun.management.ThreadMXBean;
import dev.stretto.CopyRequest;
import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Launch;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.bench.sweep.EmptyKernel;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What a call costs the caller: host time and bytes allocated, in batches that never fill the
 * driver's queue.
 */
final class SubmitCost {
  private static final int BATCHES = 60;
  private static final int OPERATIONS = 500;
  private static final int WARM_UP = 1000;
  private static final int SLICES = 64;
  private static final long SLICE = 4096;
  private static final int FEW = 8;

  /** A kernel that does nothing. */
  static final DeviceKernel EMPTY = EmptyKernel.IMAGE;

  private final Device device;
  private final Report report;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  SubmitCost(Device device, Report report) {
    this.device = device;
    this.report = report;
  }

  void copy() {
    try (Stream stream = device.stream();
        PinnedArena arena = device.pinnedArena();
        GlobalBytes array = device.allocateBytes(4096)) {
      MemorySegment host = arena.allocate(4096, 4096);
      measure("submit-copy-4k", () -> stream.copy(host, array));
    }
  }

  void launch() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(4096)) {
      Launch launch = device.prepare(Grid.of(1, 1), EMPTY, 1, array, 2f);
      measure("submit-launch", () -> stream.launch(launch));
    }
  }

  void recordAndWait() {
    try (Stream stream = device.stream();
        Stream other = device.stream()) {
      measure("submit-record-wait", () -> other.waitFor(stream.record()));
    }
  }

  /** The same after a launch, as programs do it. */
  void launchRecordAndWait() {
    try (Stream stream = device.stream();
        Stream other = device.stream();
        GlobalBytes array = device.allocateBytes(4096)) {
      Launch launch = device.prepare(Grid.of(1, 1), EMPTY, 1, array, 2f);
      measure(
          "submit-launch-record-wait",
          () -> {
            stream.launch(launch);
            other.waitFor(stream.record());
          });
    }
  }

  /** The same kernel by method reference. */
  void launchMethod() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(4096)) {
      Grid grid = Grid.of(1, 1);
      measure("submit-launch-method", () -> stream.launch(grid, EmptyKernel::empty, 1, array, 2f));
    }
  }

  /** 64 slices of an array, one by one and as a batch; the cost is that of all 64. */
  void heapSlices() {
    try (Stream stream = device.stream();
        GlobalBytes array = device.allocateBytes(SLICES * SLICE)) {
      MemorySegment heap = MemorySegment.ofArray(new byte[(int) (SLICES * SLICE)]);
      MemorySegment[] sources =
          LongStream.range(0, SLICES)
              .mapToObj(i -> heap.asSlice(i * SLICE, SLICE))
              .toArray(MemorySegment[]::new);
      GlobalBytes[] slices =
          LongStream.range(0, SLICES)
              .mapToObj(i -> array.slice(i * SLICE, SLICE))
              .toArray(GlobalBytes[]::new);
      List<CopyRequest> requests =
          IntStream.range(0, SLICES).mapToObj(i -> CopyRequest.of(sources[i], slices[i])).toList();
      measure(
          "submit-64-heap-slices",
          FEW,
          () -> {
            for (int i = 0; i < SLICES; i++) {
              stream.copy(sources[i], slices[i]);
            }
          });
      measure("submit-64-heap-slices-all", FEW, () -> stream.copyAll(requests));
    }
  }

  private void measure(String bench, Runnable operation) {
    measure(bench, OPERATIONS, operation);
  }

  private void measure(String bench, int operations, Runnable operation) {
    for (int batch = 0; batch < WARM_UP; batch++) {
      run(operations, operation);
      device.await();
    }
    double[] nanos = new double[BATCHES];
    long allocated = 0;
    for (int batch = 0; batch < BATCHES; batch++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      long begin = System.nanoTime();
      run(operations, operation);
      nanos[batch] = (System.nanoTime() - begin) / (double) operations;
      allocated += threads.getCurrentThreadAllocatedBytes() - before;
      device.await();
    }
    Arrays.sort(nanos);
    report.cost(bench, operations, nanos[BATCHES / 2], allocated / (double) (BATCHES * operations));
  }

  private static void run(int operations, Runnable operation) {
    for (int i = 0; i < operations; i++) {
      operation.run();
    }
  }
}
