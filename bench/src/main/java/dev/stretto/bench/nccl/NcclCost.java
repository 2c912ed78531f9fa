package dev.stretto.bench.nccl;

import dev.stretto.Device;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * What one call of a communicator costs the host, beside the same call of NCCL in C++: in turns, in
 * one process, since two processes differ by more than the cost. With one rank, so that nothing
 * waits for others, and, if there are two GPUs, with two, each on a thread of its own. {@code
 * bench/nccl.sh} builds the C++.
 */
public final class NcclCost {
  static final int FLOATS = 1024;

  private static final int CALLS = 1000;
  private static final int ROUNDS = 31;

  /** Of two ranks: the driver takes so many before it has done any. */
  private static final int CALLS_OF_TWO = 200;

  /** After so many calls all that they run is compiled. */
  private static final int WARM_UP_CALLS = 300_000;

  private final Path library;
  private final PrintStream out;

  private NcclCost(Path library, PrintStream out) {
    this.library = library;
    this.out = out;
  }

  /** Measures on the first GPU, and on the second one too, if there is one. */
  public static void run(Path library, PrintStream out) {
    NcclCost cost = new NcclCost(library, out);
    try (Device first = Device.open("cuda:0")) {
      cost.measure(
          CALLS, 0, new CyclicBarrier(1), Communicator.id(), CallsByCpp.id(library), first);
      if (Device.all().stream().filter(each -> each.driver().equals("cuda")).count() > 1) {
        cost.measureTwo(first);
      }
    }
  }

  private void measureTwo(Device first) {
    CommunicatorId id = Communicator.id();
    byte[] idOfCpp = CallsByCpp.id(library);
    CyclicBarrier both = new CyclicBarrier(2);
    try (Device second = Device.open("cuda:1")) {
      Thread peer =
          Thread.ofPlatform().start(() -> measure(CALLS_OF_TWO, 1, both, id, idOfCpp, second));
      measure(CALLS_OF_TWO, 0, both, id, idOfCpp, first);
      peer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Measures one rank of so many as the barrier has parties; the first one reports. */
  private void measure(
      int calls, int rank, CyclicBarrier ranks, CommunicatorId id, byte[] idOfCpp, Device device) {
    int size = ranks.getParties();
    try (CallsByCommunicator ours = new CallsByCommunicator(device, rank, size, id);
        Calls theirs = new CallsByCpp(library, rank, rank, size, idOfCpp)) {
      for (int i = 0; i < WARM_UP_CALLS / calls; i++) {
        double _ = micros(ours, calls, ranks);
      }
      double[] oursMicros = new double[ROUNDS];
      double[] theirsMicros = new double[ROUNDS];
      double[] more = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        boolean oursFirst = round % 2 == 0;
        double one = micros(oursFirst ? ours : theirs, calls, ranks);
        double other = micros(oursFirst ? theirs : ours, calls, ranks);
        oursMicros[round] = oursFirst ? one : other;
        theirsMicros[round] = oursFirst ? other : one;
        more[round] = oursMicros[round] - theirsMicros[round];
      }
      if (rank == 0) {
        out.println(ours.how());
        report(size, calls, theirsMicros, oursMicros, more);
      }
    }
  }

  private void report(int size, int calls, double[] theirs, double[] ours, double[] more) {
    Arrays.sort(more);
    out.printf(
        Locale.ROOT,
        "{\"bench\":\"nccl-all-reduce-%d\",\"ranks\":%d,\"calls\":%d,\"cppMicros\":%.3f,\"strettoMicros\":%.3f,"
            + "\"moreMicros\":%.3f,\"moreQuarter\":%.3f,\"moreThreeQuarters\":%.3f}%n",
        FLOATS,
        size,
        calls,
        middle(theirs),
        middle(ours),
        more[ROUNDS / 2],
        more[ROUNDS / 4],
        more[ROUNDS * 3 / 4]);
    out.flush();
  }

  private static double middle(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double micros(Calls side, int calls, CyclicBarrier ranks) {
    try {
      int _ = ranks.await();
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException("the other rank does not come", e);
    }
    double micros = side.micros(calls);
    side.awaitDone();
    return micros;
  }
}
