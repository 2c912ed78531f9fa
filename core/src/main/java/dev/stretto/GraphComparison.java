package dev.stretto;

import dev.stretto.driver.GraphChanges;
import dev.stretto.driver.GraphWork;
import dev.stretto.route.DeviceRuntime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares two graphs node by node: what one has to take over to do what the other one does. */
final class GraphComparison {
  private final List<GraphMisfit> misfits = new ArrayList<>();
  private final Map<GraphNode, NodeWork> changes = new LinkedHashMap<>();

  private final DeviceRuntime engine;

  private GraphComparison(DeviceRuntime engine) {
    this.engine = engine;
  }

  /**
   * {@return what the nodes of two graphs have in common}
   *
   * @param engine the device of both graphs
   */
  static GraphComparison of(DeviceRuntime engine, List<GraphNode> nodes, List<GraphNode> others) {
    GraphComparison comparison = new GraphComparison(engine);
    comparison.compare(nodes, others);
    return comparison;
  }

  /** {@return what does not fit} If there is anything, the changes are not complete. */
  List<GraphMisfit> misfits() {
    return List.copyOf(misfits);
  }

  /** {@return the new work of the nodes} */
  Map<GraphNode, NodeWork> changes() {
    return changes;
  }

  private void compare(List<GraphNode> nodes, List<GraphNode> others) {
    int both = Math.min(nodes.size(), others.size());
    for (int i = 0; i < both; i++) {
      compare(nodes.get(i), others.get(i));
    }
    for (GraphNode node : nodes.subList(both, nodes.size())) {
      misfits.add(new GraphMisfit(Optional.of(node), Optional.empty(), "it has no counterpart"));
    }
    for (GraphNode other : others.subList(both, others.size())) {
      misfits.add(new GraphMisfit(Optional.empty(), Optional.of(other), "it has no counterpart"));
    }
  }

  private void compare(GraphNode node, GraphNode other) {
    List<Integer> after = node.after().stream().map(GraphNode::index).toList();
    List<Integer> its = other.after().stream().map(GraphNode::index).toList();
    if (node.kind() != other.kind()) {
      misfit(node, other, "a node stays of its kind");
    } else if (!after.equals(its)) {
      misfit(
          node,
          other,
          "the order does not change: one comes after %s, the other one after %s"
              .formatted(after, its));
    } else if (node.kind() == GraphNode.Kind.CHILD) {
      compare(node.nodes(), other.nodes());
    } else if (node.kind() == GraphNode.Kind.HOST) {
      changes.put(node, other.work());
    } else if (isStep(node) || isStep(other)) {
      if (!node.work().equals(other.work())) {
        misfit(node, other, "an operation of a communicator does not change");
      }
    } else {
      compareWork(node, other);
    }
  }

  /** Whether a host thread does the work, which is not the program's. */
  private static boolean isStep(GraphNode node) {
    return node.kind() == GraphNode.Kind.CALL && node.work() instanceof NodeWork.OnHost;
  }

  private void compareWork(GraphNode node, GraphNode other) {
    NodeWork next = other.work() instanceof NodeWork.Off off ? off.on() : other.work();
    String obstacle = GraphChanges.obstacle(work(node, node.work()), work(other, next));
    if (!obstacle.isEmpty()) {
      misfit(node, other, obstacle);
      return;
    }
    changes.put(node, next);
  }

  private GraphWork work(GraphNode node, NodeWork work) {
    return GraphStages.work(engine, work, node.place());
  }

  private void misfit(GraphNode node, GraphNode other, String reason) {
    misfits.add(new GraphMisfit(Optional.of(node), Optional.of(other), reason));
  }
}
