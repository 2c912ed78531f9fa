package dev.stretto;

import java.util.Objects;
import java.util.Optional;

/**
 * Why a graph cannot take over the parameters of another one: {@link Graph#misfits(Graph)}.
 *
 * @param node the node of the graph, if it has one there
 * @param other the node of the other graph, if that has one there
 * @param reason what does not fit
 */
public record GraphMisfit(Optional<GraphNode> node, Optional<GraphNode> other, String reason) {
  /** Refuses null. */
  public GraphMisfit {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(other, "other");
    Objects.requireNonNull(reason, "reason");
  }

  @Override
  public String toString() {
    return "%s and %s: %s".formatted(named(node), named(other), reason);
  }

  private static String named(Optional<GraphNode> node) {
    return node.map(one -> one + ", made at " + one.place()).orElse("no node");
  }
}
