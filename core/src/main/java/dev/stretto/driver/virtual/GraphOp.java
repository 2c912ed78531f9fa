package dev.stretto.driver.virtual;

import org.jspecify.annotations.Nullable;

/** A point of a graph's launch: its beginning, its end, or an empty node. */
final class GraphOp extends StreamOp {
  private final String what;
  private final long submitNanos;
  private final boolean end;
  private final @Nullable GraphOp upload;
  private volatile boolean over;

  /**
   * Creates a point.
   *
   * @param what a name of the point, for reports
   * @param submitNanos host time of the call that enqueues it
   */
  GraphOp(OpQueue stream, String what, long submitNanos) {
    this(stream, what, submitNanos, null);
  }

  /**
   * Creates the beginning of a launch.
   *
   * @param upload an upload of the graph; the program has to order it before the launch, because
   *     CUDA orders launches after launches but not after uploads
   */
  GraphOp(OpQueue stream, String what, long submitNanos, @Nullable GraphOp upload) {
    super(stream);
    this.what = what;
    this.submitNanos = submitNanos;
    this.end = false;
    this.upload = upload;
  }

  /** Creates the end of a launch, on the same stream as its beginning. */
  GraphOp(GraphOp begin) {
    super(begin.stream());
    this.what = "end of the " + begin.what;
    this.submitNanos = 0;
    this.end = true;
    this.upload = null;
  }

  /** {@return whether it is the end of a launch} */
  boolean isEnd() {
    return end;
  }

  long submitNanos() {
    return submitNanos;
  }

  @Override
  DeviceEngine engine() {
    return DeviceEngine.NONE;
  }

  @Override
  long length() {
    return 1;
  }

  @Override
  void run(long from, long to) {
    GraphOp before = upload;
    if (before != null && !before.over) {
      throw CudaResult.ILLEGAL_ADDRESS.of(
          "cuGraphLaunch",
          "the %s began while the graph was still being uploaded on another stream"
              .formatted(what));
    }
  }

  @Override
  void happen() {
    over = true;
  }

  @Override
  String describe() {
    return what;
  }
}
