package dev.stretto.driver.virtual;

import dev.stretto.driver.GraphWork;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A graph that can be launched. Guarded by the platform's lock. */
final class LaunchableGraph {
  /** A node that has passed the checks. */
  sealed interface Node {
    /** {@return the numbers of the nodes on which it depends} */
    List<Integer> after();
  }

  /**
   * A node that is one operation.
   *
   * @param work the node's work in the plan
   * @param make makes its operation for one launch
   */
  record Single(GraphWork work, List<Integer> after, Function<OpQueue, StreamOp> make)
      implements Node {}

  /**
   * A node that is several operations, one after the other.
   *
   * @param work the node's work in the plan
   * @param make makes its operations for one launch
   */
  record Sequence(
      GraphWork work, List<Integer> after, List<Function<OpQueue, ? extends StreamOp>> make)
      implements Node {}

  /**
   * A node that runs the body that an int chooses when the node begins.
   *
   * @param branching how the int chooses a body
   * @param condition device address of the int
   * @param bodies the nodes of each body
   */
  record Conditional(
      GraphWork.Branching branching, long condition, List<List<Node>> bodies, List<Integer> after)
      implements Node {
    /** {@return the body that a value chooses, or null if it chooses none} */
    @Nullable List<Node> body(int value) {
      int chosen =
          switch (branching) {
            case IF -> value != 0 ? 0 : 1;
            case WHILE -> value != 0 ? 0 : -1;
            case SWITCH -> value;
          };
      return chosen >= 0 && chosen < bodies.size() ? bodies.get(chosen) : null;
    }
  }

  private final List<Node> nodes;
  private final int size;
  private @Nullable StreamOp lastEnd;
  private @Nullable GraphOp lastUpload;
  private boolean uploaded;

  LaunchableGraph(List<Node> nodes) {
    this.nodes = nodes;
    this.size = size(nodes);
    this.uploaded = nodes.stream().anyMatch(LaunchableGraph::measures);
  }

  private static int size(List<Node> nodes) {
    return nodes.stream().mapToInt(LaunchableGraph::size).sum();
  }

  private static boolean measures(Node node) {
    return node instanceof Single single
        && single.work instanceof GraphWork.RecordEvent record
        && record.measures();
  }

  private static int size(Node node) {
    return switch (node) {
      case Single single -> measures(single) ? 0 : 1;
      case Sequence sequence -> sequence.make.size();
      case Conditional conditional ->
          1 + conditional.bodies.stream().mapToInt(LaunchableGraph::size).sum();
    };
  }

  List<Node> nodes() {
    return nodes;
  }

  void replace(int index, Node node) {
    nodes.set(index, node);
  }

  /** {@return the end of the last launch, or null if it is over} */
  @Nullable StreamOp lastEnd() {
    return lastEnd;
  }

  /** {@return the last upload, or null} Only the program can order it before a launch. */
  @Nullable GraphOp lastUpload() {
    return lastUpload;
  }

  void uploaded(GraphOp upload) {
    lastUpload = upload;
  }

  void launched(StreamOp end) {
    lastEnd = end;
  }

  /** {@return the host time of an upload, which is 0 after the first one} */
  long uploadNanos() {
    if (uploaded) {
      return 0;
    }
    uploaded = true;
    return DeviceProfile.GRAPH_UPLOAD_NANOS + size * DeviceProfile.GRAPH_UPLOAD_NODE_NANOS;
  }

  /** {@return the host time of a launch} */
  long launchNanos() {
    return uploadNanos()
        + DeviceProfile.GRAPH_LAUNCH_NANOS
        + size * DeviceProfile.GRAPH_LAUNCH_NODE_NANOS;
  }
}
