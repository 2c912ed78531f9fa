package dev.stretto.schedule;

import dev.stretto.Device;
import dev.stretto.driver.virtual.Choice;
import dev.stretto.driver.virtual.VirtualConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program under the schedules of seeds, each on devices of its own.
 *
 * <pre>{@code
 * Explorer explorer = Explorer.of("h200");
 * Exploration found = explorer.explore(0, 200, program);
 * if (found.failing().isPresent()) {
 *   System.out.println(explorer.shrink(found.failing().get(), program).picture());
 * }
 * }</pre>
 */
public final class Explorer {
  /** One seed in so many runs twice. */
  private static final int TWICE_ONE_IN = 10;

  private static final int MOST_REPLAYS = 3000;
  private static final int MOST_FOR_ENDS = 1000;

  private final String words;

  private Explorer(String words) {
    this.words = words;
  }

  /**
   * {@return an explorer on such devices}
   *
   * @param name as for {@link Device#openAll(String)}, without a seed, such as {@code h200x2} or
   *     {@code virtual:h200}
   * @throws IllegalArgumentException if the name is not of this form, or has a seed
   */
  public static Explorer of(String name) {
    String words = ScheduledDriver.words(name);
    Explorer explorer = new Explorer(words.equals("virtual") ? "h200" : words);
    VirtualConfig _ = VirtualConfig.parse(explorer.under(0)); // refuses what is illegal, and seeds
    return explorer;
  }

  /**
   * Runs a program under one seed.
   *
   * @param seed the seed
   * @param program the program
   * @return how it ended
   */
  public Outcome run(long seed, Program program) {
    return run(ScheduledDriver.of(under(seed)), program);
  }

  /**
   * Runs a program as a trace says; see {@link ScheduledDriver#replaying} for a program that has
   * changed.
   *
   * @param trace the trace
   * @param program the program
   * @return how it ended
   */
  public Outcome replay(Trace trace, Program program) {
    return run(ScheduledDriver.replaying(trace), program);
  }

  private String under(long seed) {
    return words + ",seed=" + seed;
  }

  private static Outcome run(ScheduledDriver driver, Program program) {
    Objects.requireNonNull(program, "program");
    List<Device> devices = Device.openAll("virtual:" + driver.words(), _ -> driver);
    try {
      Throwable failure = failure(program, devices);
      return new Outcome(driver.trace(), driver.misfits(), Optional.ofNullable(failure));
    } finally {
      devices.forEach(Device::close);
    }
  }

  private static @Nullable Throwable failure(Program program, List<Device> devices) {
    try {
      program.run(devices);
      return null;
    } catch (Throwable e) { // an AssertionError, for example
      return e;
    }
  }

  /**
   * Runs a program under seeds until it fails. One seed in ten runs twice, to see whether it stands
   * for one schedule.
   *
   * @param first the first seed
   * @param seeds how many seeds
   * @param program the program
   * @return the first failure, if there was one
   * @throws IllegalArgumentException if the number of seeds is negative
   */
  public Exploration explore(long first, int seeds, Program program) {
    if (seeds < 0) {
      throw new IllegalArgumentException(seeds + " seeds");
    }
    List<String> differences = new ArrayList<>();
    for (int i = 0; i < seeds; i++) {
      Outcome outcome = run(first + i, program);
      if (i % TWICE_ONE_IN == 0) {
        difference(first + i, outcome, run(first + i, program)).ifPresent(differences::add);
      }
      if (outcome.failed()) {
        return new Exploration(i + 1, Optional.of(outcome), differences);
      }
    }
    return new Exploration(seeds, Optional.empty(), differences);
  }

  private static Optional<String> difference(long seed, Outcome one, Outcome other) {
    List<Choice> first = one.trace().choices();
    List<Choice> second = other.trace().choices();
    for (int i = 0; i < Math.min(first.size(), second.size()); i++) {
      if (!first.get(i).equals(second.get(i))) {
        return Optional.of(
            "seed %d: after %d choices, %s in one run and %s in the other"
                .formatted(seed, i, first.get(i).op(), second.get(i).op()));
      }
    }
    if (first.size() != second.size()) {
      return Optional.of(
          "seed %d: %d choices in one run and %d in the other"
              .formatted(seed, first.size(), second.size()));
    }
    return one.failed() == other.failed() && (!one.failed() || one.failedLike(other))
        ? Optional.empty()
        : Optional.of(
            "seed %d: the same choices, but one run ended with %s and the other with %s"
                .formatted(seed, end(one), end(other)));
  }

  private static String end(Outcome outcome) {
    return outcome.failure().map(Throwable::toString).orElse("success");
  }

  /**
   * Finds a short run that fails as another does: by the same class of exception, in as few turns
   * of streams as it can find; and the two operations whose order decides. The program runs up to
   * 4,000 times.
   *
   * @param failing a run that failed
   * @param program the program
   * @return the shortest run that was found, the given one if no shorter one was; and its ends
   * @throws IllegalArgumentException if the run has not failed
   */
  public Shrunk shrink(Outcome failing, Program program) {
    return shrink(failing, program, MOST_REPLAYS + MOST_FOR_ENDS);
  }

  /**
   * Finds a short run as above, and runs the program at most so often.
   *
   * @param failing a run that failed
   * @param program the program
   * @param runs how often the program may run; 1 or more
   * @return as above
   * @throws IllegalArgumentException if the run has not failed, or {@code runs} is not positive
   */
  public Shrunk shrink(Outcome failing, Program program, int runs) {
    Objects.requireNonNull(failing, "failing");
    Objects.requireNonNull(program, "program");
    if (!failing.failed()) {
      throw new IllegalArgumentException("a run that has not failed");
    }
    if (runs < 1) {
      throw new IllegalArgumentException(runs + " runs: at least 1 is needed");
    }
    int forEnds = Math.min(MOST_FOR_ENDS, runs / 4);
    Function<Trace, Outcome> replay = trace -> replay(trace, program);
    Shrinking shrinking = new Shrinking(failing, replay, runs - forEnds);
    Outcome shortest = shrinking.shortest();
    return new Shrunk(shortest, new RaceEnds(shortest, shrinking.known(), replay, forEnds).find());
  }
}
