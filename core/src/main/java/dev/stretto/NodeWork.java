package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.HostStep;
import dev.stretto.route.Resource;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The operation of a graph's node, and the resources that it uses. Immutable values. */
sealed interface NodeWork {
  GraphNode.Kind kind();

  /** A short description, with the numbers. */
  String label();

  /** {@return whether a body of a conditional node cannot have such an operation} */
  static boolean isUnfitForBody(GraphNode.Kind kind) {
    return switch (kind) {
      case HOST, CALL, RECORD, WAIT, WRITE_VALUE, WAIT_VALUE -> true;
      default -> false;
    };
  }

  /**
   * An operation of the driver.
   *
   * @param engine the device that does it, whatever the graph's device; null if it is the graph's
   * @param work the operation in the driver's terms
   * @param used all resources that have to stay open for it
   * @param launch the launch that it was made from, if any; used by this node only
   * @param uses the memory that it accesses; nothing for a launch, which is asked
   */
  record OnDevice(
      @Nullable DeviceRuntime engine,
      GraphNode.Kind kind,
      String label,
      GraphWork work,
      List<Resource> used,
      @Nullable Launch launch,
      List<NodeUse> uses)
      implements NodeWork {}

  /**
   * A callback, or a step of Stretto itself.
   *
   * @param executor where it runs; null for a new virtual thread
   * @param used all resources that have to stay open for it
   * @param uses the memory that it is known to access
   */
  record OnHost(Runnable body, @Nullable Executor executor, List<Resource> used, List<NodeUse> uses)
      implements NodeWork {
    /** Makes a callback of which nothing is known. */
    OnHost(Runnable body, @Nullable Executor executor) {
      this(body, executor, List.of(), List.of());
    }

    @Override
    public GraphNode.Kind kind() {
      return body instanceof HostStep ? GraphNode.Kind.CALL : GraphNode.Kind.HOST;
    }

    @Override
    public String label() {
      return body instanceof HostStep ? "operation of a communicator" : "callback";
    }

    /** {@return the same with another callback} */
    OnHost with(Runnable other) {
      return new OnHost(other, executor, used, uses);
    }
  }

  /**
   * Another graph, in its state when it became a node.
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

    /** {@return a node that is not allowed in the body of a conditional node, or null} */
    @Nullable Step unfitForBody() {
      for (Step step : steps) {
        Step unfit = step.work instanceof Child child ? child.unfitForBody() : null;
        if (isUnfitForBody(step.work.kind())) {
          unfit = step;
        }
        if (unfit != null) {
          return unfit;
        }
      }
      return null;
    }
  }

  /**
   * A node that does nothing, in place of an operation, until it is switched on.
   *
   * @param on the operation
   */
  record Off(OnDevice on) implements NodeWork {
    @Override
    public GraphNode.Kind kind() {
      return on.kind;
    }

    @Override
    public String label() {
      return on.label + ", switched off";
    }
  }

  /**
   * A choice or a loop: an int in device memory decides which body runs, and how often.
   *
   * @param condition the device address of the int
   * @param bodies the nodes of each body
   * @param used the memory that holds the int
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
   * A node of a child graph or of a body.
   *
   * @param after the numbers of the earlier steps that it comes after
   * @param place the line of the program that made it
   */
  record Step(NodeWork work, List<Integer> after, StackTraceElement place) {
    Step with(NodeWork other) {
      return new Step(other, after, place);
    }
  }
}
