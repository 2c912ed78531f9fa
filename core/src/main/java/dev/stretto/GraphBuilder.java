package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

/**
 * Makes a {@link Graph} node by node. Each method adds a node and returns it; the nodes that it is
 * to come after are given last, and a node without any begins at once. What a node uses has to be
 * open when {@link #build()} is called, and belongs to the graph from then on.
 *
 * <pre>{@code
 * GraphBuilder builder = Graph.builder(device);
 * GraphNode in = builder.copy(pinned, x);
 * GraphNode work = builder.launch(device.prepare(grid, Kernels::scale, x, y), in);
 * GraphNode out = builder.copy(y, result, work);
 * try (Graph graph = builder.build()) {
 *   graph.launch(stream).await();
 * }
 * }</pre>
 *
 * <p>To be used by one thread at a time.
 */
public final class GraphBuilder {
  private final Device device;
  private final GraphDraft draft = new GraphDraft();
  private boolean built;

  GraphBuilder(Device device) {
    this.device = Objects.requireNonNull(device, "device");
  }

  private GraphNode add(NodeWork work, GraphNode... after) {
    if (built) {
      throw new IllegalStateException("the graph is built: nothing can be added any more");
    }
    return draft.add(work, List.of(after));
  }

  /**
   * {@return a copy from pinned memory to the device}
   *
   * @param source pinned
   * @param destination as many bytes
   * @param after what it comes after
   * @throws GraphException if the source is not pinned, the destination lies on another device, or
   *     a node belongs to another graph
   * @throws IllegalArgumentException if the sizes differ or are 0
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode copy(MemorySegment source, GlobalArray destination, GraphNode... after) {
    return add(NodeWorks.copy(device, Direction.TO_DEVICE, source, destination), after);
  }

  /**
   * {@return a copy from the device to pinned memory}
   *
   * @param source on the device
   * @param destination as many bytes, pinned and writable
   * @param after what it comes after
   * @throws GraphException if the destination is not pinned, the source lies on another device, or
   *     a node belongs to another graph
   * @throws IllegalArgumentException if the sizes differ or are 0, or the destination is read-only
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode copy(GlobalArray source, MemorySegment destination, GraphNode... after) {
    return add(NodeWorks.copy(device, Direction.TO_HOST, destination, source), after);
  }

  /**
   * {@return a copy within the device}
   *
   * @param source on the device
   * @param destination as many bytes, on the device, not overlapping the source
   * @param after what it comes after
   * @throws GraphException if an end lies on another device, or a node belongs to another graph
   * @throws IllegalArgumentException if the sizes differ or are 0, or the ends overlap
   * @throws ClosedException if one of the ends is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode copy(GlobalArray source, GlobalArray destination, GraphNode... after) {
    return add(NodeWorks.copy(device, source, destination), after);
  }

  /**
   * {@return a fill}
   *
   * @param array on the device
   * @param value a {@link Float} for floats, halfs and bfloats, and else of the elements' own type
   * @param after what it comes after
   * @throws GraphException if the array lies on another device, or a node belongs to another graph
   * @throws IllegalArgumentException if the value is of another type or the array has no elements
   * @throws ClosedException if the array is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode fill(GlobalArray array, Number value, GraphNode... after) {
    return add(NodeWorks.fill(device, array, FillValue.bits(array, value)), after);
  }

  /**
   * {@return a launch of a kernel, with the arguments that it has now}
   *
   * @param launch prepared on the device
   * @param after what it comes after
   * @throws GraphException if an argument lies on another device, or a node belongs to another
   *     graph
   * @throws IllegalArgumentException if it was prepared on another device
   * @throws ClosedException if an argument is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode launch(Launch launch, GraphNode... after) {
    return add(NodeWorks.kernel(device, launch), after);
  }

  /**
   * {@return a callback on a virtual thread of its own} What it throws is reported where the stream
   * of the launch is awaited.
   *
   * @param callback runs in every launch
   * @param after what it comes after
   * @throws GraphException if a node belongs to another graph
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode then(Runnable callback, GraphNode... after) {
    return add(new NodeWork.OnHost(Objects.requireNonNull(callback, "callback"), null), after);
  }

  /**
   * {@return a callback on an executor} What it throws is reported where the stream of the launch
   * is awaited. On a seeded device the executor is not used.
   *
   * @param callback runs in every launch
   * @param executor where to run it
   * @param after what it comes after
   * @throws GraphException if a node belongs to another graph
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode then(Runnable callback, Executor executor, GraphNode... after) {
    Objects.requireNonNull(callback, "callback");
    return add(new NodeWork.OnHost(callback, Objects.requireNonNull(executor, "executor")), after);
  }

  /**
   * {@return a node that records an event, in every launch anew}
   *
   * @param event of the device
   * @param after what it comes after
   * @throws GraphException if the event belongs to another device, or a node to another graph
   * @throws ClosedException if the event is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode record(GraphEvent event, GraphNode... after) {
    requireDevice(event);
    return add(NodeWorks.record(event), after);
  }

  /**
   * {@return a node that waits for an event} It waits for what was recorded last before the launch
   * reached the driver; for nothing if that was never.
   *
   * @param event of the device, recorded by another graph
   * @param after what it comes after
   * @throws GraphException if the event belongs to another device, or a node to another graph
   * @throws ClosedException if the event is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode waitFor(GraphEvent event, GraphNode... after) {
    requireDevice(event);
    return add(NodeWorks.waitFor(event), after);
  }

  private void requireDevice(GraphEvent event) {
    if (event.device().engine() != device.engine()) {
      throw NodeWorks.refused(
          event + " belongs to " + event.device().name() + ", not to " + device.name());
    }
  }

  /**
   * {@return a node that does all that another graph does, with the parameters that this has now}
   * The other graph may be closed or changed afterwards; this one is not affected.
   *
   * @param graph of the same device
   * @param after what it comes after
   * @throws GraphException if the graph belongs to another device, or a node to another graph
   * @throws ClosedException if the graph is closed
   * @throws IllegalStateException if this graph is built
   */
  public GraphNode child(Graph graph, GraphNode... after) {
    if (graph.device().engine() != device.engine()) {
      throw NodeWorks.refused(graph + " cannot be a node of a graph on " + device.name());
    }
    return add(new NodeWork.Child(graph.steps()), after);
  }

  /**
   * {@return a node that does nothing} What comes after it comes after all that it comes after,
   * which takes fewer edges than each after each.
   *
   * @param after what it comes after
   * @throws GraphException if a node belongs to another graph
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode join(GraphNode... after) {
    return add(NodeWorks.join(), after);
  }

  /**
   * {@return the graph} It owns what its nodes use from now on.
   *
   * @throws ClosedException if the device, or something that a node uses, is closed
   * @throws IllegalStateException if it was built before
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Graph build() {
    if (built) {
      throw new IllegalStateException("the graph was built before");
    }
    Graph graph = new Graph(device, draft);
    built = true;
    return graph;
  }
}
