package dev.stretto;

import java.util.List;

/**
 * A node of a {@link Graph}: one thing that each launch of the graph does. A node begins when all
 * nodes are done that it comes {@linkplain #after() after}, and nodes of which neither comes after
 * the other run at the same time or in any order.
 */
public final class GraphNode {
  /** What a node does. */
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
    /** Does all that another graph does. */
    CHILD,
    /** Does one thing or another, or nothing, as an int in device memory says. */
    IF,
    /** Does something again and again, while an int in device memory is not 0. */
    WHILE,
    /** Does one of several things, as an int in device memory says. */
    SWITCH,
    /** Nothing but coming after several nodes. */
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

  /** The draft that the node was made in, which becomes one graph. */
  Object owner() {
    return owner;
  }

  NodeWork work() {
    return work;
  }

  void change(NodeWork changed) {
    work = changed;
  }

  /** {@return its place among the nodes of its graph} Nodes come after earlier ones only. */
  public int index() {
    return index;
  }

  /** {@return what it does} */
  public Kind kind() {
    return work.kind();
  }

  /** {@return what it does, with its numbers, as of now} */
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
