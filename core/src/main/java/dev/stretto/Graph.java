package dev.stretto;

import dev.stretto.driver.GraphWork;
import dev.stretto.enqueue.Direction;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.GraphException;
import dev.stretto.memory.GlobalArray;
import dev.stretto.memory.TensorMap;
import dev.stretto.observe.Observation;
import dev.stretto.observe.Observers;
import dev.stretto.observe.Work;
import dev.stretto.observe.WorkKind;
import dev.stretto.route.GraphProgram;
import dev.stretto.route.GraphVersion;
import dev.stretto.route.Reports;
import dev.stretto.route.Resource;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Work that was noted once, with what comes after what, and is launched again and again by one
 * call. A launch costs the host much less than its operations one by one would.
 *
 * <p>A graph is {@linkplain #capture captured} from what a piece of program enqueues on streams, or
 * {@linkplain #builder built} node by node; both make the same nodes. It does not change after
 * that, but for the parameters of its nodes.
 *
 * <p>A graph owns what its nodes use: device memory, pinned memory of arenas, events and kernels
 * stay until the graph is closed and its launches are done, whoever closes them meanwhile. Memory
 * that is pinned by a {@link Registration}, and memory of another device, pinned or its own,
 * remains the program's: a launch is refused when it is gone, or access to it is.
 *
 * <p>What a launch does can depend on what the device has found out: {@link
 * GraphBuilder#ifNonZero}, {@link GraphBuilder#whileNonZero} and {@link GraphBuilder#switchOn} make
 * nodes that do something, do it again, or leave it out, as an int in device memory says.
 *
 * <p>Launches of one graph never overlap, whatever streams they are on: each begins when the one
 * before is done (CUDA Driver API, {@code cuGraphLaunch}). To run the same work at the same time,
 * make several graphs.
 *
 * <p>Callbacks never run on a thread of the driver's. A graph with callbacks is launched in several
 * {@linkplain #segments() segments}, with the callbacks between them: a segment begins when the
 * callbacks before it have returned, and they begin when the segment before them is done as a
 * whole. So the fewer callbacks in a row of nodes, the better.
 *
 * <p>Any thread may use a graph.
 */
public final class Graph implements AutoCloseable {
  private final Device device;
  private final List<GraphNode> nodes;
  private final GraphStages stages;
  private GraphVersion version;
  private @Nullable GraphProgram program;
  private final Leaks.Watched watched;
  private boolean closed;

  Graph(Device device, GraphDraft draft) {
    this.device = device;
    this.nodes = draft.nodes();
    List<NodeWork.Step> steps = GraphDraft.steps(nodes);
    this.stages = GraphStages.of(steps);
    this.version =
        GraphVersion.of(device.engine(), stages.works(), GraphStages.used(steps), draft::refusal);
    this.watched = device.watchedLeaks().watch(this, Graph::toString);
  }

  // --- making
  // -----------------------------------------------------------------------------------------------------------------

  /**
   * {@return what a piece of program enqueues on a stream} Nothing of it is enqueued.
   *
   * <p>Captured are copies of pinned memory, within the device, and between it and devices to whose
   * memory it has {@linkplain Device#enablePeerAccess access}, fills, launches, callbacks, records,
   * waits, and launches of other graphs, which become {@link GraphNode.Kind#CHILD} nodes. A stream
   * that waits for a captured event is captured from there on, and has to be joined again: the
   * given stream has to wait for an event behind its last operation. Arguments are those of the
   * moment of the call, callbacks run in every launch.
   *
   * <p>The body runs on the calling thread, before this returns. Refused, with the line that did
   * it, is what has no place in a graph: to await or ask for captured work; ordinary host memory,
   * which has to be staged; copies between devices without access; allocation of device or pinned
   * memory; timed events; events from outside; default streams; operations of another thread on a
   * captured stream. After a refusal the capture fails, even if the body catches it.
   *
   * @param stream a stream that is not a default stream
   * @param body what to capture
   * @throws GraphException if something cannot be captured
   * @throws ClosedException if the stream, the device or something that was used is closed
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
   * {@return what a piece of program enqueues on a stream} As {@link #capture(Stream, Runnable)},
   * for a body that is given the stream.
   *
   * @param stream a stream that is not a default stream
   * @param body what to capture
   * @throws GraphException if something cannot be captured
   * @throws ClosedException if the stream, the device or something that was used is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public static Graph capture(Stream stream, Consumer<Stream> body) {
    Objects.requireNonNull(stream, "stream");
    Objects.requireNonNull(body, "body");
    return capture(stream, () -> body.accept(stream));
  }

  /**
   * {@return what makes a graph node by node}
   *
   * @param device the device that it is to run on
   */
  public static GraphBuilder builder(Device device) {
    Objects.requireNonNull(device, "device");
    return new GraphBuilder(device);
  }

  // --- what it is
  // -------------------------------------------------------------------------------------------------------------

  /** {@return the device that it runs on} */
  public Device device() {
    return device;
  }

  /** {@return its nodes, in an order in which each comes after those that it comes after} */
  public List<GraphNode> nodes() {
    return nodes;
  }

  /**
   * {@return in how many pieces the driver gets a launch} One, or more where callbacks stand
   * between nodes.
   */
  public int segments() {
    return stages.segments();
  }

  /**
   * {@return a drawing in the language of Graphviz} Each node has its number and what it does, with
   * the line of the program that made it as its tooltip.
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
   * Has the driver make what can be launched, so that the first launch need not. It takes some ten
   * microseconds and more with each node.
   *
   * @return this
   * @throws ClosedException if the graph, the device, or something that remains the program's is
   *     closed
   * @throws dev.stretto.fault.PeerAccessException if access to the memory of another device that it
   *     uses has ended
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
   * Brings the graph to the device, in the order of the stream, so that its first launch need not.
   * CUDA Driver API, {@code cuGraphUpload}.
   *
   * @param stream of the graph's device
   * @return happens when it is there
   * @throws IllegalArgumentException if the stream belongs to another device
   * @throws ClosedException if the graph, the stream or the device is closed, or, the first time,
   *     something that remains the program's
   * @throws dev.stretto.fault.PeerAccessException if, the first time, access to the memory of
   *     another device that it uses has ended
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
   * Enqueues all that the graph does, with the parameters that it has now. The first launch makes
   * it ready, unless {@link #instantiate()} and {@link #upload} have. Where nobody awaits this very
   * launch, {@link Stream#launch(Graph)} spares the driver an event.
   *
   * @param stream of the graph's device; not a default stream if there are callbacks
   * @return happens when all of it is done; captured if the stream is being captured
   * @throws IllegalArgumentException if the stream belongs to another device
   * @throws ClosedException if the graph, the stream, the device, or a registration or memory of
   *     another device that it needs is closed
   * @throws dev.stretto.fault.PeerAccessException if access to the memory of another device that it
   *     uses has ended
   * @throws dev.stretto.fault.RouteException if this is a default stream and there are callbacks,
   *     or an upload of the graph is still held back on another stream
   * @throws dev.stretto.fault.OutOfDeviceMemoryException if the device has too little free memory
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event launch(Stream stream) {
    Objects.requireNonNull(stream, "stream");
    return new Event(stream, enqueue(stream, true));
  }

  /** Enqueues a launch that is marked if its very end may be awaited. */
  long enqueue(Stream stream, boolean marked) {
    try (Reports _ = Reports.keep()) {
      return enqueueLocked(stream, marked);
    }
  }

  private synchronized long enqueueLocked(Stream stream, boolean marked) {
    stream.requireUsable();
    requireDevice(stream, "launched");
    Capture capture = stream.captured().current();
    if (capture != null) {
      return capture.add(stream.captured(), new NodeWork.Child(steps()));
    }
    return launchObserved(stream, marked);
  }

  private long launchObserved(Stream stream, boolean marked) {
    GraphProgram ready = program();
    Observers observers = device.observers();
    StackTraceElement place = observers.launchPlace();
    Observation begin = observers.before(stream.opening(), WorkKind.GRAPH);
    if (begin == null) {
      return ready.launch(stream.queue(), version, marked, place);
    }
    long sequence = 0;
    try {
      sequence = ready.launch(stream.queue(), version, marked, place);
    } finally {
      if (sequence == 0) {
        begin.letGo();
      }
    }
    String name = "graph of " + nodes.size() + " nodes";
    observers.after(begin, stream.opening(), new Work(WorkKind.GRAPH, name, sequence, 0));
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
   * Exchanges an argument of a kernel for the launches that follow; those before, which may be held
   * back still, keep theirs. CUDA Driver API, {@code cuGraphExecKernelNodeSetParams}.
   *
   * @param node a launch among this graph's nodes
   * @param index of the parameter, the thread block not counted
   * @param value of exactly the parameter's type
   * @throws GraphException if it is not a launch of this graph
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
    change(node, NodeWorks.kernel(changed.set(index, value)));
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
   * Exchanges the ends of a copy from pinned memory to the device for the launches that follow.
   * Their size may be another. CUDA Driver API, {@code cuGraphExecMemcpyNodeSetParams}.
   *
   * @param node a copy of that way among this graph's nodes, not one of rows that lie apart
   * @param source pinned
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
    changeCopy(node, NodeWorks.copy(device.engine(), Direction.TO_DEVICE, source, destination));
  }

  /**
   * Exchanges the ends of a copy from the device to pinned memory for the launches that follow.
   *
   * @param node a copy of that way among this graph's nodes, not one of rows that lie apart
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
    changeCopy(node, NodeWorks.copy(device.engine(), Direction.TO_HOST, destination, source));
  }

  /**
   * Exchanges the ends of a copy within the device, or from device to device, for the launches that
   * follow. Each end stays on its device.
   *
   * @param node such a copy among this graph's nodes, not one of rows that lie apart
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
    changeCopy(node, NodeWorks.copy(device.engine(), source, destination));
  }

  private void changeCopy(GraphNode node, NodeWork.OnDevice work) {
    boolean possible =
        switch (changeable(node, GraphNode.Kind.COPY).work()) {
          case GraphWork.Copy from ->
              from.rows() == 1
                  && work.work() instanceof GraphWork.Copy to
                  && from.kind() == to.kind();
          case GraphWork.PeerCopy from ->
              work.work() instanceof GraphWork.PeerCopy to
                  && from.from() == to.from()
                  && from.to() == to.to();
          default -> false;
        };
    if (!possible) {
      throw NodeWorks.refused(
          node
              + " cannot become a "
              + work.label()
              + ": CUDA changes copies of one run of bytes"
              + " only, and not their way; make another graph");
    }
    change(node, work);
  }

  /**
   * Exchanges the array and the value of a fill for the launches that follow. CUDA Driver API,
   * {@code cuGraphExecMemsetNodeSetParams}.
   *
   * @param node a fill among this graph's nodes, of elements of at most 4 bytes
   * @param array on the graph's device, of elements of at most 4 bytes
   * @param value a {@link Float} for floats, halfs and bfloats, an {@link Integer}, {@link Short}
   *     or {@link Byte} for the others; or a number that Java widens to that
   * @throws GraphException if it is not such a fill of this graph, or the array lies on another
   *     device or has elements of 8 bytes, of which CUDA makes several nodes
   * @throws IllegalArgumentException if the value is of another type or the array has no elements
   * @throws ClosedException if the graph, the device or the array is closed
   */
  public synchronized void setFill(GraphNode node, GlobalArray array, Number value) {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(array, "array");
    Objects.requireNonNull(value, "value");
    GraphWork.Fill before = (GraphWork.Fill) changeable(node, GraphNode.Kind.FILL).work();
    if (before.elementBytes() == Long.BYTES || array.elementBytes() == Long.BYTES) {
      throw NodeWorks.refused(
          node
              + " cannot become a fill of "
              + array
              + ": fills of elements of 8 bytes are several"
              + " nodes of CUDA's and cannot be changed; make another graph");
    }
    change(node, NodeWorks.fill(device.engine(), array, FillValue.bits(array, value)));
  }

  private NodeWork.OnDevice changeable(GraphNode node, GraphNode.Kind kind) {
    requireOpen();
    boolean own = node.index() < nodes.size() && nodes.get(node.index()) == node;
    if (!own || node.kind() != kind || !(node.work() instanceof NodeWork.OnDevice work)) {
      throw NodeWorks.refused(
          node + (own ? " is not a " + kind : " does not belong to this graph"));
    }
    return work;
  }

  private void change(GraphNode node, NodeWork.OnDevice work) {
    GraphStages.Place place = Objects.requireNonNull(stages.place(node.index()), "place");
    List<NodeWork.Step> steps = GraphDraft.steps(nodes);
    Set<Resource> used =
        GraphStages.used(
            IntStream.range(0, steps.size())
                .mapToObj(
                    i ->
                        i == node.index()
                            ? new NodeWork.Step(work, steps.get(i).after(), node.place())
                            : steps.get(i))
                .toList());
    GraphVersion before = version;
    version =
        GraphVersion.of(
            device.engine(),
            before.with(place.stage(), place.step(), GraphStages.work(work, node.place())),
            used,
            resource -> new ClosedException(resource.describe() + " is closed"));
    node.change(work);
    boolean first = before.closeAfterLastUse();
    assert first || device.engine().isClosed();
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  private void requireOpen() {
    if (closed) {
      throw new ClosedException("the graph is closed");
    }
    device.engine().requireUsable();
  }

  /** {@return whether it can be launched} */
  public synchronized boolean isOpen() {
    return !closed && device.isOpen();
  }

  /**
   * Ends the use of the graph. Launches that are enqueued run to their end; what the graph owns is
   * let go then. Does not block. Closing it again has no further effect.
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
      watched.closed();
    }
    device.engine().finishIfClosed();
  }

  @Override
  public String toString() {
    return "graph of " + nodes.size() + " nodes on " + device.name();
  }
}
