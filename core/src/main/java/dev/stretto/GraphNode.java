package dev.stretto;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A node of a {@link Graph}: one operation of each launch of the graph. A node begins when all
 * nodes that it comes {@linkplain #after() after} are done. Two nodes that are not ordered this way
 * run at the same time or in any order.
 */
public final class GraphNode {
  /** The kind of a node's operation. */
  public enum Kind {
    /** Copies. */
    COPY,
    /** Fills device memory with a value. */
    FILL,
    /** Launches a kernel. */
    KERNEL,
    /** Runs a callback on the host. */
    HOST,
    /**
     * Does what another library has enqueued, or a {@link dev.stretto.collective.Communicator}:
     * {@link Stream#call(ForeignWork, List, List)}.
     */
    CALL,
    /** Records a {@link GraphEvent}. */
    RECORD,
    /** Waits for a {@link GraphEvent}. */
    WAIT,
    /** Writes a number: {@link Stream#writeValue}. */
    WRITE_VALUE,
    /** Waits for a number: {@link Stream#waitValue}. */
    WAIT_VALUE,
    /** Begins to use memory that was allocated in the capture, whose contents are undefined. */
    ALLOCATE,
    /** Ends the use of such memory, so that later nodes may have it for something else. */
    FREE,
    /** Does everything that another graph does. */
    CHILD,
    /** Runs one body or another, or none, depending on an int in device memory. */
    IF,
    /** Repeats a body while an int in device memory is not 0. */
    WHILE,
    /** Runs one of several bodies, depending on an int in device memory. */
    SWITCH,
    /** Does nothing; it only comes after several nodes. */
    JOIN
  }

  private final Object owner;
  private final @Nullable GraphNode parent;
  private final int index;
  private final List<GraphNode> after;
  private final StackTraceElement place;
  private final List<GraphNode> nodes;
  private volatile NodeWork work;

  GraphNode(
      Object owner, int index, NodeWork work, List<GraphNode> after, StackTraceElement place) {
    this(owner, null, index, work, after, place);
  }

  private GraphNode(
      Object owner,
      @Nullable GraphNode parent,
      int index,
      NodeWork work,
      List<GraphNode> after,
      StackTraceElement place) {
    this.owner = owner;
    this.parent = parent;
    this.index = index;
    this.work = work;
    this.after = List.copyOf(after);
    this.place = place;
    this.nodes = work instanceof NodeWork.Child child ? nested(child.steps()) : List.of();
  }

  private List<GraphNode> nested(List<NodeWork.Step> steps) {
    List<GraphNode> made = new ArrayList<>();
    for (NodeWork.Step step : steps) {
      List<GraphNode> before = step.after().stream().map(made::get).toList();
      made.add(new GraphNode(owner, this, made.size(), step.work(), before, step.place()));
    }
    return List.copyOf(made);
  }

  /** The draft in which the node was made; it becomes one graph. */
  Object owner() {
    return owner;
  }

  NodeWork work() {
    return work;
  }

  /** {@return its number, after those of the nodes that it is a part of} */
  List<Integer> path() {
    List<Integer> path = new ArrayList<>(1);
    for (GraphNode node = this; node != null; node = node.parent) {
      path.addFirst(node.index);
    }
    return path;
  }

  /**
   * {@return what it does once some nodes have other work}
   *
   * @param changes the other work of those that change
   */
  NodeWork work(Map<GraphNode, NodeWork> changes) {
    return nodes.isEmpty()
        ? changes.getOrDefault(this, work)
        : new NodeWork.Child(nodes.stream().map(node -> node.step(changes)).toList());
  }

  /** {@return the same as a value, for a graph that has this one as a node} */
  NodeWork.Step step(Map<GraphNode, NodeWork> changes) {
    return new NodeWork.Step(work(changes), after.stream().map(GraphNode::index).toList(), place);
  }

  /** Gives it other work. */
  void change(NodeWork changed) {
    work = changed;
    for (GraphNode node = parent; node != null; node = node.parent) {
      node.work = node.work(Map.of());
    }
  }

  /**
   * {@return its index among the nodes of its graph, or of the node that it is a part of} A node
   * comes after nodes with a lower index only.
   */
  public int index() {
    return index;
  }

  /** {@return the kind of its operation} */
  public Kind kind() {
    return work.kind();
  }

  /** {@return a description of its operation, with its current numbers} */
  public String description() {
    return work.label();
  }

  /** {@return the nodes that have to be done before it begins} */
  public List<GraphNode> after() {
    return after;
  }

  /** {@return the line of the program that made it} */
  public StackTraceElement place() {
    return place;
  }

  /**
   * {@return the nodes of a {@link Kind#CHILD} node, each after its predecessors; none for others}
   * They can be changed like the nodes of the graph itself.
   */
  public List<GraphNode> nodes() {
    return nodes;
  }

  /** {@return whether it does its work; false while it is {@linkplain Graph#setEnabled off}} */
  public boolean isEnabled() {
    return !(work instanceof NodeWork.Off);
  }

  @Override
  public String toString() {
    String number = path().stream().map(String::valueOf).collect(Collectors.joining("."));
    return "node " + number + " (" + description() + ")";
  }
}
