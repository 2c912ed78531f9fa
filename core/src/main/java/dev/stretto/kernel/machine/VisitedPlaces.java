package dev.stretto.kernel.machine;

/**
 * Whether a thread looks at places again and again, or comes to new ones: who adds 0 to each
 * element of an array gets on, and who asks an element for a change does not. A place is remembered
 * that lies further and further back, as in Brent's search for a cycle.
 */
final class VisitedPlaces {
  private static final long NONE = -1;
  private static final int LONGEST = 1 << 30;

  private long anchor = NONE;
  private int steps;
  private int limit = 1;

  /** The launch's changes when the thread last came to a place again. */
  private long againSince = NONE;

  /** Called when a thread begins. */
  void begin() {
    anchor = NONE;
    steps = 0;
    limit = 1;
    againSince = NONE;
  }

  /**
   * {@return whether the thread has come to new places only, since anything has changed that it may
   * look for}
   *
   * @param place where it accesses memory now
   * @param changes a number that grows with each such change
   */
  boolean areNew(long place, long changes) {
    if (place == anchor) {
      againSince = changes;
    } else if (++steps == limit) {
      anchor = place;
      steps = 0;
      limit = Math.min(2 * limit, LONGEST);
    }
    return againSince != changes;
  }
}
