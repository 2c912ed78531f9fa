package dev.stretto.driver.virtual;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphChanges;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.virtual.LaunchableGraph.Conditional;
import dev.stretto.driver.virtual.LaunchableGraph.Node;
import dev.stretto.driver.virtual.LaunchableGraph.Sequence;
import dev.stretto.driver.virtual.LaunchableGraph.Single;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls that concern graphs. Each node of a launch is an operation on a stream of its own that
 * comes after the nodes on which it depends. So nodes run in any order that their dependencies
 * allow.
 */
final class VirtualGraphs {
  private static final String CREATE = "cuGraphInstantiate";
  private static final String UPDATE = "cuGraphExecNodeSetParams";

  private final PrimaryContext context;
  private final Platform platform;
  private final Submission submission;
  private final VirtualCopies copies;
  private final EventCalls events;
  private final LaunchCalls launches;

  VirtualGraphs(
      PrimaryContext context,
      Submission submission,
      VirtualCopies copies,
      EventCalls events,
      LaunchCalls launches) {
    this.context = context;
    this.platform = context.platform();
    this.submission = submission;
    this.copies = copies;
    this.events = events;
    this.launches = launches;
  }

  // --- making
  // -----------------------------------------------------------------------------------------------------------------

  long create(GraphPlan plan) {
    List<Node> nodes = nodes(plan, false);
    return locked(
        () -> {
          long handle = platform.nextHandle();
          context.graphs().put(handle, new LaunchableGraph(nodes));
          return handle;
        });
  }

  /** {@return what is enqueued on a stream meanwhile} */
  GraphWork.Captured captured(long stream, LongConsumer work) {
    locked(
        () -> {
          context.captures().begin(stream);
          return null;
        });
    try {
      work.accept(stream);
      return locked(
          () -> {
            long handle = platform.nextHandle();
            return new GraphWork.Captured(handle, context.captures().end(stream, handle));
          });
    } finally {
      locked(
          () -> {
            context.captures().abandon(stream);
            return null;
          });
    }
  }

  /** {@return the operations of a node that another library has enqueued, or null for others} */
  private @Nullable List<Function<OpQueue, ? extends StreamOp>> captured(GraphWork work) {
    return switch (work) {
      case GraphWork.Captured captured ->
          locked(() -> context.captures().get(CREATE, captured.handle()));
      case GraphWork.Elsewhere elsewhere -> of(CREATE, elsewhere).captured(elsewhere.work());
      default -> null;
    };
  }

  private List<Node> nodes(GraphPlan plan, boolean ofBody) {
    List<Node> nodes = new ArrayList<>();
    for (GraphPlan.Step step : plan.steps()) {
      if (step.work() instanceof GraphWork.Conditional conditional) {
        nodes.add(conditional(conditional, step));
      } else {
        requireAllowed(step.work(), ofBody);
        List<Function<OpQueue, ? extends StreamOp>> captured = captured(step.work());
        nodes.add(
            captured == null
                ? new Single(step.work(), step.after(), maker(CREATE, step.work()))
                : new Sequence(step.work(), step.after(), captured));
      }
    }
    return nodes;
  }

  private Conditional conditional(GraphWork.Conditional work, GraphPlan.Step step) {
    if (work.condition() % Integer.BYTES != 0) {
      throw CudaResult.INVALID_VALUE.of(
          CREATE,
          "a condition at %s, which is not aligned to 4 bytes"
              .formatted(DeviceSpace.name(work.condition())));
    }
    context.memory().check(CREATE, work.condition(), Integer.BYTES);
    List<List<Node>> bodies = work.bodies().stream().map(body -> nodes(body, true)).toList();
    return new Conditional(work.branching(), work.condition(), bodies, step.after());
  }

