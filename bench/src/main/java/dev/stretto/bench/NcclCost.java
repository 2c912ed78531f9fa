package dev.stretto.bench;

import com.sun.management.ThreadMXBean;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.collective.Reduction;
import dev.stretto.memory.GlobalFloats;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * What one call of a communicator costs the host, beside {@code bench/cpp/nccl.cu}: with one rank,
 * so that nothing waits for others, and, if there are two GPUs, with two, each on a thread of its
 * own.
 */
final class NcclCost {
  private static final int FLOATS = 1024;
  private static final int CALLS = 1000;
  private static final int ROUNDS = 9;

  /** Of two ranks: the driver takes so many before it has done any. */
  private static final int CALLS_OF_TWO = 200;

  /** After so many calls all that they run is compiled. */
  private static final int WARM_UP_CALLS = 300_000;

  private final Device device;
  private final Report report;
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  NcclCost(Device device, Report report) {
    this.device = device;
    this.report = report;
  }

  void run() {
    String name = "nccl-all-reduce-" + FLOATS;
    measure(name, CALLS, Communicator.id(), 0, new CyclicBarrier(1), device);
    boolean two = Device.all().stream().filter(each -> each.driver().equals("cuda")).count() > 1;
    if (two && device.properties().driver().equals("cuda")) {
      try (Device other = Device.open("cuda:" + (device.properties().ordinal() == 0 ? 1 : 0))) {
        CommunicatorId id = Communicator.id();
        CyclicBarrier both = new CyclicBarrier(2);
        Thread peer =
            Thread.ofPlatform().start(() -> measure("", CALLS_OF_TWO, id, 1, both, other));
        measure(name + "-two-ranks", CALLS_OF_TWO, id, 0, both, device);
        peer.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Measures one rank of so many as the barrier has parties; the first one reports. */
  private void measure(
      String name, int calls, CommunicatorId id, int rank, CyclicBarrier ranks, Device own) {
    try (Communicator all = Communicator.awaitPeers(id, rank, ranks.getParties(), own);
        Stream stream = own.stream();
        GlobalFloats from = own.allocateFloats(FLOATS);
        GlobalFloats to = own.allocateFloats(FLOATS)) {
      stream.fill(from, 1).await();
      Runnable call =
          () -> {
            Event _ = all.allReduce(stream, from, to, Reduction.SUM);
          };
      for (int i = 0; i < WARM_UP_CALLS / calls; i++) {
        double _ = nanosOf(call, calls, ranks);
        stream.await();
      }
      double[] nanos = new double[ROUNDS];
      long before = threads.getCurrentThreadAllocatedBytes();
      for (int round = 0; round < ROUNDS; round++) {
        nanos[round] = nanosOf(call, calls, ranks);
        stream.await();
      }
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;
      Arrays.sort(nanos);
      if (rank == 0) {
        report.note(all + ": " + all.reason());
        report.cost(name, calls, nanos[ROUNDS / 2], allocated / (double) (ROUNDS * calls));
      }
    }
  }

  private static double nanosOf(Runnable call, int calls, CyclicBarrier ranks) {
    try {
      int _ = ranks.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("the other rank does not come", e);
    }
    long begin = System.nanoTime();
    for (int i = 0; i < calls; i++) {
      call.run();
    }
    return (System.nanoTime() - begin) / (double) calls;
  }
}
