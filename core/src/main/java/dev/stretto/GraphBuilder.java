package dev.stretto;

import dev.stretto.driver.ValueCondition;
import dev.stretto.enqueue.ArrayMemory;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import dev.stretto.route.DeviceRuntime;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Makes a {@link Graph} node by node. Each method adds a node and returns it. The last arguments
 * are the nodes that the new node comes after; a node without any begins at once. The resources
 * that a node uses have to be open when {@link #build()} is called, and belong to the graph from
 * then on.
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
 * <p>Only one thread at a time may use a builder.
 */
public final class GraphBuilder extends GraphCopies {
  private final Device device;
  private final GraphDraft draft = new GraphDraft();
  private final boolean ofBody;
  private boolean built;
  private boolean describingBody;

  GraphBuilder(Device device) {
    this(device, false);
  }

  /** Makes a builder for a graph, or for the body of a conditional node. */
  private GraphBuilder(Device device, boolean ofBody) {
    this.device = Objects.requireNonNull(device, "device");
    this.ofBody = ofBody;
  }

  @Override
  DeviceRuntime engine(GlobalArray array) {
    return near(ArrayMemory.of(array).block().engine());
  }

  @Override
  DeviceRuntime engine(GlobalArray source, GlobalArray destination) {
    DeviceRuntime from = engine(source);
    DeviceRuntime to = engine(destination);
    DeviceRuntime own = device.engine();
    if (from == own || to == own) {
      return own;
    }
    return from.peers().to(to) == null ? to : from;
  }

  /** {@return another device if it may do work of the graph, else the graph's own} */
  private DeviceRuntime near(DeviceRuntime other) {
    DeviceRuntime own = device.engine();
    return !ofBody && !own.peers().isSame(other) && own.peers().isKin(other) ? other : own;
  }

  @Override
  GraphNode add(NodeWork work, GraphNode... after) {
    requireUnbuilt();
    for (GraphNode node : after) {
      Objects.requireNonNull(node, "after");
    }
    String unfit = ofBody ? NodeWorks.unfitForBody(work) : "";
    if (unfit.isEmpty()) {
      unfit = NodeWorks.unfitElsewhere(device.engine(), work, ofBody);
    }
    if (!unfit.isEmpty()) {
      throw NodeWorks.refused(unfit);
    }
    return draft.add(work, List.of(after));
  }

  private void requireUnbuilt() {
    if (built) {
      throw new IllegalStateException("the graph is built: nothing can be added any more");
    }
    if (describingBody) {
      throw new IllegalStateException(
          "a body of this graph is being described: use the builder that describes it");
    }
  }

  /**
   * {@return a launch of a kernel, with its current arguments}
   *
   * @param launch a launch that was prepared on the device
   * @param after the nodes that it comes after
   * @throws GraphException if an argument lies on another device and access to it has ended, or a
   *     node belongs to another graph
   * @throws IllegalArgumentException if it was prepared on a device of another driver, or, in the
   *     body of a conditional node, on another device
   * @throws ClosedException if an argument is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode launch(Launch launch, GraphNode... after) {
    Objects.requireNonNull(launch, "launch");
    Objects.requireNonNull(after, "after");
    return add(NodeWorks.kernel(near(launch.engine()), launch), after);
  }

  /**
   * {@return a callback on its own virtual thread} An exception of the callback is reported where
   * the stream of the launch is awaited.
   *
   * @param callback the callback, which runs in every launch
   * @param after the nodes that it comes after
   * @throws GraphException if a node belongs to another graph, or this is the body of a conditional
   *     node
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode then(Runnable callback, GraphNode... after) {
    Objects.requireNonNull(after, "after");
    return add(new NodeWork.OnHost(Objects.requireNonNull(callback, "callback"), null), after);
  }

  /**
   * {@return a callback on an executor} An exception of the callback is reported where the stream
   * of the launch is awaited. On a seeded device the executor is not used.
   *
   * @param callback the callback, which runs in every launch
   * @param executor runs the callback
   * @param after the nodes that it comes after
   * @throws GraphException if a node belongs to another graph, or this is the body of a conditional
   *     node
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode then(Runnable callback, Executor executor, GraphNode... after) {
    Objects.requireNonNull(after, "after");
    Objects.requireNonNull(callback, "callback");
    return add(new NodeWork.OnHost(callback, Objects.requireNonNull(executor, "executor")), after);
  }

  /**
   * {@return a node that records an event again in every launch}
   *
   * @param event an event of the device
   * @param after the nodes that it comes after
   * @throws GraphException if the event belongs to another device, or a node to another graph, or
   *     this is the body of a conditional node
   * @throws ClosedException if the event is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode record(GraphEvent event, GraphNode... after) {
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(after, "after");
    requireDevice(event);
    return add(NodeWorks.record(device.engine(), event.event(), event.toString()), after);
  }

  /**
   * {@return a node that waits for an event} It waits for the last recording before the launch
   * reached the driver; if there was none, it does not wait.
   *
   * @param event an event of the device that another graph records
   * @param after the nodes that it comes after
   * @throws GraphException if the event belongs to another device, or a node to another graph, or
   *     this is the body of a conditional node
   * @throws ClosedException if the event is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode waitFor(GraphEvent event, GraphNode... after) {
    Objects.requireNonNull(event, "event");
    Objects.requireNonNull(after, "after");
    requireDevice(event);
    return add(NodeWorks.waitFor(device.engine(), event.event(), event.toString()), after);
  }

  private void requireDevice(GraphEvent event) {
    if (event.device().engine() != device.engine()) {
      throw NodeWorks.refused(
          event + " belongs to " + event.device().name() + ", not to " + device.name());
    }
  }

  /**
   * {@return a node that writes a number: {@link Stream#writeValue(GlobalInts, long, int)}} CUDA
   * Driver API, {@code cuGraphAddBatchMemOpNode}.
   *
   * @param array of {@link Device#allocateSignals} on the graph's device, or a view of host memory
   * @param index of the element
   * @param value the number
   * @param after the nodes that it comes after
   * @throws IndexOutOfBoundsException if the array has no such element
   * @throws IllegalArgumentException if the array lies on a device of another driver, or in a pool
   * @throws GraphException if a node belongs to another graph, or this is the body of a conditional
   *     node
   * @throws ClosedException if the array is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode writeValue(GlobalInts array, long index, int value, GraphNode... after) {
    Objects.requireNonNull(array, "array");
    Objects.requireNonNull(after, "after");
    return add(StreamValues.writing(engine(array), array, index, value), after);
  }

  /**
   * {@return the same with a number of 64 bits}
   *
   * @param array of {@link Device#allocateLongSignals} on the graph's device, or a view of host
   *     memory
   * @param index of the element
   * @param value the number
   * @param after the nodes that it comes after
   * @throws IndexOutOfBoundsException if the array has no such element
   * @throws IllegalArgumentException if the array lies on a device of another driver, or in a pool
   * @throws GraphException as there
   * @throws ClosedException if the array is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode writeValue(GlobalLongs array, long index, long value, GraphNode... after) {
    Objects.requireNonNull(array, "array");
    Objects.requireNonNull(after, "after");
    return add(StreamValues.writing(engine(array), array, index, value), after);
  }

  /**
   * {@return a node that waits for a number: {@link Stream#waitValue(GlobalInts, long, int,
   * ValueCondition)}}
   *
   * @param array of {@link Device#allocateSignals} on the graph's device, or a view of host memory
   * @param index of the element
   * @param value what the number is compared with
   * @param condition how
   * @param after the nodes that it comes after
   * @throws IndexOutOfBoundsException if the array has no such element
   * @throws IllegalArgumentException if the array lies on a device of another driver, or in a pool,
   *     or if no number meets the condition
   * @throws GraphException if a node belongs to another graph, or this is the body of a conditional
   *     node
   * @throws ClosedException if the array is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode waitValue(
      GlobalInts array, long index, int value, ValueCondition condition, GraphNode... after) {
    Objects.requireNonNull(array, "array");
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(after, "after");
    return add(StreamValues.waiting(engine(array), array, index, value, condition), after);
  }

  /**
   * {@return the same with a number of 64 bits}
   *
   * @param array of {@link Device#allocateLongSignals} on the graph's device, or a view of host
   *     memory
   * @param index of the element
   * @param value what the number is compared with
   * @param condition how
   * @param after the nodes that it comes after
   * @throws IndexOutOfBoundsException if the array has no such element
   * @throws IllegalArgumentException if the array lies on a device of another driver, or in a pool,
   *     or if no number meets the condition
   * @throws GraphException as there
   * @throws ClosedException if the array is closed
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode waitValue(
      GlobalLongs array, long index, long value, ValueCondition condition, GraphNode... after) {
    Objects.requireNonNull(array, "array");
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(after, "after");
    return add(StreamValues.waiting(engine(array), array, index, value, condition), after);
  }

  /**
   * {@return a node that does everything that another graph does, with that graph's current
   * parameters} The other graph may be closed or changed afterwards; this does not affect the node.
   *
   * @param graph a graph of the same device
   * @param after the nodes that it comes after
   * @throws GraphException if the graph belongs to a device of another driver, or decides or
   *     records events on another device, or a node belongs to another graph, or this is the body
   *     of a conditional node and the graph has callbacks or events
   * @throws ClosedException if the graph is closed
   * @throws IllegalStateException if this graph is built
   */
  public GraphNode child(Graph graph, GraphNode... after) {
    Objects.requireNonNull(graph, "graph");
    Objects.requireNonNull(after, "after");
    if (!device.engine().peers().isKin(graph.device().engine())) {
      throw NodeWorks.refused(graph + " cannot be a node of a graph on " + device.name());
    }
    return add(new NodeWork.Child(graph.steps()), after);
  }

  /**
   * {@return a node that runs a body, or does nothing} An int in device memory decides when the
   * node begins: the body runs if the int is not 0. Any node before this one may write the int: a
   * kernel, a copy or a fill.
   *
   * <pre>{@code
   * GraphNode test = builder.launch(device.prepare(grid, Kernels::anyLeft, items, flag));
   * builder.ifNonZero(flag, body -> body.launch(device.prepare(grid, Kernels::compact, items)), test);
   * }</pre>
   *
   * <p>A body may have copies, fills, launches, joins, child graphs and conditional nodes. It may
   * have neither callbacks nor events, because no host thread takes part. Parameters in a body
   * cannot be changed. CUDA C++ Programming Guide, "Conditional Graph Nodes".
   *
   * @param condition one int on the device; for an element of a larger array, {@code array.slice(i,
   *     1)}
   * @param body describes the body: it is called with a builder, on the calling thread and before
   *     this method returns
   * @param after the nodes that it comes after
   * @throws GraphException if the driver is older than CUDA 12.3, the condition lies on another
   *     device, an operation is not allowed in a body, or a node belongs to another graph
   * @throws IllegalArgumentException if the condition is not one int
   * @throws ClosedException if the condition is closed
   * @throws IllegalStateException if the graph is built, or a node is added to it while a body is
   *     being described
   */
  public GraphNode ifNonZero(
      GlobalInts condition, Consumer<GraphBuilder> body, GraphNode... after) {
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(after, "after");
    return branch(GraphNode.Kind.IF, condition, List.of(body), after);
  }

  /**
   * {@return a node that runs one of two bodies} It runs the first if an int in device memory is
   * not 0 when the node begins, and the second if it is 0. See {@link #ifNonZero(GlobalInts,
   * Consumer, GraphNode...)}.
   *
   * @param condition one int on the device
   * @param body describes the body that runs if the int is not 0
   * @param otherwise describes the body that runs if the int is 0
   * @param after the nodes that it comes after
   * @throws GraphException if the driver is older than CUDA 12.8, the condition lies on another
   *     device, an operation is not allowed in a body, or a node belongs to another graph
   * @throws IllegalArgumentException if the condition is not one int
   * @throws ClosedException if the condition is closed
   * @throws IllegalStateException if the graph is built, or a node is added to it while a body is
   *     being described
   */
  public GraphNode ifNonZero(
      GlobalInts condition,
      Consumer<GraphBuilder> body,
      Consumer<GraphBuilder> otherwise,
      GraphNode... after) {
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(otherwise, "otherwise");
    Objects.requireNonNull(after, "after");
    return branch(GraphNode.Kind.IF, condition, List.of(body, otherwise), after);
  }

  /**
   * {@return a node that repeats a body while an int in device memory is not 0} The int is read
   * when the node begins, and again each time when the whole body is done. The host takes no part:
   * a pass takes a few microseconds more than its nodes.
   *
   * <p>If the body never sets the int to 0, it runs forever and occupies its device. A pass that
   * has begun runs to its end. See {@link #ifNonZero(GlobalInts, Consumer, GraphNode...)}.
   *
   * @param condition one int on the device
   * @param body describes the body
   * @param after the nodes that it comes after
   * @throws GraphException if the driver is older than CUDA 12.3, the condition lies on another
   *     device, an operation is not allowed in a body, or a node belongs to another graph
   * @throws IllegalArgumentException if the condition is not one int
   * @throws ClosedException if the condition is closed
   * @throws IllegalStateException if the graph is built, or a node is added to it while a body is
   *     being described
   */
  public GraphNode whileNonZero(
      GlobalInts condition, Consumer<GraphBuilder> body, GraphNode... after) {
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(body, "body");
    Objects.requireNonNull(after, "after");
    return branch(GraphNode.Kind.WHILE, condition, List.of(body), after);
  }

  /**
   * {@return a node that runs one of several bodies} An int in device memory is the number of the
   * body to run, counted from 0, when the node begins; if there is no body of that number, none
   * runs. See {@link #ifNonZero(GlobalInts, Consumer, GraphNode...)}.
   *
   * @param condition one int on the device
   * @param bodies describe the bodies, one each; at least one
   * @param after the nodes that it comes after
   * @throws GraphException if the driver is older than CUDA 12.8, the condition lies on another
   *     device, an operation is not allowed in a body, or a node belongs to another graph
   * @throws IllegalArgumentException if the condition is not one int, or no body is given
   * @throws ClosedException if the condition is closed
   * @throws IllegalStateException if the graph is built, or a node is added to it while a body is
   *     being described
   */
  public GraphNode switchOn(
      GlobalInts condition, List<Consumer<GraphBuilder>> bodies, GraphNode... after) {
    Objects.requireNonNull(condition, "condition");
    Objects.requireNonNull(bodies, "bodies");
    Objects.requireNonNull(after, "after");
    if (bodies.isEmpty()) {
      throw new IllegalArgumentException("a switch without bodies");
    }
    return branch(GraphNode.Kind.SWITCH, condition, bodies, after);
  }

  private GraphNode branch(
      GraphNode.Kind kind,
      GlobalInts condition,
      List<Consumer<GraphBuilder>> bodies,
      GraphNode... after) {
    requireUnbuilt();
    NodeWorks.requireCondition(condition);
    for (Consumer<GraphBuilder> body : bodies) {
      Objects.requireNonNull(body, "an element of bodies");
    }
    NodeWorks.requireConditionals(device.engine(), kind, bodies.size());
    describingBody = true;
    List<List<NodeWork.Step>> steps;
    try {
      steps = bodies.stream().map(this::described).toList();
    } finally {
      describingBody = false;
    }
    return add(NodeWorks.conditional(device.engine(), kind, condition, steps), after);
  }

  private List<NodeWork.Step> described(Consumer<GraphBuilder> body) {
    GraphBuilder builder = new GraphBuilder(device, true);
    body.accept(builder);
    builder.built = true;
    return GraphDraft.steps(builder.draft.nodes());
  }

  /**
   * {@return a node that does nothing} A node that comes after it also comes after all of its
   * predecessors. This takes fewer edges than ordering each pair.
   *
   * @param after the nodes that it comes after
   * @throws GraphException if a node belongs to another graph
   * @throws IllegalStateException if the graph is built
   */
  public GraphNode join(GraphNode... after) {
    Objects.requireNonNull(after, "after");
    return add(NodeWorks.join(), after);
  }

  /**
   * {@return the graph} From now on it owns the resources that its nodes use.
   *
   * @throws ClosedException if the device, or a resource that a node uses, is closed
   * @throws IllegalStateException if it was built before, or is the body of a conditional node
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Graph build() {
    if (built) {
      throw new IllegalStateException("the graph was built before");
    }
    if (ofBody || describingBody) {
      throw new IllegalStateException(
          "the body of a conditional node is part of its graph: build the graph after the body is"
              + " described");
    }
    Graph graph = new Graph(device, draft);
    built = true;
    return graph;
  }
}