  /** Refuses nodes that CUDA accepts at first, but not when it instantiates the graph. */
  private static void requireAllowed(GraphWork work, boolean ofBody) {
    boolean isFit =
        switch (work) {
          case GraphWork.RecordEvent _,
              GraphWork.WaitEvent _,
              GraphWork.WriteValue _,
              GraphWork.WaitValue _,
              GraphWork.Captured _,
              GraphWork.Elsewhere _ ->
              false;
          default -> true;
        };
    if (ofBody && !isFit) {
      throw CudaResult.INVALID_VALUE.of(
          CREATE,
          "an event, a number, another library or another device in the body of a conditional node:"
              + " "
              + work);
    }
  }

  private Function<OpQueue, StreamOp> maker(String call, GraphWork work) {
    return switch (work) {
      case GraphWork.Copy copy -> copy(call, copy);
      case GraphWork.Fill fill -> {
        copies.checkFill(call, fill);
        yield queue -> new FillOp(queue, fill);
      }
      case GraphWork.Kernel kernel ->
          launches.prepare(
                  kernel.function(),
                  kernel.shape(),
                  kernel.parameters(),
                  kernel.parameterPointers(),
                  kernel.place())
              ::apply;
      case GraphWork.RecordEvent record -> {
        Event event = locked(() -> events.own(call, record.event()));
        yield queue -> {
          RecordOp recording = new RecordOp(queue, record.event());
          event.standFor(recording);
          return recording;
        };
      }
      case GraphWork.WaitEvent wait -> {
        Event event = locked(() -> events.any(call, wait.event()));
        yield queue -> {
          RecordOp recording = event.recording();
          return recording == null
              ? new GraphOp(queue, "wait for an event that was never recorded", 0)
              : new WaitOp(queue, wait.event(), recording);
        };
      }
      case GraphWork.Empty _ -> queue -> new GraphOp(queue, "empty node", 0);
      case GraphWork.PeerCopy copy -> peerCopy(call, copy);
      case GraphWork.Planes copy ->
          copy(call, new CopyShape(copy.dst(), copy.src(), copy.shape(), copy.kind()));
      case GraphWork.WriteValue write -> {
        ValueOp.checkWritten(context, call, write.address(), write.bytes());
        yield queue -> ValueOp.write(queue, write.address(), write.value(), write.bytes());
      }
      case GraphWork.WaitValue wait -> {
        ValueOp.check(context, call, wait.address(), wait.bytes());
        yield queue ->
            ValueOp.await(queue, wait.address(), wait.value(), wait.bytes(), wait.condition());
      }
      case GraphWork.Undefined undefined -> {
        context.memory().check(call, undefined.address(), undefined.bytes());
        yield queue -> new PoisonOp(queue, undefined);
      }
      case GraphWork.Elsewhere elsewhere -> {
        VirtualGraphs other = of(call, elsewhere);
        other.context.checkAlive(call);
        yield other.maker(call, elsewhere.work());
      }
      case GraphWork.Off off -> {
        Function<OpQueue, StreamOp> _ = maker(call, off.work()); // checked like any other
        yield queue -> new GraphOp(queue, "a node that is switched off", 0);
      }
      case GraphWork.Conditional _, GraphWork.Captured _ ->
          throw CudaResult.NOT_SUPPORTED.of(
              call, "a node that consists of several cannot be changed");
    };
  }

  /** {@return the calls of the device that does some work of a graph of this one} */
  private VirtualGraphs of(String call, GraphWork.Elsewhere work) {
    VirtualGraphs other = work.device() instanceof VirtualDevice device ? device.graphs() : null;
    if (other == null || other.platform != platform) {
      throw CudaResult.INVALID_VALUE.of(call, "work of a device of another driver: " + work);
    }
    return other;
  }

  private Function<OpQueue, StreamOp> copy(String call, GraphWork.Copy copy) {
    return copy(
        call,
        CopyShape.rows(
            copy.dst(),
            copy.dstPitch(),
            copy.src(),
            copy.srcPitch(),
            copy.width(),
            copy.rows(),
            copy.kind()));
  }

  private Function<OpQueue, StreamOp> copy(String call, CopyShape shape) {
    copies.checkDirect(call, shape);
    return queue -> CopyOp.direct(queue, shape);
  }

