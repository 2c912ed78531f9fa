package dev.stretto.driver.virtual;

/**
 * Bounds how often something that can happen is passed over, so that a program ends which awaits
 * other work in a loop until that has happened. Few programs are long enough to meet the bound.
 * What starves then gets one turn after the other ever sooner, until nothing starves any more.
 */
final class Starvation {
  private static final int MOST_TURNS = 1 << 12;

  private int patience = MOST_TURNS;
  private long turn;
  private long lastEnd;

  /**
   * {@return the index of what has been passed over too often, or -1} Called once for each turn.
   */
  int end(Ready ready) {
    turn++;
    if (turn - lastEnd > MOST_TURNS) {
      patience = MOST_TURNS;
    }
    int oldest = -1;
    long since = Long.MAX_VALUE;
    for (int i = 0; i < ready.size(); i++) {
      Step step = ready.get(i);
      if (!step.isOver() && step.readySince(turn) < since) {
        oldest = i;
        since = step.readySince(turn);
      }
    }
    if (oldest < 0 || turn - since < patience) {
      return -1;
    }
    patience = Math.max(1, patience / 2);
    lastEnd = turn;
    return oldest;
  }

  /** Notes that it is something's turn. */
  void hasTurn(Step step) {
    step.readyAnew();
  }
}
