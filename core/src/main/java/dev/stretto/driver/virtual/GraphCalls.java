package dev.stretto.driver.virtual;

import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.virtual.LaunchableGraph.Nested;
import dev.stretto.driver.virtual.LaunchableGraph.Node;
import dev.stretto.driver.virtual.LaunchableGraph.Single;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The calls that concern graphs. Each node of a launch is an operation on a stream of its own that
 * comes after the nodes before it: so nodes run in any order that their dependencies allow.
 */
final class GraphCalls {
  private static final String CREATE = "cuGraphInstantiate";
  private static final String UPDATE = "cuGraphExecNodeSetParams";

  private final Context context;
  private final Platform platform;
  private final Submission submission;
  private final CopyCalls copies;
  private final EventCalls events;
  private final LaunchCalls launches;

  GraphCalls(
      Context context,
      Submission submission,
      CopyCalls copies,
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
    List<Node> nodes = nodes(plan);
    return locked(
        () -> {
          long handle = platform.nextHandle();
          context.graphs().put(handle, new LaunchableGraph(nodes));
          return handle;
        });
  }

  private List<Node> nodes(GraphPlan plan) {
    List<Node> nodes = new ArrayList<>();
    for (GraphPlan.Step step : plan.steps()) {
      nodes.add(
          step.work() instanceof GraphWork.Child child
              ? new Nested(nodes(child.plan()), step.after())
              : new Single(step.work(), step.after(), maker(CREATE, step.work())));
    }
    return nodes;
  }

  private Function<StreamQueue, Op> maker(String call, GraphWork work) {
    return switch (work) {
      case GraphWork.Copy copy -> copy(call, copy);
      case GraphWork.Fill fill -> {
        copies.checkFill(call, fill.dst(), fill.elementBytes(), fill.count());
        yield queue ->
            new FillOp(queue, fill.dst(), fill.value(), fill.elementBytes(), fill.count());
      }
      case GraphWork.Kernel kernel ->
          launches.prepare(
                  kernel.function(),
                  kernel.shape(),
                  kernel.parameters(),
                  kernel.parameterPointers())
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
      case GraphWork.Child _ ->
          throw CudaResult.NOT_SUPPORTED.of(call, "a child graph cannot be exchanged");
    };
  }

  private Function<StreamQueue, Op> copy(String call, GraphWork.Copy copy) {
    CopyShape shape =
        CopyShape.rows(
            copy.dst(),
            copy.dstPitch(),
            copy.src(),
            copy.srcPitch(),
            copy.width(),
            copy.rows(),
            copy.kind());
    copies.checkDirect(call, shape);
    return queue -> CopyOp.direct(queue, shape);
  }

  void destroy(long handle) {
    LaunchableGraph graph = get("cuGraphExecDestroy", handle);
    boolean removed = context.graphs().remove(handle, graph);
    assert removed;
  }

  // --- changing
  // ---------------------------------------------------------------------------------------------------------------

  void update(long handle, int step, GraphWork work) {
    Function<StreamQueue, Op> maker = maker(UPDATE, work);
    locked(
        () -> {
          LaunchableGraph graph = get(UPDATE, handle);
          if (!(graph.nodes().get(step) instanceof Single before)
              || !isChangeable(before.work(), work)) {
            throw CudaResult.INVALID_VALUE.of(
                UPDATE, "node %d cannot become a %s".formatted(step, work));
          }
          graph.replace(step, new Single(work, before.after(), maker));
          return graph;
        });
  }

  /** What CUDA can change, and Stretto says it can. */
  private static boolean isChangeable(GraphWork before, GraphWork after) {
    return switch (after) {
      case GraphWork.Copy to ->
          before instanceof GraphWork.Copy from
              && from.rows() == 1
              && to.rows() == 1
              && from.kind() == to.kind();
      case GraphWork.Fill to ->
          before instanceof GraphWork.Fill from && from.elementBytes() < 8 && to.elementBytes() < 8;
      case GraphWork.Kernel to ->
          before instanceof GraphWork.Kernel from
              && from.function() == to.function()
              && from.shape().clusterX() == to.shape().clusterX()
              && from.shape().clusterY() == to.shape().clusterY()
              && from.shape().clusterZ() == to.shape().clusterZ();
      default -> false;
    };
  }

  // --- launching
  // --------------------------------------------------------------------------------------------------------------

  void upload(long handle, long stream) {
    locked(
        () -> {
          LaunchableGraph graph = get("cuGraphUpload", handle);
          return submission.submit(
              "cuGraphUpload",
              stream,
              queue -> new GraphOp(queue, "upload of a graph", graph.uploadNanos()));
        });
  }

  void launch(long handle, long stream) {
    locked(
        () -> {
          LaunchableGraph graph = get("cuGraphLaunch", handle);
          GraphOp begin =
              submission.submit(
                  "cuGraphLaunch",
                  stream,
                  queue -> after(new GraphOp(queue, name(graph), graph.launchNanos()), graph));
          List<Op> ends = submit(graph.nodes(), begin, handle);
          GraphOp end = new GraphOp(begin);
          end.after().addAll(ends);
          graph.launched(submission.appendNode(end));
          return end;
        });
  }

  private static GraphOp after(GraphOp begin, LaunchableGraph graph) {
    Op last = graph.lastEnd();
    if (last != null) {
      begin.after().add(last);
    }
    return begin;
  }

  private static String name(LaunchableGraph graph) {
    return "launch of a graph of " + graph.nodes().size() + " nodes";
  }

  /** {@return what has to be done before the graph is} */
  private List<Op> submit(List<Node> nodes, Op begin, long handle) {
    List<Op> ops = new ArrayList<>();
    boolean[] inner = new boolean[nodes.size()];
    for (Node node : nodes) {
      List<Op> before = new ArrayList<>();
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
            case Nested nested -> submit(nested, before, begin, handle);
          });
    }
    List<Op> ends = new ArrayList<>();
    for (int i = 0; i < inner.length; i++) {
      if (!inner[i]) {
        ends.add(ops.get(i));
      }
    }
    return ends.isEmpty() ? List.of(begin) : ends;
  }

  private Op submit(Single node, List<Op> before, Op begin, long handle) {
    Op op = node.make().apply(stream(begin, handle));
    op.after().addAll(before);
    return submission.appendNode(op);
  }

  private Op submit(Nested node, List<Op> before, Op begin, long handle) {
    Op childBegin = new GraphOp(stream(begin, handle), "beginning of a child graph", 0);
    childBegin.after().addAll(before);
    List<Op> ends = submit(node.nodes(), submission.appendNode(childBegin), handle);
    Op childEnd = new GraphOp(stream(begin, handle), "end of a child graph", 0);
    childEnd.after().addAll(ends);
    return submission.appendNode(childEnd);
  }

  /** A node has the priority of the stream that the graph is launched on. */
  private StreamQueue stream(Op begin, long handle) {
    return new StreamQueue(
        context, handle, begin.stream().priority(), StreamQueue.Sort.NON_BLOCKING);
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

  private <T> T locked(Supplier<T> body) {
    platform.lock().lock();
    try {
      return body.get();
    } finally {
      platform.lock().unlock();
    }
  }
}
