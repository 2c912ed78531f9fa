package dev.stretto.kernel;

/**
 * How the threads of a pipeline meet: those of a warp or tile in which each produces and consumes
 * meet at little cost when they commit and release a stage. Others do not meet.
 */
final class PipelineLanes {
  private final Warp warp;
  private final int members;
  private final boolean meeting;
  private final int rank;

  private PipelineLanes(Warp warp, int members, boolean meeting, int rank) {
    this.warp = warp;
    this.members = members;
    this.meeting = meeting;
    this.rank = rank;
  }

  /** Threads that do not meet. */
  static PipelineLanes apart(Warp warp) {
    return new PipelineLanes(warp, 0, false, 0);
  }

  /**
   * The lanes of a warp or tile.
   *
   * @param rank the thread's number among them
   */
  static PipelineLanes of(Warp warp, int members, int rank) {
    return new PipelineLanes(warp, members, true, rank);
  }

  boolean doMeet() {
    return meeting;
  }

  boolean isFirst() {
    return rank == 0;
  }

  /** Waits until all have called it, if they meet. */
  void meet() {
    if (meeting) {
      warp.meet(members);
    }
  }

  /** Waits until all leave, if they meet. */
  void leave() {
    if (meeting) {
      warp.quit(members);
    }
  }
}
