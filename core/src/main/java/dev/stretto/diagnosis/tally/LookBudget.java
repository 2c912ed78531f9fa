package dev.stretto.diagnosis.tally;

/**
 * Bounds what looks at the stack take of a program's time: after one that need not be, none for
 * {@value #SHARE} times as long as it took. Looks are slow in code that is not compiled yet, and
 * programs have many streams.
 */
final class LookBudget {
  private static final int SHARE = 64;

  private volatile long next = System.nanoTime();

  /** {@return whether there may be another look now} */
  boolean allows(long now) {
    return now - next >= 0;
  }

  /** Notes a look. */
  void spent(long begin, long end) {
    next = end + Math.min(SHARE * (end - begin), KnownPlaces.MOST_TRUST_NANOS);
  }
}
