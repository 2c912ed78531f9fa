package dev.stretto.kernel.machine;

/**
 * Where a launch on a seeded device leaves off, so that other operations happen in the midst of it:
 * at most twice, as a large copy has at most three pieces.
 */
final class Tears {
  private static final int MOST = 2;

  /** The longest piece but the last has so many turns, as a power of two. */
  private static final int LONGEST_LOG = 8;

  private final TurnOrder turns;
  private int left;
  private int until;

  Tears(TurnOrder turns) {
    this.turns = turns;
    this.left = turns.pick(MOST + 1);
    draw();
  }

  private void draw() {
    until = left == 0 ? 0 : 1 + turns.pick(1 << turns.pick(LONGEST_LOG));
  }

  /** {@return whether the launch leaves off after one more turn} */
  boolean isNow() {
    if (left == 0 || --until > 0) {
      return false;
    }
    left--;
    draw();
    return true;
  }
}
