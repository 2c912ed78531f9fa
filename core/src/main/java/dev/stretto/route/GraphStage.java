package dev.stretto.route;

import dev.stretto.driver.GraphPlan;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** A part of a graph's launch; one comes after the other. */
public sealed interface GraphStage {
  /**
   * What the driver does in one go.
   *
   * @param plan a graph of the driver's
   */
  record OnDevice(GraphPlan plan) implements GraphStage {}

  /**
   * A callback, which no thread of the driver's runs.
   *
   * @param body what to run
   * @param executor where; null for a virtual thread of its own
   */
  record OnHost(Runnable body, @Nullable Executor executor) implements GraphStage {}
}
