package dev.stretto.bench;

import com.sun.management.ThreadMXBean;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.Reduction;
import dev.stretto.memory.GlobalFloats;
import java.lang.management.ManagementFactory;
import java.util.Arrays;

/**
 * What one call of a communicator costs the host, beside {@code bench/cpp/nccl.cu}: one rank, so
 * that nothing waits for others.
 */
final class NcclCost {
  private static final int FLOATS = 1024;
  private static final int CALLS = 1000;
  private static final int ROUNDS = 9;

  /** Until then all that a call runs is compiled. */
  private static final long WARM_UP_NANOS = 2_000_000_000;

  private final Device device;
  private final Report report;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  NcclCost(Device device, Report report) {
    this.device = device;
    this.report = report;
  }

  void run() {
    try (Communicator alone = Communicator.awaitPeers(Communicator.id(), 0, 1, device);
        Stream stream = device.stream();
        GlobalFloats from = device.allocateFloats(FLOATS);
        GlobalFloats to = device.allocateFloats(FLOATS)) {
      report.note(alone + ": " + alone.reason());
      stream.fill(from, 1).await();
      Runnable call =
          () -> {
            Event _ = alone.allReduce(stream, from, to, Reduction.SUM);
          };
      for (long begin = System.nanoTime(); System.nanoTime() - begin < WARM_UP_NANOS; ) {
        double _ = nanosOf(call);
        stream.await();
      }
      double[] nanos = new double[ROUNDS];
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int round = 0; round < ROUNDS; round++) {
        nanos[round] = nanosOf(call);
        stream.await();
      }
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      Arrays.sort(nanos);
      report.cost(
          "nccl-all-reduce-" + FLOATS,
          CALLS,
          nanos[ROUNDS / 2],
          allocated / (double) (ROUNDS * CALLS));
    }
  }

  private static double nanosOf(Runnable call) {
    long begin = System.nanoTime();
    for (int i = 0; i < CALLS; i++) {
      call.run();
    }
    return (System.nanoTime() - begin) / (double) CALLS;
  }
}
