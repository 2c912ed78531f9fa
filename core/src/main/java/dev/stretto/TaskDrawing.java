package dev.stretto;

import dev.stretto.order.Demand;
import java.util.ArrayList;
import java.util.List;

/**
 * Tasks, which of them come after which, and for which bytes. It takes down the tasks that are
 * enqueued while it is open. Edges that others imply are left out. See {@link Tasks#draw()}.
 */
public final class TaskDrawing implements AutoCloseable {
  private record Drawn(
      String name, StackTraceElement place, int lane, List<TaskEdges.Edge> edges) {}

  private final TaskEdges edges = new TaskEdges();
  private final List<Drawn> tasks = new ArrayList<>();
  private final Runnable end;
  private boolean isClosed;

  TaskDrawing(Runnable end) {
    this.end = end;
  }

  synchronized void add(String name, List<Demand> demands, int lane) {
    if (!isClosed) {
      tasks.add(new Drawn(name, GraphDraft.place(), lane, edges.add(demands, false)));
    }
  }

  /** {@return how many tasks it has} */
  public synchronized int size() {
    return tasks.size();
  }

  /**
   * {@return the tasks, one a line, each with its place, its lane, and below it what it comes after
   * and why}
   */
  public synchronized String toText() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < tasks.size(); i++) {
      Drawn task = tasks.get(i);
      text.append("%d  %s (%s), lane %d%n".formatted(i, task.name, line(task), task.lane));
      for (TaskEdges.Edge edge : task.edges) {
        text.append("     after %d: %s%n".formatted(edge.before(), reason(edge)));
      }
    }
    return text.toString();
  }

  /**
   * {@return a drawing in the language of Graphviz} Each node shows its number and what it is, and
   * its tooltip is the line of the program; each edge shows its bytes.
   */
  public synchronized String toDot() {
    StringBuilder dot = new StringBuilder("digraph tasks {\n  node [shape=box];\n");
    for (int i = 0; i < tasks.size(); i++) {
      Drawn task = tasks.get(i);
      dot.append(
          "  t%d [label=%s, tooltip=%s];\n"
              .formatted(i, GraphDrawing.quoted(i + ": " + task.name), quoted(task.place)));
      for (TaskEdges.Edge edge : task.edges) {
        dot.append(
            "  t%d -> t%d [label=%s];\n"
                .formatted(edge.before(), i, GraphDrawing.quoted(reason(edge))));
      }
    }
    return dot.append("}\n").toString();
  }

  private static String quoted(StackTraceElement place) {
    return GraphDrawing.quoted(place.toString());
  }

  private static String line(Drawn task) {
    return task.place.getFileName() + ":" + task.place.getLineNumber();
  }

  private static String reason(TaskEdges.Edge edge) {
    Demand its = edge.its();
    Demand demand = edge.demand();
    return its == null || demand == null
        ? "one of the two may use everything"
        : "it %s %s of %s, and this %s %s"
            .formatted(its.way(), its.bytes(), its.memory(), demand.way(), demand.bytes());
  }

  /** Takes down no more tasks. What it has stays. */
  @Override
  public void close() {
    synchronized (this) {
      if (isClosed) {
        return;
      }
      isClosed = true;
    }
    end.run();
  }
}
