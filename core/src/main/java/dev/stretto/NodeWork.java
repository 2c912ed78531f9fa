package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.route.Resource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
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

    /** {@return whether it is taken apart in the graph that it is a node of} */
    boolean isTakenApart() {
      return steps.stream()
          .anyMatch(
              step ->
                  switch (step.work) {
                    case OnHost _, Conditional _ -> true;
                    case Child child -> child.isTakenApart();
                    case OnDevice _ -> false;
                  });
    }

    /** {@return a node that has no place in the body of a conditional node, or null} */
    @Nullable Step unfitForBody() {
      for (Step step : steps) {
        Step unfit =
            switch (step.work.kind()) {
              case HOST, RECORD, WAIT -> step;
              case CHILD -> ((Child) step.work).unfitForBody();
              default -> null;
            };
        if (unfit != null) {
          return unfit;
        }
      }
      return null;
    }
  }

  /**
   * Bodies, of which an int in device memory says which is done, and how often.
   *
   * @param condition device address of the int
   * @param bodies the nodes of each
   * @param used what the int lies in
   */
  record Conditional(GraphNode.Kind kind, long condition, List<List<Step>> bodies, Resource used)
      implements NodeWork {
    @Override
    public String label() {
      String sizes =
          bodies.stream().map(body -> body.size() + " nodes").collect(Collectors.joining(", "));
      return switch (kind) {
        case IF -> bodies.size() == 1 ? "if: " + sizes : "if, else: " + sizes;
        case WHILE -> "while: " + sizes;
        default -> "switch: " + sizes;
      };
    }

    GraphWork.Branching branching() {
      return switch (kind) {
        case IF -> GraphWork.Branching.IF;
        case WHILE -> GraphWork.Branching.WHILE;
        default -> GraphWork.Branching.SWITCH;
      };
    }
  }

  /**
   * A node of a graph that is a node, or of a body.
   *
   * @param after numbers of earlier steps
   * @param place the line of the program that made it
   */
  record Step(NodeWork work, List<Integer> after, StackTraceElement place) {}
}
