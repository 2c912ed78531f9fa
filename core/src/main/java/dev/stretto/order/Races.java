package dev.stretto.order;

import dev.stretto.fault.RaceException;
import dev.stretto.settings.Settings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of races: {@code -Ddev.stretto.races} says whether they are thrown, logged, or
 * written to a file when the process ends. Those between the same two lines are one.
 */
final class Races {
  /** So many are kept; others are only counted. */
  private static final int MOST = 1 << 10;

  private static final String UNKNOWN =
      ". Nobody knows what the kernel does with its arrays: declare it by DeviceKernel.withUses";
  private static final String ADOPTED =
      ". Unless other code orders them, to which one of the streams belongs";

  private static final System.Logger LOG = System.getLogger("dev.stretto");

  private record Pair(
      @Nullable StackTraceElement first, @Nullable StackTraceElement second, String whyPossible) {
    boolean isPossible() {
      return !whyPossible.isEmpty();
    }
  }

  private static final class Tally {
    private final RaceException race;
    private long count = 1;

    Tally(RaceException race) {
      this.race = race;
    }
  }

  private final Map<Pair, Tally> found = new LinkedHashMap<>();
  private final String what;
  private long others;

  private Races(String what) {
    this.what = what;
  }

  /** {@return races that are thrown} */
  static Races thrown() {
    return new Races(Settings.THROWN);
  }

  /** {@return the races of this process, as its settings ask for} */
  static Races ofProcess() {
    Races races = new Races(Settings.RACES.value());
    if (!races.areThrown()) {
      Runtime.getRuntime().addShutdownHook(new Thread(races::end, "stretto races"));
    }
    return races;
  }

  /** Whether an operation that races is refused. */
  boolean areThrown() {
    return what.equals(Settings.THROWN);
  }

  /**
   * Notes a race. Unless races are thrown, not with a lock held: a logger may call foreign code.
   *
   * @throws RaceException if races are thrown and it is more than possible
   */
  void found(Found race) {
    Access first = race.first();
    Access second = race.second();
    boolean isPossible = first.isUnsure() || second.isUnsure();
    if (areThrown() && !isPossible) {
      throw Race.of(race);
    }
    String why = "";
    if (isPossible) {
      why = first.isOnAdopted() || second.isOnAdopted() ? ADOPTED : UNKNOWN;
    }
    Pair pair = new Pair(first.work().line(), second.work().line(), why);
    found(pair, () -> Race.of(race));
  }

  /**
   * Notes a race of which a copy's source tells. Not with a lock held.
   *
   * @throws RaceException if races are thrown
   */
  void found(RaceException race) {
    if (areThrown()) {
      throw race;
    }
    found(new Pair(race.first().orElse(null), race.second().orElse(null), ""), () -> race);
  }

  private void found(Pair pair, Supplier<RaceException> race) {
    Tally tally = count(pair, race);
    if (tally != null && (areThrown() || what.equals(Settings.LOGGED))) {
      LOG.log(System.Logger.Level.WARNING, message(pair, tally));
    }
  }

  private static String message(Pair pair, Tally tally) {
    String message = String.valueOf(tally.race.getMessage());
    return pair.isPossible() ? "possible " + message + pair.whyPossible : message;
  }

  /** {@return the first race between its lines; null if there was one} */
  private synchronized @Nullable Tally count(Pair pair, Supplier<RaceException> race) {
    Tally known = found.get(pair);
    if (known != null) {
      known.count++;
      return null;
    }
    if (found.size() == MOST) {
      others++;
      return null;
    }
    Tally first = new Tally(race.get());
    found.put(pair, first);
    return first;
  }

  private synchronized void end() {
    if (what.equals(Settings.LOGGED)) {
      found.forEach(
          (pair, tally) -> {
            if (tally.count > 1) {
              String text = "found %,d times: %s".formatted(tally.count, message(pair, tally));
              LOG.log(System.Logger.Level.WARNING, text);
            }
          });
      return;
    }
    StringBuilder lines = new StringBuilder();
    found.forEach((pair, tally) -> lines.append(line(pair, tally)));
    lines.append(
        "process\t%d\t%d\t%d%n".formatted(ProcessHandle.current().pid(), found.size(), others));
    try {
      Files.writeString(Path.of(what), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      System.err.println("stretto: the races cannot be written to " + what + ": " + e);
      System.err.print(lines);
    }
  }

  private static String line(Pair pair, Tally tally) {
    return "%s\t%d\t%s\t%s\t%s%n"
        .formatted(
            pair.isPossible() ? "possible" : "race",
            tally.count,
            pair.first == null ? "" : pair.first,
            pair.second == null ? "" : pair.second,
            message(pair, tally).replaceAll("\\s+", " "));
  }
}
