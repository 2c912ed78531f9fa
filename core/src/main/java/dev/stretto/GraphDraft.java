package dev.stretto;

import dev.stretto.diagnosis.tally.Places;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.route.ForeignPart;
import dev.stretto.route.GuardedBy;
import dev.stretto.route.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The nodes of a graph that a capture or a builder is making. */
final class GraphDraft {
  private static final StackTraceElement UNKNOWN =
      new StackTraceElement("unknown", "unknown", null, -1);

  /** The most kernels that the description of a graph names. */
  private static final int MOST_KERNELS = 8;

  /** Guarded by the draft: a program may add nodes on one thread and build the graph on another. */
  @GuardedBy("this")
  private final List<GraphNode> nodes = new ArrayList<>();

  private final GraphMemory memory;

  /** What was made for the graph alone; used by the capturing thread. */
  private final List<ForeignPart> parts = new ArrayList<>(0);

  /** For each resource that any thread closed during the capture, the place where it was closed. */
  private final Map<Resource, StackTraceElement> closings = new ConcurrentHashMap<>();

  GraphDraft() {
    this(new GraphMemory());
  }

  /** Begins a draft with the memory of another one. */
  GraphDraft(GraphMemory memory) {
    this.memory = memory;
  }

  /** {@return the memory that is allocated for the graph} */
  GraphMemory memory() {
    return memory;
  }

  /** Notes something that was made for the graph alone. */
  void owns(ForeignPart part) {
    parts.add(part);
  }

  /** Leaves the parts to the graph that holds them; if there is none, they are released. */
  void leaveParts() {
    parts.forEach(ForeignPart::closeAfterLastUse);
  }

  /** {@return a new node} */
  GraphNode add(NodeWork work, Collection<GraphNode> after) {
    return add(work, after, place());
  }

  /** {@return a new node that a given line of the program has made} */
  GraphNode add(NodeWork work, Collection<GraphNode> after, StackTraceElement line) {
    for (GraphNode before : after) {
      requireOwn(before);
    }
    List<GraphNode> all = List.copyOf(new LinkedHashSet<>(after));
    synchronized (this) {
      GraphNode node = new GraphNode(this, nodes.size(), work, all, line);
      nodes.add(node);
      return node;
    }
  }

  private void requireOwn(GraphNode node) {
    if (node.owner() != this) {
      throw new GraphException(
          node + " belongs to another graph: use nodes that this builder returned", place());
    }
  }

  /** {@return the current nodes} */
  synchronized List<GraphNode> nodes() {
    return List.copyOf(nodes);
  }

  void closed(Resource resource, StackTraceElement where) {
    closings.putIfAbsent(resource, where);
  }

  /** {@return the exception for a closed resource that a node uses} */
  ClosedException refusal(Resource resource) {
    StackTraceElement where = closings.get(resource);
    String closed =
        resource.describe() + " is closed" + (where == null ? "" : ", which happened at " + where);
    for (GraphNode node : nodes()) {
      if (GraphStages.used(steps(List.of(node))).contains(resource)) {
        return new ClosedException(
            "%s, and %s, made at %s, uses it: keep it open until the graph is made"
                .formatted(closed, node, node.place()));
      }
    }
    return new ClosedException(closed);
  }

  /** {@return the line of the program that is running now} */
  static StackTraceElement place() {
    StackTraceElement line = Places.line();
    return line == null ? UNKNOWN : line;
  }

  /**
   * {@return a description of a graph of these nodes, with its kernels and the lines that made
   * them}
   */
  static String withKernels(List<GraphNode> nodes) {
    List<String> kernels = new ArrayList<>();
    addKernels(steps(nodes), kernels);
    String size = "a graph of " + nodes.size() + " nodes";
    if (kernels.isEmpty()) {
      return size;
    }
    int named = Math.min(kernels.size(), MOST_KERNELS);
    return size
        + " ("
        + String.join("; ", kernels.subList(0, named))
        + (kernels.size() > named ? "; and " + (kernels.size() - named) + " more kernels)" : ")");
  }

  private static void addKernels(List<NodeWork.Step> steps, List<String> kernels) {
    for (NodeWork.Step step : steps) {
      switch (step.work()) {
        case NodeWork.OnDevice device -> {
          Launch launch = device.launch();
          if (launch != null) {
            kernels.add(launch.kernel().entry() + ", made a node at " + step.place());
          }
        }
        case NodeWork.Off off -> addKernels(List.of(step.with(off.on())), kernels);
        case NodeWork.Child child -> addKernels(child.steps(), kernels);
        case NodeWork.Conditional conditional ->
            conditional.bodies().forEach(body -> addKernels(body, kernels));
        case NodeWork.OnHost _ -> {}
      }
    }
  }

  /** {@return the nodes as values, for a graph that has this one as a node} */
  static List<NodeWork.Step> steps(List<GraphNode> nodes) {
    return steps(nodes, Map.of());
  }

  /**
   * {@return the same once some nodes have other work}
   *
   * @param changes the other work of those that change
   */
  static List<NodeWork.Step> steps(List<GraphNode> nodes, Map<GraphNode, NodeWork> changes) {
    return nodes.stream().map(node -> node.step(changes)).toList();
  }
}
