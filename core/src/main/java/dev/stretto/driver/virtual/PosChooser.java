package dev.stretto.driver.virtual;

import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Partial-order sampling (Yuan, Yang and Gu, 2018): each operation that can happen has a priority,
 * and the highest one happens. Those that touch the same bytes get new priorities then, so that
 * each order of two that meet is as likely as the other, whatever else happens.
 */
final class PosChooser implements Chooser {
  private final SplittableRandom random;
  private double programsRank;

  PosChooser(SplittableRandom random) {
    this.random = random;
    this.programsRank = random.nextDouble();
  }

  @Override
  public int choose(Ready ready, @Nullable OpName within) {
    int best = within == null ? 0 : PROGRAM;
    double highest = within == null ? -1 : programsRank;
    for (int i = 0; i < ready.size(); i++) {
      Step step = ready.get(i);
      if (!step.isOver() && step.rank(random) > highest) {
        best = i;
        highest = step.rank(random);
      }
    }
    if (best == PROGRAM) {
      programsRank = random.nextDouble();
    } else {
      drawAnew(ready, ready.get(best));
    }
    return best;
  }

  private void drawAnew(Ready ready, Step chosen) {
    for (int i = 0; i < ready.size(); i++) {
      Step step = ready.get(i);
      if (step == chosen || step.meets(chosen)) {
        step.forgetRank();
      }
    }
  }
}
