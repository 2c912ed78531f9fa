package dev.stretto;

import java.util.List;

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
    /** Records a {@link GraphEvent}. */
    RECORD,
    /** Waits for a {@link GraphEvent}. */
    WAIT,
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
  private final int index;
  private final List<GraphNode> after;
  private final StackTraceElement place;
  private volatile NodeWork work;

  GraphNode(
      Object owner, int index, NodeWork work, List<GraphNode> after, StackTraceElement place) {
    this.owner = owner;
    this.index = index;
    this.work = work;
    this.after = List.copyOf(after);
    this.place = place;
  }

  /** The draft in which the node was made; it becomes one graph. */
  Object owner() {
    return owner;
  }

  NodeWork work() {
    return work;
  }

  void change(NodeWork changed) {
    work = changed;
  }

  /**
   * {@return its index among the nodes of its graph} A node comes after nodes with a lower index
   * only.
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

  @Override
  public String toString() {
    return "node " + index + " (" + description() + ")";
  }
}
