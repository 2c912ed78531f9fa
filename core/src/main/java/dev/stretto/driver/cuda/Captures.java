package dev.stretto.driver.cuda;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.GraphWork;
import java.util.function.LongConsumer;

/**
 * What other libraries enqueue, as parts of graphs: CUDA captures it on a stream of its own, which
 * nothing else uses.
 */
final class Captures {
  /**
   * {@code CU_STREAM_CAPTURE_MODE_RELAXED}. In the other modes the thread that has begun a capture
   * has to end it, and a virtual thread may be on another carrier by then; calls of the library
   * that allocate memory would fail; and in the global mode so would those of all other threads.
   */
  private static final int RELAXED = 2;

  private final Context context;
  private final Health health;
  private final Streams streams;

  Captures(Context context, Health health, Streams streams) {
    this.context = context;
    this.health = health;
    this.streams = streams;
  }

  GraphWork.Captured capture(LongConsumer work) {
    health.require();
    long stream = streams.create(0);
    long graph;
    try {
      context.run(
          _ -> GraphCalls.beginCapture(stream, RELAXED),
          code -> health.failure(code, "cuStreamBeginCapture", ""));
      graph = captured(stream, work);
    } finally {
      int _ = StreamCalls.destroy(stream); // of a failure, the reason counts
    }
    boolean isFit = false;
    try {
      tryAsPart(graph);
      GraphWork.Captured made = new GraphWork.Captured(graph, count(graph));
      isFit = true;
      return made;
    } finally {
      if (!isFit) {
        int _ = GraphCalls.destroy(graph);
      }
    }
  }

  private long captured(long stream, LongConsumer work) {
    boolean isDone = false;
    try {
      work.accept(stream);
      isDone = true;
    } finally {
      if (!isDone) {
        abandon(stream);
      }
    }
    return context.obtain(
        scratch -> GraphCalls.endCapture(stream, scratch.at(Scratch.OUT)),
        code -> health.failure(code, "cuStreamEndCapture", ""));
  }

  /** Ends a capture that has failed, and may have been broken off by CUDA already. */
  private void abandon(long stream) {
    try {
      long graph =
          context.obtain(
              scratch -> {
                scratch.write(Scratch.OUT, 0);
                int _ = GraphCalls.endCapture(stream, scratch.at(Scratch.OUT));
                return 0;
              },
              code -> health.failure(code, "cuStreamEndCapture", ""));
      if (graph != 0) {
        int _ = GraphCalls.destroy(graph);
      }
    } catch (DriverException _) { // the context is gone; the failure itself is more telling
      return;
    }
  }

  /**
   * Makes it a part of a graph once, so that the refusal comes here and not when the program's
   * graph is made. CUDA Driver API, {@code cuGraphAddChildGraphNode}: not if it allocates or frees
   * memory, or decides by itself.
   */
  private void tryAsPart(long child) {
    long whole =
        context.obtain(
            scratch -> GraphCalls.create(scratch.at(Scratch.OUT)),
            code -> health.failure(code, "cuGraphCreate", ""));
    try {
      context.run(
          scratch -> GraphCalls.addChild(scratch.at(Scratch.OUT), whole, 0, 0, child),
          code -> health.failure(code, "cuGraphAddChildGraphNode", ""));
    } finally {
      int _ = GraphCalls.destroy(whole);
    }
  }

  private long count(long graph) {
    return context.obtain(
        scratch -> GraphCalls.count(graph, scratch.at(Scratch.OUT)),
        code -> health.failure(code, "cuGraphGetNodes", ""));
  }

  void destroy(GraphWork.Captured captured) {
    health.require(captured.handle(), "captured work");
    int result = GraphCalls.destroy(captured.handle());
    if (result != 0) {
      throw health.failure(result, "cuGraphDestroy", "");
    }
  }
}