  private Function<OpQueue, StreamOp> peerCopy(String call, GraphWork.PeerCopy copy) {
    PrimaryContext to = owner(copy.dst(), copy.to());
    PrimaryContext from = owner(copy.src(), copy.from());
    if (to == null
        || from == null
        || !copy.shape().isPossible()
        || (to != context && from != context)) {
      throw CudaResult.INVALID_VALUE.of(call, copy.toString());
    }
    to.checkAlive(call);
    from.checkAlive(call);
    CopyShape shape =
        new CopyShape(copy.dst(), copy.src(), copy.shape(), CopyKind.DEVICE_TO_DEVICE);
    to.memory().check(call, copy.dst(), shape.dstSpan());
    from.memory().check(call, copy.src(), shape.srcSpan());
    PrimaryContext other = to == context ? from : to;
    if (!locked(() -> context.reaches(other))) {
      throw CudaResult.INVALID_VALUE.of(
          call,
          "virtual device %d has no access to device %d"
              .formatted(context.ordinal(), other.ordinal()));
    }
    return queue -> new PeerCopyOp(queue, shape, to, from, true);
  }

  private @Nullable PrimaryContext owner(long address, int ordinal) {
    PrimaryContext owner = locked(() -> platform.owner(address));
    return owner != null && owner.ordinal() == ordinal ? owner : null;
  }

  void destroy(long handle) {
    LaunchableGraph graph = get("cuGraphExecDestroy", handle);
    boolean removed = context.graphs().remove(handle, graph);
    assert removed;
  }

  // --- changing
  // ---------------------------------------------------------------------------------------------------------------

  void update(long handle, int step, GraphWork work) {
    Function<OpQueue, StreamOp> maker = maker(UPDATE, work);
    locked(
        () -> {
          LaunchableGraph graph = get(UPDATE, handle);
          if (!(graph.nodes().get(step) instanceof Single before)) {
            throw CudaResult.INVALID_VALUE.of(UPDATE, "node %d has bodies".formatted(step));
          }
          String obstacle = GraphChanges.obstacle(before.work(), work);
          if (!obstacle.isEmpty()) {
            throw CudaResult.INVALID_VALUE.of(
                UPDATE, "node %d cannot become a %s: %s".formatted(step, work, obstacle));
          }
          graph.replace(step, new Single(work, before.after(), maker));
          return graph;
        });
  }

  // --- launching
  // --------------------------------------------------------------------------------------------------------------

  void upload(long handle, long stream) {
    locked(
        () -> {
          LaunchableGraph graph = get("cuGraphUpload", handle);
          GraphOp upload =
              submission.submit(
                  "cuGraphUpload",
                  stream,
                  queue -> new GraphOp(queue, "upload of a graph", graph.uploadNanos()));
          graph.uploaded(upload);
          return upload;
        });
  }

  void launch(long handle, long stream, @Nullable StackTraceElement place) {
    locked(
        () -> {
          LaunchableGraph graph = get("cuGraphLaunch", handle);
          GraphOp begin =
              submission.begin(
                  "cuGraphLaunch", stream, queue -> after(begin(queue, graph, place), graph));
          List<StreamOp> ends = submit(graph.nodes(), begin, handle);
          GraphOp end = new GraphOp(begin);
          end.after().addAll(ends);
          graph.launched(submission.appendNode(end));
          platform.scheduler().enqueued(end);
          return end;
        });
  }

  private static GraphOp begin(
      OpQueue queue, LaunchableGraph graph, @Nullable StackTraceElement place) {
    return new GraphOp(
        queue, name(graph) + StreamOp.launchedAt(place), graph.launchNanos(), graph.lastUpload());
  }

  private static GraphOp after(GraphOp begin, LaunchableGraph graph) {
    StreamOp last = graph.lastEnd();
    if (last != null) {
      begin.after().add(last);
    }
    return begin;
  }

  private static String name(LaunchableGraph graph) {
    return "launch of a graph of " + graph.nodes().size() + " nodes";
  }

