package dev.stretto.bench.nccl;

import dev.stretto.Device;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What one call of a communicator costs the host, beside the same call of NCCL in C++: in turns, in
 * one process, since two processes differ by more than the cost. With one rank nothing waits for
 * others; with more, each is a process. {@code bench/nccl.sh} builds the C++ and starts them.
 */
public final class NcclCost {
  static final int FLOATS = 1024;

  /** The driver takes so many of two ranks before it has done any. */
  private static final int CALLS = 200;

  private static final int ROUNDS = 101;

  /** After so many calls all that they run is compiled. */
  private static final int WARM_UP_ROUNDS = 1500;

  private final Calls ours;
  private final Calls theirs;
  private final RankMeeting ranks;

  private NcclCost(Calls ours, Calls theirs, RankMeeting ranks) {
    this.ours = ours;
    this.theirs = theirs;
    this.ranks = ranks;
  }

  /**
   * Measures one rank; the first one reports.
   *
   * @param arguments the library of {@code bench/cpp/nccl.cu}, the rank, the number of ranks, and a
   *     folder that all of them share
   */
  public static void run(List<String> arguments, PrintStream out) throws IOException {
    Path library = Path.of(arguments.getFirst());
    int rank = Integer.parseInt(arguments.get(1));
    int size = Integer.parseInt(arguments.get(2));
    Path folder = Path.of(arguments.get(3));
    List<String> ids = ids(library, rank, folder.resolve("ids"));
    try (RankMeeting ranks = new RankMeeting(rank, size, folder.resolve("meetings"));
        Device device = Device.open("cuda:" + rank);
        CallsByCommunicator ours =
            new CallsByCommunicator(device, rank, size, CommunicatorId.parse(ids.get(0)));
        Calls theirs =
            new CallsByCpp(library, rank, rank, size, HexFormat.of().parseHex(ids.get(1)))) {
      double[][] micros = new NcclCost(ours, theirs, ranks).measure();
      if (rank == 0) {
        out.println(ours.how());
        report(size, micros, out);
      }
    }
  }

  /** What the ranks of both sides meet by: the first one makes it. */
  private static List<String> ids(Path library, int rank, Path file) throws IOException {
    if (rank == 0) {
      String cpp = HexFormat.of().formatHex(CallsByCpp.id(library));
      Path part = file.resolveSibling("ids-in-part");
      Path written = Files.write(part, List.of(Communicator.id().toString(), cpp));
      Path _ = Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }
    while (!Files.exists(file)) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
    return Files.readAllLines(file);
  }

  /** {@return microseconds a call, ours and theirs} */
  private double[][] measure() {
    for (int i = 0; i < WARM_UP_ROUNDS; i++) {
      double _ = micros(ours);
    }
    double[][] micros = new double[2][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      int first = round % 2;
      micros[first][round] = micros(first == 0 ? ours : theirs);
      micros[1 - first][round] = micros(first == 0 ? theirs : ours);
    }
    return micros;
  }

  private double micros(Calls side) {
    ranks.awaitAll();
    double micros = side.micros(CALLS);
    side.awaitDone();
    return micros;
  }

  private static void report(int size, double[][] micros, PrintStream out) {
    double[] more = new double[ROUNDS];
    Arrays.setAll(more, i -> micros[0][i] - micros[1][i]);
    Arrays.stream(micros).forEach(Arrays::sort);
    Arrays.sort(more);
    out.printf(
        Locale.ROOT,
        "{\"bench\":\"nccl-all-reduce-%d\",\"ranks\":%d,\"cppMicros\":%.3f,\"strettoMicros\":%.3f,"
            + "\"moreMicros\":%.3f,\"moreQuarter\":%.3f,\"moreThreeQuarters\":%.3f}%n",
        FLOATS,
        size,
        micros[1][ROUNDS / 2],
        micros[0][ROUNDS / 2],
        more[ROUNDS / 2],
        more[ROUNDS / 4],
        more[ROUNDS * 3 / 4]);
    out.flush();
  }
}
