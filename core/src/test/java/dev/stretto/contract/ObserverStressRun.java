package dev.stretto.contract;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * Everybody who looks, at once, over threads that do everything: a diagnosis, the Flight Recorder,
 * a timeline and a program's own observer, beside batches, single copies, graphs, callbacks,
 * streams that come and go, and devices that are lost or closed: {@code ObserverStressRun MINUTES
 * MACHINE [SEED]}, {@code ObserverStressRun 10 virtual}, {@code ObserverStressRun 10
 * virtual:h200,seed=1}, which takes another seed in each round. It fails if a result is wrong, if
 * anything is thrown that no loss explains, and if nothing goes on for half a minute: then it says
 * where all threads stand.
 */
public final class ObserverStressRun {
  private static final long MINUTE = 60_000_000_000L;
  private static final long STALL_NANOS = 30_000_000_000L;
  private static final long POLL_MILLIS = 100;
  private static final long RECORDING_BYTES = 32L << 20;
  private static final String[] EVENTS = {"Copy", "Launch", "Wait", "Allocation", "Finding"};

  private static final Logger LOGGER = Logger.getLogger("dev.stretto");

  private final Machine machine;
  private final long seed;
  private final int rounds;
  private final long end;
  private final StressTally tally = new StressTally();
  private long flights;

  private ObserverStressRun(Machine machine, long seed, int rounds, long nanos) {
    this.machine = machine;
    this.seed = seed;
    this.rounds = rounds;
    this.end = System.nanoTime() + nanos;
  }

  /**
   * Runs.
   *
   * @param arguments minutes, machine, and the seed of the first round if it is not to be a new one
   */
  public static void main(String... arguments) throws Exception {
    double minutes = Double.parseDouble(arguments[0]);
    long seed = arguments.length > 2 ? Long.parseLong(arguments[2]) : System.nanoTime() % 1_000_000;
    try {
      System.out.println(run(new Machine(arguments[1]), seed, 1, (long) (minutes * MINUTE)));
      System.exit(0);
    } catch (AssertionError e) {
      e.printStackTrace(System.out);
      System.out.flush();
      System.exit(1); // what stands still never comes to its end
    }
  }

  /**
   * Runs for a while, and so many rounds at least.
   *
   * @return what was done, in a line
   * @throws AssertionError if anything is wrong or nothing goes on
   */
  static String run(Machine machine, long seed, int rounds, long nanos) throws Exception {
    return new ObserverStressRun(machine, seed, rounds, nanos).run();
  }

  private String run() throws Exception {
    Level level = LOGGER.getLevel();
    LOGGER.setLevel(Level.OFF); // of lost and closed devices, thousands of times
    try {
      return recorded();
    } finally {
      LOGGER.setLevel(level);
    }
  }

  private String recorded() throws Exception {
    long begin = System.nanoTime();
    Path file = Files.createTempFile("stretto-stress", ".jfr");
    try (Recording recording = new Recording()) {
      for (String event : EVENTS) {
        recording.enable("dev.stretto." + event).withoutThreshold();
      }
      recording.setToDisk(true);
      recording.setMaxSize(RECORDING_BYTES);
      recording.start();
      watched();
      recording.stop();
      recording.dump(file);
    } finally {
      flights = flightsIn(file);
      Files.delete(file);
    }
    tally.requireEverythingSeen(flights);
    return "%s, from seed %d on: %s, %,d events of the Flight Recorder kept, in %.1f minutes: no stop"
        .formatted(machine, seed, tally, flights, (System.nanoTime() - begin) / (double) MINUTE);
  }

  private static long flightsIn(Path file) throws IOException {
    long count = 0;
    if (Files.size(file) > 0) {
      try (RecordingFile recorded = new RecordingFile(file)) {
        while (recorded.hasMoreEvents()) {
          count += recorded.readEvent().getEventType().getName().startsWith("dev.stretto.") ? 1 : 0;
        }
      }
    }
    return count;
  }

  /** Runs the rounds in a thread of their own, and looks whether they go on. */
  private void watched() throws InterruptedException {
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Thread rounds =
        Thread.ofPlatform()
            .daemon()
            .name("stress")
            .start(
                () -> {
                  try {
                    rounds();
                  } catch (Throwable e) {
                    failed.set(e);
                  }
                });
    long seen = -1;
    long since = System.nanoTime();
    while (!rounds.join(Duration.ofMillis(POLL_MILLIS))) {
      long now = tally.progress();
      if (now != seen) {
        seen = now;
        since = System.nanoTime();
      } else if (System.nanoTime() - since > STALL_NANOS) {
        throw new AssertionError("nothing has gone on for 30 s: " + tally + "\n" + threads());
      }
    }
    if (failed.get() != null) {
      throw new AssertionError(tally + ": " + failed.get(), failed.get());
    }
  }

  private void rounds() throws Exception {
    long round = seed;
    do {
      Machine next =
          machine.isSeeded()
              ? new Machine(machine.name().replaceAll("seed=[0-9]+", "seed=" + round))
              : machine;
      new StressRound(next, round, tally).run();
      round++;
    } while (round < seed + rounds || System.nanoTime() < end);
  }

  /** Where every thread stands, which monitors it has, and who stands in whose way. */
  private static String threads() {
    ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    long[] deadlocked = bean.findDeadlockedThreads();
    return "deadlocked: "
        + (deadlocked == null ? "none" : Arrays.toString(deadlocked))
        + "\n"
        + Arrays.stream(bean.dumpAllThreads(true, true))
            .map(ObserverStressRun::whole)
            .collect(Collectors.joining());
  }

  /** A thread with all its frames: its own text has eight. */
  private static String whole(ThreadInfo thread) {
    StringBuilder text = new StringBuilder(thread.toString().lines().findFirst().orElse(""));
    for (StackTraceElement frame : thread.getStackTrace()) {
      text.append("\n\tat ").append(frame);
    }
    Arrays.stream(thread.getLockedMonitors())
        .forEach(monitor -> text.append("\n\thas ").append(monitor));
    return text.append("\n").toString();
  }
}
