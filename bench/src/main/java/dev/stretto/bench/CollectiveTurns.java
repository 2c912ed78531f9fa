package dev.stretto.bench;

import dev.stretto.Device;
import dev.stretto.bench.CollectiveJob.Operation;
import dev.stretto.bench.options.Options;
import dev.stretto.bench.turns.Requests;
import dev.stretto.collective.Collective;
import dev.stretto.settings.Settings;
import java.io.PrintStream;
import java.io.Reader;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Measures collective operations on request. A request is a line, and so is the answer, a JSON
 * object. So another process can take turns with this one. {@code bench/py/nccl.py} takes the same
 * requests for NCCL:
 *
 * <ul>
 *   <li>{@code prepare broadcast|all-gather|all-to-all BYTES}: allocates the memory that the next
 *       requests are about, runs the operation and checks every word
 *   <li>{@code measure WARM-UPS OPERATIONS}: the median time of an operation, enqueued to awaited.
 *       The warm-ups come first and do not count. What the operations write is overwritten before
 *       and checked after.
 * </ul>
 *
 * <p>A request that fails is answered with {@code failed}.
 */
final class CollectiveTurns implements AutoCloseable {
  private final PeerBench bench;
  private final Collective collective;
  private @Nullable CollectiveJob job;

  private CollectiveTurns(PeerBench bench, Collective collective) {
    this.bench = bench;
    this.collective = collective;
  }

  /**
   * Answers requests until there are no more.
   *
   * @param arguments {@code [--devices NAMES]}: by name, separated by semicolons; every GPU by
   *     default
   * @param requests the requests
   * @param out receives the answers
   * @throws IllegalArgumentException if there is no such option, or there are fewer than two
   *     devices
   */
  static void run(List<String> arguments, Reader requests, PrintStream out) {
    Options options = Options.of(arguments, "--devices").withoutWords();
    // Otherwise the setting would follow Java's assertions, and the checks would be measured too.
    System.setProperty(Settings.CHECKED.name(), "false");
    List<Device> devices = PeerBenchmarks.open(options.text("--devices", ""));
    try {
      if (devices.size() < 2) {
        throw new IllegalArgumentException("needs two GPUs, has " + devices.size());
      }
      PeerBench bench = new PeerBench(devices, PeerSize.FULL, new Report(out));
      try (PeerBench.Access _ = bench.access(devices.size());
          Collective collective = Collective.of(devices);
          CollectiveTurns turns = new CollectiveTurns(bench, collective)) {
        Requests.answer(requests, out, turns::answer);
      }
    } finally {
      devices.forEach(Device::close);
    }
  }

  private String answer(String... words) {
    return switch (words[0]) {
      case "prepare" -> prepare(Operation.labelled(words[1]), Long.parseLong(words[2]));
      case "measure" -> measure(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
      default -> throw new IllegalArgumentException("no such request: " + words[0]);
    };
  }

  private String prepare(Operation operation, long bytes) {
    close();
    CollectiveJob next = new CollectiveJob(collective, operation, bytes);
    job = next;
    next.verify();
    return String.format(
        Locale.ROOT,
        "{\"operation\":\"%s\",\"devices\":%d,\"bytes\":%d}",
        operation.label(),
        next.devices(),
        next.bytes());
  }

  private String measure(int warmUps, int operations) {
    if (job == null) {
      throw new IllegalStateException("nothing is prepared");
    }
    job.destinations().forEach(Words::poison);
    double[] nanos = new double[operations];
    for (int i = -warmUps; i < operations; i++) {
      long begin = bench.now();
      job.run();
      if (i >= 0) {
        nanos[i] = bench.now() - begin;
      }
    }
    job.destinations().forEach(Words::compare);
    Arrays.sort(nanos);
    return String.format(Locale.ROOT, "{\"milliseconds\":%.6f}", nanos[operations / 2] * 1e-6);
  }

  @Override
  public void close() {
    if (job != null) {
      job.close();
      job = null;
    }
  }
}
