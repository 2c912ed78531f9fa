package dev.stretto.driver.virtual;

import java.util.SplittableRandom;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Probabilistic concurrency testing (Burckhardt and others, 2010). Streams, tasks and the program
 * have priorities, and the highest one that can go on does. At d - 1 points the one whose turn it
 * is goes below all others. So a stream may starve for as long as most programs run, which chance
 * at each choice would never allow. {@link Starvation} says when that ends.
 *
 * <p>Half of the seeds draw the priorities at random, as the paper does, so its bound holds up to
 * that factor. The bound falls with the number of streams. Therefore three in eight prefer what was
 * enqueued last (what is old starves) and one in eight what was enqueued first. In half of those
 * with priorities drawn at random, the host's tasks have one together. The length of the run is
 * unknown, so the points lie within a length that is drawn too.
 */
final class PctChooser implements Chooser {
  private enum Start {
    RANDOM,
    NEWEST_FIRST,
    OLDEST_FIRST
  }

  private static final int SHORTEST_LOG = 2;
  private static final int LONGEST_LOG = 9;

  private final SplittableRandom random;
  private final Start start;
  private final Starvation starvation = new Starvation();
  private final TreeSet<Integer> changes = new TreeSet<>();
  private final double programsRank;

  /** The priority of all tasks, or negative if each has its own. */
  private final double tasksRank;

  private int programsFall;
  private int falls;
  private int choices;

  PctChooser(int depth, SplittableRandom random) {
    this.random = random;
    this.start =
        switch (random.nextInt(8)) {
          case 0, 1, 2 -> Start.NEWEST_FIRST;
          case 3 -> Start.OLDEST_FIRST;
          default -> Start.RANDOM;
        };
    this.programsRank =
        start == Start.RANDOM
            ? random.nextDouble()
            : random.nextInt(4) > 0 ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY;
    this.tasksRank = random.nextBoolean() ? random.nextDouble() : -1;
    int length = 1 << random.nextInt(SHORTEST_LOG, LONGEST_LOG + 1);
    while (changes.size() < Math.min(depth - 1, length)) {
      changes.add(1 + random.nextInt(length));
    }
  }

  @Override
  public int choose(Ready ready, @Nullable OpName within) {
    int starving = starvation.end(ready);
    int best = starving >= 0 ? starving : highest(ready, within);
    if (isChoice(ready, within) && changes.remove(++choices)) {
      fall(ready, best);
      best = highest(ready, within);
    }
    if (best != PROGRAM) {
      starvation.hasTurn(ready.get(best));
    }
    return best;
  }

  private static boolean isChoice(Ready ready, @Nullable OpName within) {
    return ready.size() + (within == null ? 0 : 1) > 1;
  }

  private void fall(Ready ready, int index) {
    falls++;
    if (index == PROGRAM) {
      programsFall = falls;
    } else {
      ready.get(index).actor().falls(falls);
    }
  }

  private int highest(Ready ready, @Nullable OpName within) {
    int best = within == null ? 0 : PROGRAM;
    int leastFall = within == null ? Integer.MAX_VALUE : programsFall;
    double highest = within == null ? Double.NEGATIVE_INFINITY : programsRank;
    for (int i = 0; i < ready.size(); i++) {
      Step step = ready.get(i);
      if (step.isOver()) {
        continue;
      }
      int fall = step.actor().fallen();
      double rank = rank(step);
      if (fall < leastFall || (fall == leastFall && rank > highest)) {
        best = i;
        leastFall = fall;
        highest = rank;
      }
    }
    return best;
  }

  private double rank(Step step) {
    return switch (start) {
      case RANDOM -> step.op() == null && tasksRank >= 0 ? tasksRank : step.actor().rank(random);
      case NEWEST_FIRST -> step.sequence();
      case OLDEST_FIRST -> -step.sequence();
    };
  }
}
