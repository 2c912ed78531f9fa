package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.bench.nccl.RankMeeting;
import dev.stretto.bench.options.Options;
import dev.stretto.bench.turns.Requests;
import dev.stretto.collective.Communicator;
import dev.stretto.collective.CommunicatorId;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a {@link Communicator}, measured on request, as {@code bench/py/nccl.py} measures one
 * of PyTorch's. The ranks, a process for each device, meet in a folder, which is empty at first.
 * Each takes the same requests, one a line, and answers each with a JSON object a line:
 *
 * <ul>
 *   <li>{@code prepare all-reduce|broadcast|all-gather|all-to-all BYTES} allocates memory
 *   <li>{@code verify} runs the operation once, and checks every word
 *   <li>{@code measure WARM-UPS OPERATIONS}: when the rank began and ended each operation alone,
 *       and the device's time of operations that follow each other in rows; every word is checked
 *       after them
 * </ul>
 *
 * <p>A request that fails is answered with {@code failed}.
 */
final class RankTurns implements AutoCloseable {
  private static final int ROW = 20; // as nccl-tests times them
  private static final Duration START = Duration.ofSeconds(60);

  private final Communicator ranks;
  private final Stream stream;
  private final RankMeeting meeting;
  private final boolean inWindows;
  private @Nullable RankJob job;

  private RankTurns(Communicator ranks, Stream stream, RankMeeting meeting, boolean inWindows) {
    this.ranks = ranks;
    this.stream = stream;
    this.meeting = meeting;
    this.inWindows = inWindows;
  }

  /**
   * Answers requests until there are no more.
   *
   * @param arguments {@code [--device NAME] RANK COUNT FOLDER [windows]}; the GPU of the rank's
   *     number by default
   * @param requests the requests
   * @param out receives the answers
   */
  static void run(List<String> arguments, Reader requests, PrintStream out) throws IOException {
    Options options = Options.of(arguments, "--device");
    int rank = Integer.parseInt(options.words().get(0));
    int count = Integer.parseInt(options.words().get(1));
    Path folder = Path.of(options.words().get(2));
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), "false");
    try (RankMeeting meeting = new RankMeeting(rank, count, folder.resolve("java-meetings"));
        Device device = Device.open(options.text("--device", "cuda:" + rank));
        Stream stream = device.stream();
        Communicator ranks =
            Communicator.awaitPeers(id(rank, folder.resolve("id")), rank, count, device, START);
        RankTurns turns =
            new RankTurns(ranks, stream, meeting, options.words().contains("windows"))) {
      Requests.answer(requests, out, turns::answer);
    }
  }

  /** The first rank writes the word by which the others find it. */
  private static CommunicatorId id(int rank, Path file) throws IOException {
    if (rank == 0) {
      CommunicatorId id = Communicator.id();
      Path written = Files.writeString(file.resolveSibling("id-in-part"), id.toString());
      Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
      return id;
    }
    long deadline = System.nanoTime() + START.toNanos();
    while (!Files.exists(file)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("the first rank has not begun within " + START);
      }
      Thread.onSpinWait();
    }
    return CommunicatorId.parse(Files.readString(file));
  }

  private String answer(String... words) {
    return switch (words[0]) {
      case "prepare" -> prepare(words[1], Long.parseLong(words[2]));
      case "verify" -> verify();
      case "measure" -> measure(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      default -> throw new IllegalArgumentException("no such request: " + words[0]);
    };
  }

  private RankJob job() {
    if (job == null) {
      throw new IllegalStateException("nothing is prepared");
    }
    return job;
  }

  private String prepare(String operation, long bytes) {
    close();
    RankJob next = new RankJob(ranks, stream, operation, inWindows, bytes);
    job = next;
    return String.format(
        Locale.ROOT,
        "{\"operation\":\"%s\",\"devices\":%d,\"bytes\":%d,\"transport\":\"%s\"}",
        operation,
        ranks.size(),
        next.bytes(),
        ranks.transport());
  }

  private String verify() {
    job().poison();
    job().enqueue().await();
    job().compare();
    return "{\"verified\":true}";
  }

  private String measure(int warmUps, int operations) {
    job().poison();
    long[] begun = new long[operations];
    long[] ended = new long[operations];
    for (int i = -warmUps; i < operations; i++) {
      meeting.awaitAll();
      long begin = System.nanoTime();
      job().enqueue().await();
      if (i >= 0) {
        begun[i] = begin;
        ended[i] = System.nanoTime();
      }
    }
    int rows = Math.max(1, operations / ROW);
    double[] millis = new double[rows];
    double[] byHost = new double[rows];
    for (int i = 0; i < rows; i++) {
      meeting.awaitAll();
      long begin = System.nanoTime();
      try (TimedEvent from = stream.recordTimed()) {
        for (int k = 0; k < ROW; k++) {
          Event _ = job().enqueue();
        }
        try (TimedEvent to = stream.recordTimed()) {
          byHost[i] = (System.nanoTime() - begin) * 1e-6 / ROW;
          to.await();
          millis[i] = from.nanosTo(to) * 1e-6 / ROW;
        }
      }
    }
    job().compare();
    return String.format(
        Locale.ROOT,
        "{\"begun\":%s,\"ended\":%s,\"rows\":%s,\"rowsByHost\":%s}",
        Arrays.toString(begun),
        Arrays.toString(ended),
        list(millis),
        list(byHost));
  }

  private static String list(double[] numbers) {
    return Arrays.stream(numbers)
        .mapToObj(number -> String.format(Locale.ROOT, "%.6f", number))
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Override
  public void close() {
    if (job != null) {
      job.close();
      job = null;
    }
  }
}
