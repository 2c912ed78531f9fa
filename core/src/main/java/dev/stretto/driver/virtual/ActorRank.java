package dev.stretto.driver.virtual;

import java.util.SplittableRandom;

/** The priority of a stream or a task under a seed. */
final class ActorRank {
  private double rank = -1;
  private int fallen;

  /** {@return its priority, drawn when it is first needed} */
  double rank(SplittableRandom random) {
    if (rank < 0) {
      rank = random.nextDouble();
    }
    return rank;
  }

  /** {@return its last fall; 0 is above all who fell, and a later fall is lower} */
  int fallen() {
    return fallen;
  }

  void falls(int nth) {
    fallen = nth;
  }
}
