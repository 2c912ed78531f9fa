package dev.stretto;

import dev.stretto.order.Demand;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which tasks come after which, in the order in which they were enqueued. */
final class TaskEdges {
  /**
   * Why a task comes after another one.
   *
   * @param before the number of the other one
   * @param its what the other one does with some bytes; null if it counts as using everything
   * @param demand what this one does with them
   */
  record Edge(int before, @Nullable Demand its, @Nullable Demand demand) {}

  /**
   * A task.
   *
   * @param demands what it accesses
   * @param isBarrier whether it comes after all before and before all behind
   */
  private record Task(List<Demand> demands, boolean isBarrier) {}

  private final List<Task> tasks = new ArrayList<>();
  private final List<BitSet> reached = new ArrayList<>();

  /** {@return the edges of another task; those that others imply are left out} */
  List<Edge> add(List<Demand> demands, boolean isBarrier) {
    Task task = new Task(demands, isBarrier);
    BitSet before = new BitSet();
    List<Edge> edges = new ArrayList<>();
    for (int i = tasks.size() - 1; i >= 0; i--) {
      Edge edge = before.get(i) ? null : edge(i, tasks.get(i), task);
      if (edge != null) {
        edges.addFirst(edge);
        before.set(i);
        before.or(reached.get(i));
      }
    }
    tasks.add(task);
    reached.add(before);
    return edges;
  }

  private static @Nullable Edge edge(int number, Task first, Task second) {
    for (Demand its : first.demands) {
      for (Demand demand : second.demands) {
        if (its.conflictsWith(demand)) {
          return new Edge(number, its, demand);
        }
      }
    }
    return first.isBarrier || second.isBarrier ? new Edge(number, null, null) : null;
  }

  /** {@return the same nodes, each after those that its bytes demand} */
  static GraphDraft relinked(GraphDraft draft) {
    TaskEdges edges = new TaskEdges();
    GraphDraft linked = new GraphDraft(draft.memory());
    List<GraphNode> nodes = new ArrayList<>();
    for (GraphNode node : draft.nodes()) {
      List<Demand> demands = new TaskDemands().uses(GraphOrder.uses(node.work())).all();
      List<GraphNode> after = new ArrayList<>();
      for (Edge edge : edges.add(demands, GraphOrder.waitsForOthers(node.work()))) {
        after.add(nodes.get(edge.before()));
      }
      nodes.add(linked.add(node.work(), after, node.place()));
    }
    return linked;
  }
}