  /** {@return the operations that have to be done before the graph is done} */
  private List<StreamOp> submit(List<Node> nodes, StreamOp begin, long handle) {
    List<StreamOp> ops = new ArrayList<>();
    boolean[] inner = new boolean[nodes.size()];
    for (Node node : nodes) {
      List<StreamOp> before = new ArrayList<>();
      for (int index : node.after()) {
        before.add(ops.get(index));
        inner[index] = true;
      }
      if (before.isEmpty()) {
        before.add(begin);
      }
      ops.add(
          switch (node) {
            case Single single -> submit(single, before, begin, handle);
            case Sequence sequence -> submit(sequence, before, begin, handle);
            case Conditional conditional -> submit(conditional, before, begin, handle);
          });
    }
    List<StreamOp> ends = new ArrayList<>();
    for (int i = 0; i < inner.length; i++) {
      if (!inner[i]) {
        ends.add(ops.get(i));
      }
    }
    return ends.isEmpty() ? List.of(begin) : ends;
  }

  private StreamOp submit(Single node, List<StreamOp> before, StreamOp begin, long handle) {
    StreamOp op = node.make().apply(OpQueue.ofNode(doer(node.work()), begin, handle));
    op.after().addAll(before);
    return submission.appendNode(op);
  }

  private StreamOp submit(Sequence node, List<StreamOp> before, StreamOp begin, long handle) {
    StreamOp last =
        new GraphOp(OpQueue.ofNode(doer(node.work()), begin, handle), "a call of a library", 0);
    last.after().addAll(before);
    StreamOp _ = submission.appendNode(last);
    for (Function<OpQueue, ? extends StreamOp> make : node.make()) {
      StreamOp op = make.apply(OpQueue.ofNode(doer(node.work()), begin, handle));
      op.after().add(last);
      last = submission.appendNode(op);
    }
    return last;
  }

  /** {@return the device that does the work of a node} */
  private PrimaryContext doer(GraphWork work) {
    return switch (work) {
      case GraphWork.Off off -> doer(off.work());
      case GraphWork.Elsewhere elsewhere -> of("cuGraphLaunch", elsewhere).context;
      default -> context;
    };
  }

  private StreamOp submit(Conditional node, List<StreamOp> before, StreamOp begin, long handle) {
    GraphOp end = new GraphOp(stream(begin, handle), "end of a conditional node", 0);
    ConditionOp condition = condition(node, end, begin, handle);
    condition.after().addAll(before);
    end.after().add(submission.appendNode(condition));
    return submission.appendNode(end);
  }

  private ConditionOp condition(Conditional node, GraphOp end, StreamOp begin, long handle) {
    return new ConditionOp(
        stream(begin, handle),
        node.condition(),
        (op, value) -> decided(node, op, value, end, handle));
  }

  /** Enqueues the body that a condition has chosen, between its reading and the node's end. */
  private void decided(Conditional node, ConditionOp op, int value, GraphOp end, long handle) {
    List<Node> body = node.body(value);
    List<StreamOp> last = body == null ? List.of(op) : submit(body, op, handle);
    if (body != null && node.branching() == GraphWork.Branching.WHILE) {
      ConditionOp again = condition(node, end, op, handle);
      again.after().addAll(last);
      last = List.of(submission.appendNode(again));
    }
    submission.putAfter(end, op, last);
  }

  /**
   * {@return a stream for a node} It has the priority of the stream on which the graph is launched.
   */
  private OpQueue stream(StreamOp begin, long handle) {
    return OpQueue.ofNode(context, begin, handle);
  }

  private LaunchableGraph get(String call, long handle) {
    context.checkAlive(call);
    LaunchableGraph graph = context.graphs().get(handle);
    if (graph == null) {
      throw CudaResult.INVALID_HANDLE.of(
          call,
          "virtual device %d has no graph %s"
              .formatted(context.ordinal(), DeviceSpace.name(handle)));
    }
    return graph;
  }

  private <T extends @Nullable Object> T locked(Supplier<T> body) {
    platform.lock().lock();
    try {
      return body.get();
    } finally {
      platform.lock().unlock();
    }
  }
}
