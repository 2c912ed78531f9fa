package dev.stretto.driver.virtual;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A family of schedules. A seed stands for one schedule of its family. */
public enum Schedule {
  /**
   * Everything that can happen is equally likely to happen next, and nothing happens unless the
   * program waits.
   */
  QUIET("quiet", 0),
  /** Everything that can happen is equally likely to happen next. */
  UNIFORM("uniform", 0),
  /** Probabilistic concurrency testing: streams have priorities, which never change. */
  PCT1("pct1", 1),
  /** The same, with one change of priorities. */
  PCT2("pct2", 2),
  /** The same, with two changes. */
  PCT3("pct3", 3),
  /** The same, with three changes. */
  PCT4("pct4", 4),
  /** The same, with four changes. */
  PCT5("pct5", 5),
  /** Partial-order sampling: operations have priorities, drawn anew where they touch the same. */
  POS("pos", 0),
  /**
   * Two seeds in a row for each of the others, in turn, {@link #PCT1} four times: the starvation of
   * one stream shows most races, and each change of priorities may end it.
   */
  ROTATE("rotate", 0);

  private static final List<Schedule> TURNS =
      List.of(UNIFORM, PCT1, POS, PCT1, PCT2, PCT1, PCT3, PCT1, PCT4, PCT5);

  private final String word;
  private final int depth;

  Schedule(String word, int depth) {
    this.word = word;
    this.depth = depth;
  }

  /** {@return the word that names it} */
  public String word() {
    return word;
  }

  /** {@return the family that a word names, or null} */
  static @Nullable Schedule named(String word) {
    for (Schedule any : values()) {
      if (any.word.equals(word)) {
        return any;
      }
    }
    return null;
  }

  /** {@return all words, for messages} */
  static String words() {
    return Arrays.stream(values()).map(Schedule::word).collect(Collectors.joining(", "));
  }

  /** {@return the family of a seed's schedule} */
  public Schedule of(long seed) {
    return this == ROTATE ? TURNS.get(Math.floorMod(Math.floorDiv(seed, 2), TURNS.size())) : this;
  }

  /**
   * {@return whether device work may also advance within the calls that enqueue: under even seeds
   * of a single family} Under others it advances only while the program waits.
   */
  boolean advancesWithinCalls(long seed) {
    return this != ROTATE && this != QUIET && seed % 2 == 0;
  }

  /** {@return what chooses under a seed} */
  Chooser chooser(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Schedule family = of(seed);
    return switch (family) {
      case POS -> new PosChooser(random);
      case PCT1, PCT2, PCT3, PCT4, PCT5 -> new PctChooser(family.depth, random);
      case QUIET, UNIFORM, ROTATE -> new UniformChooser(random);
    };
  }
}
