package dev.stretto.kernel.machine;

/**
 * How often the threads of a launch have looked in vain for what others do, and how long a launch
 * pauses in which all threads do so.
 */
final class VainLooks {
  /** How often each thread may look in vain before another cluster begins or the launch pauses. */
  private static final int LOOKS = 2;

  private static final int FEW_LOOKS = 8;
  private static final long SHORTEST_PAUSE_NANOS = 20_000;
  private static final long LONG_PAUSE_NANOS = 1_000_000;

  /** The longest pause of a launch that has looked in vain for seconds. */
  private static final long LONGEST_PAUSE_NANOS = 50_000_000;

  /** A long pause is at most this part, as a divisor, of the time that threads looked in vain. */
  private static final int PART_OF_WAIT = 16;

  /**
   * How often threads that look for something may pass barriers and the like before that counts for
   * nothing: they may do so together between two looks.
   */
  private static final int MOST_PASSES = 100_000;

  private int looks;
  private int passes;
  private long moves;
  private long changes;
  private long movesBefore;

  /** How many moves there were when {@link #hasMoved} was asked last. */
  private long movesAsked = -1;

  private long rounds;
  private long pauseNanos = SHORTEST_PAUSE_NANOS;
  private long vainSince;

  /** Notes that threads have looked for something. */
  void look(int threads) {
    if (movesBefore != moves) {
      movesBefore = moves;
      looks = 0;
      pauseNanos = SHORTEST_PAUSE_NANOS;
    }
    looks += threads;
  }

  /** Notes that something has changed that threads may look for. */
  void changes() {
    changes++;
    moves++;
    passes = 0;
  }

  /** Notes that a thread has got on. */
  void moves() {
    moves++;
  }

  /** Notes that threads that look for something have got past a barrier, or have returned. */
  void passes() {
    if (passes < MOST_PASSES) {
      passes++;
      moves++;
    } else {
      pauseNanos = SHORTEST_PAUSE_NANOS;
    }
  }

  /** Whether such threads have got past barriers often, and nothing else has changed. */
  boolean areDue() {
    return passes == MOST_PASSES;
  }

  /** {@return a number that grows whenever something has changed that threads may look for} */
  long changeCount() {
    return changes;
  }

  /** Whether each of some threads has looked in vain a few times. */
  boolean areMany(int threads) {
    return movesBefore == moves && (areDue() || looks > LOOKS * threads + FEW_LOOKS);
  }

  /**
   * Notes that all threads have looked since the last move. Each has to look again before that is
   * true again.
   */
  void allLookedInVain() {
    rounds++;
    looks = 0;
  }

  /** {@return whether anything has moved since this was asked last} */
  boolean hasMoved() {
    boolean moved = movesAsked != moves;
    movesAsked = moves;
    return moved;
  }

  /** {@return a number that grows with each move and each round of looks in vain} */
  long roundCount() {
    return rounds + moves;
  }

  /** Begins to count anew. */
  void restart() {
    looks = 0;
  }

  /** {@return for how long to pause now: longer and longer as long as nothing changes} */
  long nextPauseNanos() {
    long now = System.nanoTime();
    long pause = pauseNanos;
    if (pause == SHORTEST_PAUSE_NANOS) {
      vainSince = now;
    }
    long longest =
        Math.clamp((now - vainSince) / PART_OF_WAIT, LONG_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
    pauseNanos = Math.min(2 * pause, longest);
    return pause;
  }
}
