package dev.stretto.driver.virtual;

/** A point of a graph's launch: its beginning, its end, or a node that does nothing. */
final class GraphOp extends Op {
  private final String what;
  private final long submitNanos;
  private final boolean end;

  /**
   * A point.
   *
   * @param what it is, for a report
   * @param submitNanos host time of the call that enqueues it
   */
  GraphOp(StreamQueue stream, String what, long submitNanos) {
    super(stream);
    this.what = what;
    this.submitNanos = submitNanos;
    this.end = false;
  }

  /** The end of a launch, on the same stream as its beginning. */
  GraphOp(GraphOp begin) {
    super(begin.stream());
    this.what = "end of the " + begin.what;
    this.submitNanos = 0;
    this.end = true;
  }

  /** {@return whether it ends what another one began on its stream} */
  boolean isEnd() {
    return end;
  }

  long submitNanos() {
    return submitNanos;
  }

  @Override
  Engine engine() {
    return Engine.NONE;
  }

  @Override
  long length() {
    return 1;
  }

  @Override
  void run(long from, long to) {}

  @Override
  String describe() {
    return what;
  }
}
