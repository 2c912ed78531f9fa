package dev.stretto.kernel;

/**
 * How the threads of a pipeline meet: those of a warp or tile in which each produces and consumes
 * meet at little cost when they commit and release a stage. Others do not meet.
 */
final class PipelineLanes {
  private final Warp warp;
  private final int members;
  private final int count;
  private final int rank;

  private PipelineLanes(Warp warp, int members, int count, int rank) {
    this.warp = warp;
    this.members = members;
    this.count = count;
    this.rank = rank;
  }

  /** Threads that do not meet. */
  static PipelineLanes apart(Warp warp) {
    return new PipelineLanes(warp, 0, -1, 0);
  }

  /**
   * The lanes of a warp or tile.
   *
   * @param count how many a whole warp or tile has
   * @param rank the thread's number among them
   */
  static PipelineLanes of(Warp warp, int members, int count, int rank) {
    return new PipelineLanes(warp, members, count, rank);
  }

  boolean doMeet() {
    return count > 0;
  }

  int count() {
    return count;
  }

  boolean isFirst() {
    return rank == 0;
  }

  /** Waits until all have called it, if they meet. */
  void meet() {
    if (doMeet()) {
      warp.meet(members);
    }
  }

  /** Waits until all leave, if they meet. */
  void leave() {
    if (doMeet()) {
      warp.quit(members);
    }
  }
}
