package dev.stretto.route;

import dev.stretto.driver.GraphPlan;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A part of a graph's launch. Parts run one after the other. */
public sealed interface GraphStage {
  /**
   * A part that the driver runs as one graph.
   *
   * @param plan the plan of that graph
   */
  record OnDevice(GraphPlan plan) implements GraphStage {}

  /**
   * A callback, which runs on a host thread.
   *
   * @param body what to run
   * @param executor runs it; null for a virtual thread of its own
   */
  record OnHost(Runnable body, @Nullable Executor executor) implements GraphStage {}
}
