package dev.stretto;

import dev.stretto.driver.GraphChanges;
import dev.stretto.driver.GraphWork;
import dev.stretto.enqueue.Direction;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.TensorMap;
import dev.stretto.observe.NodeMarks;
import dev.stretto.observe.Observation;
import dev.stretto.observe.Observers;
import dev.stretto.observe.Work;
import dev.stretto.observe.WorkKind;
import dev.stretto.order.Issue;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.GraphGuest;
import dev.stretto.route.GraphProgram;
import dev.stretto.route.GraphStage;
import dev.stretto.route.GraphVersion;
import dev.stretto.route.GuestLaunch;
import dev.stretto.route.Reports;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.TimedLaunch;
import dev.stretto.settings.OrderMode;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A set of operations with their order, recorded once and launched many times with one call each. A
 * launch costs the host much less than enqueuing its operations one by one.
 *
 * <p>A graph is {@linkplain #capture captured} from the operations that a piece of code enqueues on
 * streams, or {@linkplain #builder built} node by node; both make the same nodes. After that, only
 * the parameters of its nodes can change.
 *
 * <p>A graph owns the resources that its nodes use: device memory, pinned memory of arenas, events
 * and kernels remain until the graph is closed and its launches are done, even if the program
 * closes them meanwhile. Memory that is pinned by a {@link Registration}, and memory of another
 * device that does no work of the graph (its device memory or host memory pinned through it), still
 * belongs to the program: a launch is refused when that memory, or the access to it, is closed.
 *
 * <p>A launch can depend on values that the device has computed: {@link GraphBuilder#ifNonZero},
 * {@link GraphBuilder#whileNonZero} and {@link GraphBuilder#switchOn} make nodes that run, repeat
 * or skip other nodes, depending on an int in device memory.
 *
 * <p>Launches of one graph never overlap, even on different streams: each begins when the one
 * before is done (CUDA Driver API, {@code cuGraphLaunch}). To run the same work at the same time,
 * make several graphs.
 *
 * <p>Callbacks never run on a thread of the driver. A graph with callbacks is launched in several
 * {@linkplain #segments() segments}, with the callbacks between them: a segment begins when the
 * callbacks before it have returned, and callbacks begin when the whole segment before them is
 * done. So use few callbacks.
 *
 * <p>Any thread may use a graph.
 */
public final class Graph implements AutoCloseable {
  private final Device device;
  private final List<GraphNode> nodes;
  private final GraphStages stages;
  private final GraphMemory memory;

  /** Those that have to know of each launch. */
  private final List<GraphGuest<?, ?>> guests;

  private GraphVersion version;
  private @Nullable GraphProgram program;
  private final Leaks.Watched watched;
  private final GraphOrder order = new GraphOrder();
  private boolean closed;

  Graph(Device device, GraphDraft draft) {
    this.device = device;
    this.nodes = draft.nodes();
    this.memory = draft.memory();
    boolean isRight = false;
    try {
      List<NodeWork.Step> steps = GraphDraft.steps(nodes);
      if (device.engine().device().order() != OrderMode.OFF) {
        GraphOrder.requireOrdered(steps);
      }
      this.stages = GraphStages.of(device.engine(), steps);
      this.version =
          GraphVersion.of(
              device.engine(),
              stages.works(),
              stages.callbacks(),
              GraphStages.used(steps),
              stages.others(),
              draft::refusal);
      this.watched = device.watchedLeaks().watch(this, Graph::toString);
      this.guests = CapturedCall.guests(GraphStages.used(steps));
      memory.handOver();
      isRight = true;
    } finally {
      draft.leaveParts();
      if (!isRight) {
        memory.abandon();
      }
    }
  }

  // --- making
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * {@return a graph of the operations that a piece of code enqueues on a stream} None of them is
   * really enqueued.
   *
   * <p>The following operations can be captured: copies of pinned memory, copies within the device,
   * copies between it and devices to whose memory it has {@linkplain Device#enablePeerAccess
   * access}, fills, launches, callbacks, records, waits, numbers that are written and awaited,
   * decisions of the device ({@link GraphBranch}), {@linkplain Stream#call(ForeignWork, List, List)
   * calls of other libraries}, operations of a {@link dev.stretto.collective.Communicator}, and
   * launches of other graphs, which become {@link GraphNode.Kind#CHILD} nodes. A stream that waits
   * for a captured event is captured from there on, and has to be joined again: the given stream
   * has to wait for an event recorded after the last operation of that stream. Arguments are those
   * at the time of the call. Callbacks run in every launch.
   *
   * <p>That stream may be one of another device of the same driver: its operations are the work of
   * its own device, in every launch, and the graph owns that device's memory and kernels as it owns
   * those of its own. A copy between the two needs the access of the device on whose stream it is
   * captured. The graph is launched on streams of the given stream's device; its launches are
   * refused once the other device is closed or lost.
   *
   * <p>An array that is allocated on a captured stream ({@link Stream#allocateFloats}) belongs to
   * the graph: its memory is there, at the same address in every launch, until the graph is closed.
   * If the body closes it, a node frees it behind all nodes that use it, and later allocations may
   * have its bytes; else the program may use it between launches. Each launch begins with undefined
   * contents. CUDA C++ Programming Guide, "Graph Memory Nodes".
   *
   * <p>The body runs on the calling thread, before this method returns. Operations that cannot be
   * part of a graph are refused, with their source line: awaiting or querying captured work; copies
   * of pageable host memory, which have to be staged; copies between devices without access; {@code
   * device.allocate…} and pinned memory; timed events; events from outside the capture; default
   * streams; operations of another thread on a captured stream. After a refusal the capture fails,
   * even if the body catches the exception.
   *
   * @param stream a stream that is not a default stream
   * @param body the code to capture
   * @throws GraphException if an operation cannot be captured
   * @throws ClosedException if the stream, the device or a resource that was used is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public static Graph capture(Stream stream, Runnable body) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(body, "body");
    stream.device().engine().requireUsable();
    if (!stream.isOpen()) {
      throw new ClosedException(stream + " is closed");
    }
    return new Graph(stream.device(), Capture.of(stream.captured(), body));
  }

  /**
   * {@return a graph of the operations that a piece of code enqueues on a stream} As {@link
   * #capture(Stream, Runnable)}, for a body that is given the stream.
   *
   * @param stream a stream that is not a default stream
   * @param body the code to capture
   * @throws GraphException if an operation cannot be captured
   * @throws ClosedException if the stream, the device or a resource that was used is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public static Graph capture(Stream stream, Consumer<Stream> body) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(body, "body");
    return capture(stream, () -> body.accept(stream));
  }

  /**
   * {@return a builder that makes a graph node by node}
   *
   * @param device the device that the graph will run on
   */
  public static GraphBuilder builder(Device device) {
    Objects.requireNonNull(device, "device");
    return new GraphBuilder(device);
  }

  // --- what it is
  // -------------------------------------------------------------------------------------------------------------

  /** {@return the device that the graph runs on} */
  public Device device() {
    return device;
  }

  /** {@return the nodes, each after its predecessors} */
  public List<GraphNode> nodes() {
    return nodes;
  }

  /**
   * {@return in how many pieces a launch is given to the driver} One, or more if there are
   * callbacks between nodes.
   */
  public int segments() {
    return stages.segments();
  }

  /**
   * {@return how many bytes of device memory the graph has for the arrays that its capture
   * allocated} Arrays whose uses are ordered one after the other share bytes. What the driver needs
   * for the graph itself is not counted.
   */
  public long memoryBytes() {
    return memory.bytes();
  }

  /**
   * {@return a drawing in the language of Graphviz} Each node shows its number and its operation,
   * and its tooltip is the line of the program that made it.
   */
  public String toDot() {
    return GraphDrawing.dot(nodes);
  }

  synchronized List<NodeWork.Step> steps() {
    requireOpen();
    return GraphDraft.steps(nodes);
  }

  // --- launching
  // --------------------------------------------------------------------------------------------------------------

  /**
   * Makes the executable graph in the driver, so that the first launch need not do so. This takes
   * some ten microseconds, and more with each node.
   *
   * @return this
   * @throws ClosedException if the graph, the device, or memory that still belongs to the program
   *     is closed
   * @throws dev.stretto.fault.PeerAccessException if access to the memory of another device that
   *     the graph uses has ended
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public synchronized Graph instantiate() {
    GraphProgram _ = program();
    return this;
  }

  private GraphProgram program() {
    requireOpen();
    GraphProgram made = program;
    if (made == null) {
      made =
          GraphProgram.create(
              device.engine(),
              GraphDraft.withKernels(nodes),
              stages.stages(),
              stages.after(),
              version);
      program = made;
    }
    return made;
  }

  /**
   * Uploads the graph to the device, in the order of the stream, so that its first launch need not
   * do so. CUDA Driver API, {@code cuGraphUpload}.
   *
   * @param stream a stream of the graph's device
   * @return an event that happens when the graph is uploaded
   * @throws IllegalArgumentException if the stream belongs to another device
   * @throws ClosedException if the graph, the stream or the device is closed, or, the first time,
   *     if memory that still belongs to the program is closed
   * @throws dev.stretto.fault.PeerAccessException if, the first time, access to the memory of
   *     another device that the graph uses has ended
   * @throws GraphException if the stream is being captured
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public synchronized Event upload(Stream stream) {
    Objects.requireNonNull(stream, "stream");
    requireDevice(stream, "uploaded");
    stream.captured().requireNone("an upload of a graph");
    return new Event(stream, program().upload(stream.queue()));
  }

  /**
   * Enqueues all operations of the graph, with its current parameters. The first launch also
   * instantiates and uploads the graph, unless {@link #instantiate()} and {@link #upload} have done
   * so. For callers that do not await this launch, {@link Stream#launch(Graph)} saves the driver an
   * event.
   *
   * @param stream a stream of the graph's device; not a default stream if there are callbacks
   * @return an event that happens when the whole launch is done; a captured event if the stream is
   *     being captured
   * @throws IllegalArgumentException if the stream belongs to another device
   * @throws ClosedException if the graph, the stream, the device, or a registration or memory of
   *     another device that the graph uses is closed
   * @throws dev.stretto.fault.PeerAccessException if access to the memory of another device that
   *     the graph uses has ended
   * @throws dev.stretto.fault.RouteException if this is a default stream and there are callbacks,
   *     or an upload of the graph is still held back on another stream
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event launch(Stream stream) {
    Objects.requireNonNull(stream, "stream");
    return new Event(stream, enqueue(stream, true));
  }

  /** Enqueues a launch, with a mark if its end may be awaited. */
  long enqueue(Stream stream, boolean marked) {
    // The program's code is asked here, where no lock is held.
    boolean inside = device.observers().looksInsideGraphs();
    if (!guests.isEmpty() && stream.captured().current() == null) {
      return new GuestLaunch<Stream, Event>(stream, stream.queue())
          .enqueue(told(), () -> enqueue(stream, true, inside), end -> new Event(stream, end));
    }
    return enqueue(stream, marked, inside);
  }

  @SuppressWarnings("unchecked") // whoever has a stream captured knows it as a Stream
  private List<GraphGuest<Stream, Event>> told() {
    return guests.stream().map(guest -> (GraphGuest<Stream, Event>) guest).toList();
  }

  private long enqueue(Stream stream, boolean marked, boolean inside) {
    try (Reports _ = Reports.keep()) {
      return enqueueLocked(stream, marked, inside);
    }
  }

  private synchronized long enqueueLocked(Stream stream, boolean marked, boolean inside) {
    stream.requireUsable();
    requireDevice(stream, "launched");
    Capture capture = stream.captured().current();
    if (capture != null) {
      return capture.add(stream.captured(), new NodeWork.Child(steps()), guests);
    }
    return launchObserved(stream, marked, inside);
  }

  private long launchObserved(Stream stream, boolean marked, boolean inside) {
    GraphProgram ready = program();
    Observers observers = device.observers();
    StreamQueue queue = stream.queue();
    StackTraceElement place = observers.launchPlace(queue, WorkKind.GRAPH, "");
    Issue issue = order.begin(queue, nodes);
    Observation begin = null;
    TimedLaunch timed = null;
    long sequence = -1;
    try {
      begin = observers.before(stream.opening(), WorkKind.GRAPH);
      if (begin != null && inside) {
        timed = ready.timed(version);
      }
      sequence = ready.launch(queue, version, marked, place, timed);
      order.enqueued(queue, sequence);
    } finally {
      Issue.end(issue, sequence);
      if (begin != null && sequence < 0) {
        begin.letGo();
      }
    }
    if (begin != null) {
      String name = "graph of " + nodes.size() + " nodes";
      List<NodeMarks> marks =
          timed == null
              ? List.of()
              : InnerNode.marks(stages.inner(), timed.nodes(stream.opening()));
      observers.after(begin, stream.opening(), Work.graph(name, sequence, marks));
    }
    return sequence;
  }

  private void requireDevice(Stream stream, String what) {
    if (stream.device().engine() != device.engine()) {
      throw new IllegalArgumentException(
          "a graph of " + device.name() + " cannot be " + what + " on " + stream);
    }
  }

  // --- changing
  // ---------------------------------------------------------------------------------------------------------------

  /**
   * Exchanges an argument of a kernel for later launches. Earlier launches, which may still be held
   * back, keep their argument. CUDA Driver API, {@code cuGraphExecKernelNodeSetParams}.
   *
   * @param node a launch among this graph's nodes
   * @param index the index of the parameter, not counting the thread block
   * @param value a value of exactly the parameter's type
   * @throws GraphException if the node is not a launch in this graph
   * @throws IllegalArgumentException if the value is of another type, or lies on a device to whose
   *     memory this one has no access
   * @throws IndexOutOfBoundsException if there is no such parameter
   * @throws ClosedException if the graph, the device or the value is closed
   */
  public synchronized void setArgument(GraphNode node, int index, Object value) {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(value, "value");
    Launch launch = changeable(node, GraphNode.Kind.KERNEL).launch();
    Launch changed = Objects.requireNonNull(launch, "launch").copy();
    requireOpenValue(value);
    change(Map.of(node, NodeWorks.kernel(changed.set(index, value))));
  }

  private static void requireOpenValue(Object value) {
    GlobalArray array =
        value instanceof GlobalArray given
            ? given
            : value instanceof TensorMap map ? map.array() : null;
    if (array != null && !array.isOpen()) {
      throw new ClosedException(array + " is closed");
    }
  }

  /**
   * Exchanges the ends of a copy from pinned memory to the device for later launches. The new ends
   * may have a different size. CUDA Driver API, {@code cuGraphExecMemcpyNodeSetParams}.
   *
   * @param node a copy in that direction among this graph's nodes, but not a copy of rows with gaps
   *     between them
   * @param source pinned memory
   * @param destination as many bytes, on the graph's device
   * @throws GraphException if it is not such a copy of this graph, the source is not pinned, or the
   *     destination lies on another device
   * @throws IllegalArgumentException if the sizes differ or are 0
   * @throws ClosedException if the graph, the device or one of the ends is closed
   */
  public synchronized void setCopy(GraphNode node, MemorySegment source, GlobalArray destination) {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    changeCopy(node, NodeWorks.copy(doer(node), Direction.TO_DEVICE, source, destination));
  }

  /**
   * Exchanges the ends of a copy from the device to pinned memory for later launches.
   *
   * @param node a copy in that direction among this graph's nodes, but not a copy of rows with gaps
   *     between them
   * @param source on the graph's device
   * @param destination as many bytes, pinned and writable
   * @throws GraphException if it is not such a copy of this graph, the destination is not pinned,
   *     or the source lies on another device
   * @throws IllegalArgumentException if the sizes differ or are 0, or the destination is read-only
   * @throws ClosedException if the graph, the device or one of the ends is closed
   */
  public synchronized void setCopy(GraphNode node, GlobalArray source, MemorySegment destination) {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    changeCopy(node, NodeWorks.copy(doer(node), Direction.TO_HOST, destination, source));
  }

  /**
   * Exchanges the ends of a copy within the device, or from device to device, for later launches.
   * Each end stays on its device.
   *
   * @param node such a copy among this graph's nodes, but not a copy of rows with gaps between them
   * @param source on the same device as before
   * @param destination as many bytes, on the same device as before, not overlapping the source
   * @throws GraphException if it is not such a copy of this graph, an end lies on another device
   *     than before, or access to the other device has ended
   * @throws IllegalArgumentException if the sizes differ or are 0, or the ends overlap
   * @throws ClosedException if the graph, the device or one of the ends is closed
   */
  public synchronized void setCopy(GraphNode node, GlobalArray source, GlobalArray destination) {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(destination, "destination");
    changeCopy(node, NodeWorks.copy(doer(node), source, destination));
  }

  /** {@return the device that does the work of a node} */
  private DeviceRuntime doer(GraphNode node) {
    NodeWork work = node.work() instanceof NodeWork.Off off ? off.on() : node.work();
    return work instanceof NodeWork.OnDevice on && on.engine() != null
        ? on.engine()
        : device.engine();
  }

  private void changeCopy(GraphNode node, NodeWork.OnDevice work) {
    GraphWork before = changeable(node, GraphNode.Kind.COPY).work();
    requireNoObstacle(node, work, GraphChanges.obstacle(before, work.work()), "make another graph");
    change(Map.of(node, work));
  }

  private static void requireNoObstacle(
      GraphNode node, NodeWork work, String obstacle, String wayOut) {
    if (!obstacle.isEmpty()) {
      throw NodeWorks.refused(
          node + " cannot become a " + work.label() + ": " + obstacle + "; " + wayOut);
    }
  }

  /**
   * Exchanges the array and the value of a fill for later launches. CUDA Driver API, {@code
   * cuGraphExecMemsetNodeSetParams}.
   *
   * @param node a fill among this graph's nodes, whose elements have at most 4 bytes
   * @param array an array on the graph's device, whose elements have at most 4 bytes
   * @param value a {@link Float} for floats, halfs and bfloats, an {@link Integer}, {@link Short}
   *     or {@link Byte} for the others; or a number that Java widens to that
   * @throws GraphException if it is not such a fill of this graph, if it fills rows, or the array
   *     lies on another device or has elements of 8 bytes, for which CUDA needs several nodes
   * @throws IllegalArgumentException if the value is of another type or the array has no elements
   * @throws ClosedException if the graph, the device or the array is closed
   */
  public synchronized void setFill(GraphNode node, GlobalArray array, Number value) {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(array, "array");
    Objects.requireNonNull(value, "value");
    GraphWork before = changeable(node, GraphNode.Kind.FILL).work();
    NodeWork.OnDevice work = NodeWorks.fill(doer(node), array, FillValue.bits(array, value));
    requireNoObstacle(node, work, GraphChanges.obstacle(before, work.work()), "make another graph");
    change(Map.of(node, work));
  }

  /**
   * Exchanges a callback for later launches. It runs where the one before did. CUDA Driver API,
   * {@code cuGraphExecHostNodeSetParams}.
   *
   * @param node a callback among this graph's nodes
   * @param callback the new callback
   * @throws GraphException if the node is not a callback in this graph
   * @throws ClosedException if the graph or the device is closed
   */
  public synchronized void setCallback(GraphNode node, Runnable callback) {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(callback, "callback");
    requireOwn(node, GraphNode.Kind.HOST);
    NodeWork.OnHost before = (NodeWork.OnHost) node.work();
    change(Map.of(node, before.with(callback)));
  }

  /**
   * Switches a node off or on for later launches. While it is off, it does nothing, but keeps its
   * place in the order; its parameters can be changed all the same. CUDA Driver API, {@code
   * cuGraphNodeSetEnabled}.
   *
   * @param node a copy, a fill or a launch among this graph's nodes
   * @param enabled whether it does its work
   * @throws GraphException if the node is of another kind, or not in this graph
   * @throws ClosedException if the graph or the device is closed
   */
  public synchronized void setEnabled(GraphNode node, boolean enabled) {
    Objects.requireNonNull(node, "node");
    requireOwn(node, node.kind());
    switch (node.kind()) {
      case COPY, FILL, KERNEL -> {}
      default ->
          throw NodeWorks.refused(
              node + " cannot be switched off: CUDA can only switch copies, fills and launches");
    }
    if (node.isEnabled() != enabled) {
      NodeWork.OnDevice work = changeable(node, node.kind());
      exchange(Map.of(node, enabled ? work : new NodeWork.Off(work)));
    }
  }

  /**
   * {@return what keeps this graph from taking over the parameters of another one} Nothing if
   * {@link #update} can do that.
   *
   * @param other a graph of the same device
   * @throws IllegalArgumentException if the other graph belongs to another device
   * @throws ClosedException if one of the graphs or the device is closed
   */
  public List<GraphMisfit> misfits(Graph other) {
    return comparison(other).misfits();
  }

  private GraphComparison comparison(Graph other) {
    Objects.requireNonNull(other, "other");
    List<NodeWork.Step> _ = steps(); // both are open
    List<NodeWork.Step> _ = other.steps();
    if (other.device.engine() != device.engine()) {
      throw new IllegalArgumentException(
          "%s cannot take over parameters of %s".formatted(this, other));
    }
    return GraphComparison.of(device.engine(), nodes, other.nodes);
  }

  /**
   * Takes over all parameters of another graph for later launches: its arguments, the ends of its
   * copies, its values, events and callbacks. So a program can capture the same code again with
   * other arguments, and need not have the driver make another graph. Both have to have the same
   * nodes in the same order. What is {@linkplain #setEnabled off} stays off. The other graph stays
   * as it is, and may be closed. CUDA Driver API, {@code cuGraphExecUpdate}.
   *
   * <pre>{@code
   * try (Graph again = Graph.capture(stream, body)) {
   *   graph.update(again);
   * }
   * }</pre>
   *
   * @param other a graph of the same device, with the same nodes
   * @throws GraphException if something does not fit: then nothing is changed, and the message
   *     names all of it; {@link #misfits} asks first
   * @throws IllegalArgumentException if the other graph belongs to another device
   * @throws ClosedException if one of the graphs or the device is closed
   */
  public void update(Graph other) {
    GraphComparison comparison = comparison(other);
    List<GraphMisfit> misfits = comparison.misfits();
    if (!misfits.isEmpty()) {
      throw NodeWorks.refused(
          "%s does not fit the other one; close it and take that one instead:%n  %s"
              .formatted(
                  this,
                  misfits.stream()
                      .map(GraphMisfit::toString)
                      .collect(Collectors.joining(System.lineSeparator() + "  "))));
    }
    synchronized (this) {
      requireOpen();
      change(comparison.changes());
    }
  }

  private NodeWork.OnDevice changeable(GraphNode node, GraphNode.Kind kind) {
    requireOwn(node, kind);
    NodeWork work = node.work() instanceof NodeWork.Off off ? off.on() : node.work();
    if (!(work instanceof NodeWork.OnDevice onDevice)) {
      throw NodeWorks.refused(node + " is not a " + kind);
    }
    return onDevice;
  }

  private void requireOwn(GraphNode node, GraphNode.Kind kind) {
    requireOpen();
    if (!isOwn(node)) {
      throw NodeWorks.refused(node + " does not belong to this graph");
    }
    if (node.kind() != kind) {
      throw NodeWorks.refused(node + " is not a " + kind);
    }
  }

  private boolean isOwn(GraphNode node) {
    List<GraphNode> among = nodes;
    GraphNode found = null;
    for (int index : node.path()) {
      if (index >= among.size()) {
        return false;
      }
      found = among.get(index);
      among = found.nodes();
    }
    return node.equals(found);
  }

  /** Gives nodes other work; those that are off stay off. */
  private void change(Map<GraphNode, ? extends NodeWork> works) {
    Map<GraphNode, NodeWork> changes = new LinkedHashMap<>();
    works.forEach(
        (node, work) ->
            changes.put(
                node,
                !node.isEnabled() && work instanceof NodeWork.OnDevice on
                    ? new NodeWork.Off(on)
                    : work));
    exchange(changes);
  }

  private void exchange(Map<GraphNode, NodeWork> changes) {
    List<NodeWork.Step> steps = GraphDraft.steps(nodes, changes);
    if (device.engine().device().order() != OrderMode.OFF) {
      GraphOrder.requireOrdered(steps);
    }
    GraphVersion before = version;
    GraphWork[][] works = before.works();
    GraphStage.@Nullable OnHost[] callbacks = before.callbacks();
    Set<Integer> own = new HashSet<>();
    changes.forEach(
        (node, work) -> {
          GraphStages.Place place = stages.place(node.path());
          int stage = place.stage();
          if (work instanceof NodeWork.OnHost host) {
            callbacks[stage] = new GraphStage.OnHost(host.body(), host.executor());
            return;
          }
          if (own.add(stage)) {
            works[stage] = works[stage].clone();
          }
          works[stage][place.step()] = GraphStages.work(device.engine(), work, node.place());
        });
    version =
        GraphVersion.of(
            device.engine(),
            works,
            callbacks,
            GraphStages.used(steps),
            stages.others(),
            resource -> new ClosedException(resource.describe() + " is closed"));
    changes.forEach(GraphNode::change);
    boolean first = before.closeAfterLastUse();
    assert first
        || device.engine().isClosed()
        || stages.others().stream().anyMatch(DeviceRuntime::isClosed);
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  private void requireOpen() {
    if (closed) {
      throw new ClosedException("the graph is closed");
    }
    device.engine().requireUsable();
  }

  /** {@return whether the graph can be launched} */
  public synchronized boolean isOpen() {
    return !closed && device.isOpen();
  }

  /**
   * Ends the use of the graph. Launches that are already enqueued run to their end; then the
   * graph's resources are released. Does not block. Closing it again has no further effect.
   */
  @Override
  public void close() {
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      GraphProgram made = program;
      if (made != null) {
        boolean _ = made.closeAfterLastUse();
      }
      boolean _ = version.closeAfterLastUse();
      memory.close();
      watched.closed();
    }
    device.engine().finishIfClosed();
  }

  @Override
  public String toString() {
    return "graph of " + nodes.size() + " nodes on " + device.name();
  }
}
