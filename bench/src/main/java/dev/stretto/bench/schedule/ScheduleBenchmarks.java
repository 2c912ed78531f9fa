package dev.stretto.bench.schedule;

import dev.stretto.Stream;
import dev.stretto.memory.GlobalInts;
import dev.stretto.schedule.Exploration;
import dev.stretto.schedule.Explorer;
import dev.stretto.schedule.Program;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Two measurements of the explorer, without a GPU. {@code rate}: schedules a second of a program of
 * 50 operations, on one core. {@code first-failure}: a table of how many schedules of each family a
 * bad program needs until it fails.
 */
public final class ScheduleBenchmarks {
  private static final List<String> FAMILIES =
      List.of("uniform", "pct1", "pct2", "pct3", "pct4", "pct5", "pos", "rotate");

  /** From how many different seeds on the search begins. */
  private static final int SEARCHES = 9;

  private static final int MOST_SCHEDULES = 1000;
  private static final int OPERATIONS = 50;
  private static final int WARM_UP = 5_000;
  private static final int MEASURED = 10_000;

  private ScheduleBenchmarks() {}

  /**
   * Runs them.
   *
   * @param words {@code rate}, {@code first-failure}, or nothing for both
   * @param out gets a line of JSON for each rate, and the table in Markdown
   */
  public static void run(List<String> words, PrintStream out) {
    if (words.isEmpty() || words.contains("rate")) {
      FAMILIES.forEach(family -> rate(family, out));
    }
    if (words.isEmpty() || words.contains("first-failure")) {
      firstFailures(out);
    }
  }

  private static void rate(String family, PrintStream out) {
    Explorer explorer = Explorer.of("h200,schedule=" + family);
    Program program = ScheduleBenchmarks::fiftyOperations;
    explorer.explore(0, WARM_UP, program);
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    final long cpu = threads.getCurrentThreadCpuTime();
    final long begin = System.nanoTime();
    for (int seed = 0; seed < MEASURED; seed++) {
      explorer.run(seed, program);
    }
    double wall = (System.nanoTime() - begin) / 1e9;
    double busy = (threads.getCurrentThreadCpuTime() - cpu) / 1e9;
    out.printf(
        Locale.ROOT,
        "{\"bench\":\"schedules\",\"schedule\":\"%s\",\"operations\":%d,\"perSecond\":%.0f,"
            + "\"perSecondOfTheThreadsCpuTime\":%.0f}%n",
        family,
        OPERATIONS,
        MEASURED / wall,
        MEASURED / busy);
  }

  /** Copies within the device and fills on four streams, with a wait for every fifth. */
  private static void fiftyOperations(List<dev.stretto.Device> devices) {
    try (Stream one = devices.getFirst().stream();
        Stream two = devices.getFirst().stream();
        Stream three = devices.getFirst().stream();
        Stream four = devices.getFirst().stream();
        GlobalInts x = devices.getFirst().allocateInts(64);
        GlobalInts y = devices.getFirst().allocateInts(64)) {
      List<Stream> streams = List.of(one, two, three, four);
      for (int i = 0; i < OPERATIONS; i++) {
        Stream stream = streams.get(i % 4);
        if (i % 5 == 4) {
          stream.waitFor(streams.get((i + 1) % 4).record());
        } else if (i % 2 == 0) {
          stream.fill(x, i);
        } else {
          stream.copy(x, y);
        }
      }
      streams.forEach(Stream::await);
    }
  }

  private static void firstFailures(PrintStream out) {
    out.println("| program | " + String.join(" | ", FAMILIES) + " |");
    out.println("|---" + "|--:".repeat(FAMILIES.size()) + "|");
    for (BadProgram program : BadProgram.values()) {
      StringBuilder row = new StringBuilder("| " + program.title() + " |");
      for (String family : FAMILIES) {
        row.append(' ').append(median(program, family)).append(" |");
      }
      out.println(row);
    }
  }

  private static String median(BadProgram program, String family) {
    Explorer explorer = Explorer.of("h200,schedule=" + family);
    int[] needed = new int[SEARCHES];
    for (int i = 0; i < SEARCHES; i++) {
      Exploration found = explorer.explore(1_000_000L * i, MOST_SCHEDULES, program::run);
      needed[i] = found.failing().isPresent() ? found.runs() : MOST_SCHEDULES + 1;
      found
          .failing()
          .flatMap(outcome -> outcome.failure())
          .filter(failure -> !(failure instanceof BadProgram.WrongResult))
          .ifPresent(
              failure -> {
                throw new AssertionError(program + " failed otherwise", failure);
              });
    }
    Arrays.sort(needed);
    int median = needed[SEARCHES / 2];
    return median > MOST_SCHEDULES ? "> " + MOST_SCHEDULES : String.valueOf(median);
  }
}
