package dev.stretto;

import java.util.List;

/** Draws graphs in the language of Graphviz. */
final class GraphDrawing {
  private final StringBuilder dot =
      new StringBuilder("digraph graph_ {\n  compound=true;\n  node [fontname=\"sans-serif\"];\n");

  private GraphDrawing() {}

  static String dot(List<GraphNode> nodes) {
    GraphDrawing drawing = new GraphDrawing();
    drawing.add(GraphDraft.steps(nodes), "n", "  ");
    return drawing.dot.append("}\n").toString();
  }

  /** The names of a body's nodes begin with the name of the conditional node. */
  private void add(List<NodeWork.Step> steps, String prefix, String indent) {
    for (int i = 0; i < steps.size(); i++) {
      NodeWork.Step step = steps.get(i);
      String name = prefix + i;
      line(
          "%s%s [shape=%s, label=%s, tooltip=%s];"
              .formatted(
                  indent,
                  name,
                  shape(step.work().kind()),
                  quoted(i + ": " + step.work().label()),
                  quoted(step.place().toString())));
      if (step.work() instanceof NodeWork.Conditional conditional) {
        addBodies(conditional, name, indent);
      }
    }
    for (int i = 0; i < steps.size(); i++) {
      for (int before : steps.get(i).after()) {
        line("%s%s%d -> %s%d;".formatted(indent, prefix, before, prefix, i));
      }
    }
  }

  private void addBodies(NodeWork.Conditional conditional, String name, String indent) {
    for (int body = 0; body < conditional.bodies().size(); body++) {
      List<NodeWork.Step> steps = conditional.bodies().get(body);
      if (steps.isEmpty()) {
        continue;
      }
      String cluster = "cluster_%s_%d".formatted(name, body);
      String prefix = "%s_%d_".formatted(name, body);
      line("%ssubgraph %s {".formatted(indent, cluster));
      line("%s  label=%s; style=dashed;".formatted(indent, quoted(when(conditional, body))));
      add(steps, prefix, indent + "  ");
      line("%s}".formatted(indent));
      line("%s%s -> %s0 [style=dashed, lhead=%s];".formatted(indent, name, prefix, cluster));
    }
  }

  private static String when(NodeWork.Conditional conditional, int body) {
    return switch (conditional.branching()) {
      case IF -> body == 0 ? "if not 0" : "if 0";
      case WHILE -> "while not 0";
      case SWITCH -> "if " + body;
    };
  }

  private void line(String text) {
    dot.append(text).append('\n');
  }

  private static String shape(GraphNode.Kind kind) {
    return switch (kind) {
      case COPY -> "cds";
      case FILL -> "note";
      case ALLOCATE, FREE -> "cylinder";
      case KERNEL -> "box";
      case HOST -> "house";
      case CALL -> "component";
      case RECORD, WAIT, WRITE_VALUE, WAIT_VALUE -> "diamond";
      case CHILD -> "box3d";
      case IF, WHILE, SWITCH -> "hexagon";
      case JOIN -> "point";
    };
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
