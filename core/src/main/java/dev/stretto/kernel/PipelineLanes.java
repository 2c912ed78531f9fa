package dev.stretto.kernel;

/**
 * How the threads of a pipeline meet: those of a warp or tile in which each produces and consumes
 * meet at little cost when they commit and release a stage. Others do not meet.
 */
final class PipelineLanes {
  private final Warp warp;
  private final int members;
  private final boolean meeting;
  private final boolean first;

  private PipelineLanes(Warp warp, int members, boolean meeting, boolean first) {
    this.warp = warp;
    this.members = members;
    this.meeting = meeting;
    this.first = first;
  }

  /** Threads that do not meet. */
  static PipelineLanes apart(Warp warp) {
    return new PipelineLanes(warp, 0, false, false);
  }

  /**
   * The lanes of a warp or tile.
   *
   * @param first whether this thread is the first of them
   */
  static PipelineLanes of(Warp warp, int members, boolean first) {
    return new PipelineLanes(warp, members, true, first);
  }

  boolean doMeet() {
    return meeting;
  }

  boolean isFirst() {
    return first;
  }

  /** Waits until all have called it, if they meet. */
  void meet() {
    if (meeting) {
      warp.sync(members);
    }
  }

  /** Waits until all leave, if they meet. */
  void leave() {
    if (meeting) {
      warp.quit(members);
    }
  }
}
