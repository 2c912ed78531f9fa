package dev.stretto;

import java.util.List;

/** Draws graphs in the language of Graphviz. */
final class GraphDrawing {
  private GraphDrawing() {}

  static String dot(List<GraphNode> nodes) {
    StringBuilder dot = new StringBuilder("digraph graph_ {\n  node [fontname=\"sans-serif\"];\n");
    for (GraphNode node : nodes) {
      dot.append(
          "  n%d [shape=%s, label=%s, tooltip=%s];\n"
              .formatted(node.index(), shape(node), label(node), quoted(node.place().toString())));
    }
    for (GraphNode node : nodes) {
      for (GraphNode before : node.after()) {
        dot.append("  n%d -> n%d;\n".formatted(before.index(), node.index()));
      }
    }
    return dot.append("}\n").toString();
  }

  private static String shape(GraphNode node) {
    return switch (node.kind()) {
      case COPY -> "cds";
      case FILL -> "note";
      case KERNEL -> "box";
      case HOST -> "house";
      case RECORD, WAIT -> "diamond";
      case CHILD -> "box3d";
      case JOIN -> "point";
    };
  }

  private static String label(GraphNode node) {
    return quoted(node.index() + ": " + node.description());
  }

  private static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
