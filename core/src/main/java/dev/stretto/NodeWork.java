package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.route.Resource;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/** What a node of a graph does, and what it uses. Values. */
sealed interface NodeWork {
  GraphNode.Kind kind();

  /** In a few words, with the numbers. */
  String label();

  /**
   * Something that the driver does.
   *
   * @param work in its terms
   * @param used everything that has to stay for it
   * @param launch what it was made of, if it is a launch; nobody else's
   */
  record OnDevice(
      GraphNode.Kind kind,
      String label,
      GraphWork work,
      List<Resource> used,
      @Nullable Launch launch)
      implements NodeWork {}

  /**
   * A callback.
   *
   * @param executor where it runs; null for a virtual thread of its own
   */
  record OnHost(Runnable body, @Nullable Executor executor) implements NodeWork {
    @Override
    public GraphNode.Kind kind() {
      return GraphNode.Kind.HOST;
    }

    @Override
    public String label() {
      return "callback";
    }
  }

  /**
   * Another graph as it was when it became a node.
   *
   * @param steps its nodes
   */
  record Child(List<Step> steps) implements NodeWork {
    @Override
    public GraphNode.Kind kind() {
      return GraphNode.Kind.CHILD;
    }

    @Override
    public String label() {
      return "graph of " + steps.size() + " nodes";
    }

    boolean callsBack() {
      return steps.stream()
          .anyMatch(
              step ->
                  step.work instanceof OnHost
                      || (step.work instanceof Child child && child.callsBack()));
    }
  }

  /**
   * A node of a graph that is a node.
   *
   * @param after numbers of earlier steps
   */
  record Step(NodeWork work, List<Integer> after) {}
}
