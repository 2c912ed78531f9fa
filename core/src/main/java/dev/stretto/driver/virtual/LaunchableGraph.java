package dev.stretto.driver.virtual;

import dev.stretto.driver.GraphWork;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A graph that can be launched. Guarded by the platform's lock. */
final class LaunchableGraph {
  /** A node that was found legal. */
  sealed interface Node {
    /** {@return the numbers of the nodes that have to be done before} */
    List<Integer> after();
  }

  /**
   * A node that is one operation.
   *
   * @param work what it was made of
   * @param make makes its operation for one launch
   */
  record Single(GraphWork work, List<Integer> after, Function<StreamQueue, Op> make)
      implements Node {}

  /**
   * A node that is a graph.
   *
   * @param nodes of that graph
   */
  record Nested(List<Node> nodes, List<Integer> after) implements Node {}

  private final List<Node> nodes;
  private final int size;
  private @Nullable Op lastEnd;
  private boolean uploaded;

  LaunchableGraph(List<Node> nodes) {
    this.nodes = nodes;
    this.size = size(nodes);
  }

  private static int size(List<Node> nodes) {
    return nodes.stream()
        .mapToInt(node -> node instanceof Nested nested ? size(nested.nodes) : 1)
        .sum();
  }

  List<Node> nodes() {
    return nodes;
  }

  void replace(int index, Node node) {
    nodes.set(index, node);
  }

  /** {@return the end of the last launch, or null if that is over} */
  @Nullable Op lastEnd() {
    return lastEnd;
  }

  void launched(Op end) {
    lastEnd = end;
  }

  /** {@return what bringing it to the device takes now; nothing the second time} */
  long uploadNanos() {
    if (uploaded) {
      return 0;
    }
    uploaded = true;
    return DeviceProfile.GRAPH_UPLOAD_NANOS + size * DeviceProfile.GRAPH_UPLOAD_NODE_NANOS;
  }

  /** {@return what launching it takes} */
  long launchNanos() {
    return uploadNanos()
        + DeviceProfile.GRAPH_LAUNCH_NANOS
        + size * DeviceProfile.GRAPH_LAUNCH_NODE_NANOS;
  }
}
