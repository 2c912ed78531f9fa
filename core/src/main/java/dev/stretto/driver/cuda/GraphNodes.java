package dev.stretto.driver.cuda;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.driver.Volume;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Adds the nodes of a plan to a {@code CUgraph}. Some steps become several CUDA nodes. */
final class GraphNodes {

  /**
   * The most rows of one strided fill; CUDA does not document larger numbers than an {@code int}.
   */
  private static final long MOST_ROWS = 1L << 30;

  private final Context context;
  private final Health health;
  private final long maxPitch;
  private final Arena arena;
  private final MemorySegment out;

  /** The kernel that sets a condition; 0 in plans without conditions. */
  private final long conditionKernel;

  /**
   * Creates the builder of one graph.
   *
   * @param conditionKernel the result of {@link #prepare}
   * @param maxPitch the largest pitch that the device supports
   * @param arena holds the structures that the calls read, until they have returned
   */
  GraphNodes(Context context, Health health, long conditionKernel, long maxPitch, Arena arena) {
    this.context = context;
    this.health = health;
    this.conditionKernel = conditionKernel;
    this.maxPitch = maxPitch;
    this.arena = arena;
    this.out = arena.allocate(JAVA_LONG);
  }

  /**
   * Does the steps that may block before the context is entered: raises the kernels' limits of
   * shared memory, and loads the kernel that sets conditions.
   *
   * @return the kernel that sets a condition, or 0 if the plan has no conditions
   */
  static long prepare(GraphPlan plan, Health health, SharedLimits limits, Conditions conditions) {
    long conditionKernel = 0;
    for (GraphPlan.Step step : plan.steps()) {
      conditionKernel |= prepare(step.work(), health, limits, conditions);
    }
    return conditionKernel;
  }

  private static long prepare(
      GraphWork work, Health health, SharedLimits limits, Conditions conditions) {
    switch (work) {
      case GraphWork.Kernel kernel -> {
        health.require(kernel.function(), "function");
        limits.allow(kernel.function(), kernel.shape().sharedBytes());
      }
      case GraphWork.Conditional conditional -> {
        for (GraphPlan body : conditional.bodies()) {
          long _ = prepare(body, health, limits, conditions);
        }
        return conditions.kernel();
      }
      case GraphWork.Off off -> {
        return prepare(off.work(), health, limits, conditions);
      }
      case GraphWork.Elsewhere elsewhere -> Graphs.of(elsewhere, health).prepare(elsewhere.work());
      case GraphWork.Copy _,
          GraphWork.Planes _,
          GraphWork.PeerCopy _,
          GraphWork.Fill _,
          GraphWork.RecordEvent _,
          GraphWork.WaitEvent _,
          GraphWork.WriteValue _,
          GraphWork.WaitValue _,
          GraphWork.Undefined _,
          GraphWork.Captured _,
          GraphWork.Empty _ -> {}
    }
    return 0;
  }

  /** {@return the nodes of each step, after adding them} */
  List<long[]> addAll(long graph, GraphPlan plan) {
    List<long[]> nodes = new ArrayList<>();
    for (GraphPlan.Step step : plan.steps()) {
      long[] after =
          step.after().stream().flatMapToLong(i -> LongStream.of(nodes.get(i))).toArray();
      nodes.add(add(graph, step.work(), GraphStructures.handles(after, arena), after.length));
    }
    return nodes;
  }

  long[] add(long graph, GraphWork work, long after, long count) {
    return switch (work) {
      case GraphWork.Copy copy -> addCopy(graph, copy, after, count);
      case GraphWork.Fill fill -> addFill(graph, fill, after, count);
      case GraphWork.Kernel kernel -> one(addKernel(graph, kernel, after, count));
      case GraphWork.RecordEvent record ->
          one(
              made(
                  GraphCalls.addRecord(out.address(), graph, after, count, record.event()),
                  "cuGraphAddEventRecordNode",
                  work));
      case GraphWork.WaitEvent wait ->
          one(
              made(
                  GraphCalls.addWait(out.address(), graph, after, count, wait.event()),
                  "cuGraphAddEventWaitNode",
                  work));
      case GraphWork.Empty _, GraphWork.Undefined _ ->
          one(
              made(
                  GraphCalls.addEmpty(out.address(), graph, after, count),
                  "cuGraphAddEmptyNode",
                  work));
      case GraphWork.Captured captured ->
          one(
              made(
                  GraphCalls.addChild(out.address(), graph, after, count, captured.handle()),
                  "cuGraphAddChildGraphNode",
                  work));
      case GraphWork.Planes copy -> addPlanes(graph, copy, after, count);
      case GraphWork.WriteValue write ->
          one(
              addValue(
                  graph,
                  GraphStructures.write(write, context.handle(), arena),
                  Values.isPlace(write.address(), write.bytes()),
                  write,
                  after,
                  count));
      case GraphWork.WaitValue wait ->
          one(
              addValue(
                  graph,
                  GraphStructures.await(wait, context.handle(), arena),
                  Values.isPlace(wait.address(), wait.bytes()),
                  wait,
                  after,
                  count));
      case GraphWork.Off off -> add(graph, off.work(), after, count); // switched off afterwards
      case GraphWork.Elsewhere elsewhere ->
          Graphs.of(elsewhere, health).addNodes(graph, elsewhere.work(), after, count, arena);
      case GraphWork.PeerCopy copy -> addPeerCopy(graph, copy, after, count);
      case GraphWork.Conditional conditional ->
          one(addConditional(graph, conditional, after, count));
    };
  }

  private static long[] one(long node) {
    return new long[] {node};
  }

  private long made(int result, String call, GraphWork work) {
    if (result != 0) {
      throw health.failure(result, call, work.toString());
    }
    return out.get(JAVA_LONG, 0);
  }

  private long[] addCopy(long graph, GraphWork.Copy copy, long after, long count) {
    if (copy.dst() == 0 || copy.src() == 0 || copy.width() <= 0 || copy.rows() <= 0) {
      throw health.invalid("not a valid copy: " + copy);
    }
    if (copy.rows() == 1 || Math.max(copy.srcPitch(), copy.dstPitch()) <= maxPitch) {
      return one(addOneCopy(graph, copy, after, count));
    }
    // The rows are gigabytes apart, so there cannot be many.
    long[] nodes = new long[Math.toIntExact(copy.rows())];
    for (int row = 0; row < nodes.length; row++) {
      long dst = copy.dst() + row * copy.dstPitch();
      long src = copy.src() + row * copy.srcPitch();
      GraphWork.Copy part = GraphWork.Copy.of(dst, src, copy.width(), copy.kind());
      nodes[row] = addOneCopy(graph, part, after, count);
    }
    return nodes;
  }

  private long addOneCopy(long graph, GraphWork.Copy copy, long after, long count) {
    return made(
        GraphCalls.addCopy(
            out.address(),
            graph,
            after,
            count,
            GraphStructures.copy(copy, arena),
            context.handle()),
        "cuGraphAddMemcpyNode",
        copy);
  }

  private long[] addPlanes(long graph, GraphWork.Planes copy, long after, long count) {
    Volume shape = copy.shape();
    if (copy.dst() == 0 || copy.src() == 0 || !shape.isPossible()) {
      throw health.invalid("not a valid copy: " + copy);
    }
    if (PlaneCopies.isCudas(shape, maxPitch)) {
      long parameters = GraphStructures.copy(copy, arena);
      return one(
          made(
              GraphCalls.addCopy(out.address(), graph, after, count, parameters, context.handle()),
              "cuGraphAddMemcpyNode",
              copy));
    }
    List<long[]> nodes = new ArrayList<>();
    for (long plane = 0; plane < shape.planes(); plane++) {
      GraphWork.Copy part =
          new GraphWork.Copy(
              copy.dst() + plane * shape.dstPlane(),
              shape.dstPitch(),
              copy.src() + plane * shape.srcPlane(),
              shape.srcPitch(),
              shape.width(),
              shape.rows(),
              copy.kind());
      nodes.add(addCopy(graph, part, after, count));
    }
    return nodes.stream().flatMapToLong(LongStream::of).toArray();
  }

  private long addValue(
      long graph, long parameters, boolean isPlace, GraphWork work, long after, long count) {
    if (!isPlace) {
      throw health.invalid("not the place of a number: " + work);
    }
    return made(
        GraphCalls.addValues(out.address(), graph, after, count, parameters),
        "cuGraphAddBatchMemOpNode",
        work);
  }

  /** An address itself says to which device it belongs. */
  private long[] addPeerCopy(long graph, GraphWork.PeerCopy copy, long after, long count) {
    Volume shape = copy.shape();
    return shape.isRun()
        ? addCopy(graph, GraphStructures.run(copy), after, count)
        : addPlanes(
            graph,
            new GraphWork.Planes(copy.dst(), copy.src(), shape, CopyKind.DEVICE_TO_DEVICE),
            after,
            count);
  }

  private long[] addFill(long graph, GraphWork.Fill fill, long after, long count) {
    if (!Fills.isValid(fill)) {
      throw health.invalid("not a valid fill: " + fill);
    }
    if (fill.rows() > 1) {
      return addRows(graph, fill, after, count);
    }
    if (fill.elementBytes() < Long.BYTES) {
      long parameters =
          GraphStructures.fill(
              fill.dst(), (int) fill.value(), fill.elementBytes(), fill.count(), arena);
      return one(addOneFill(graph, fill, parameters, after, count));
    }
    // CUDA has no fill of eight bytes: two strided fills write the two halves of each element.
    List<Long> nodes = new ArrayList<>();
    for (long done = 0; done < fill.count(); done += MOST_ROWS) {
      long rows = Math.min(fill.count() - done, MOST_ROWS);
      for (int half = 0; half < 2; half++) {
        long at = fill.dst() + done * Long.BYTES + (long) half * Integer.BYTES;
        int value = (int) (fill.value() >>> (half * Integer.SIZE));
        long parameters = GraphStructures.fillWords(at, Long.BYTES, value, rows, arena);
        nodes.add(addOneFill(graph, fill, parameters, after, count));
      }
    }
    return nodes.stream().mapToLong(Long::longValue).toArray();
  }

  private long[] addRows(long graph, GraphWork.Fill fill, long after, long count) {
    int bytes = fill.elementBytes();
    if (bytes < Long.BYTES) {
      int bits =
          bytes == Integer.BYTES
              ? (int) fill.value()
              : (int) fill.value() & ((1 << (8 * bytes)) - 1);
      return one(
          addOneFill(
              graph,
              fill,
              GraphStructures.fill(
                  fill.dst(), fill.pitch(), bits, bytes, fill.count(), fill.rows(), arena),
              after,
              count));
    }
    return Fills.Words.of(fill.dst(), fill.pitch(), fill.value(), fill.count(), fill.rows())
        .stream()
        .mapToLong(
            words ->
                addOneFill(
                    graph,
                    fill,
                    GraphStructures.fill(
                        words.dst(),
                        words.pitch(),
                        words.value(),
                        Integer.BYTES,
                        words.width(),
                        words.rows(),
                        arena),
                    after,
                    count))
        .toArray();
  }

  private long addOneFill(
      long graph, GraphWork.Fill fill, long parameters, long after, long count) {
    return made(
        GraphCalls.addFill(out.address(), graph, after, count, parameters, context.handle()),
        "cuGraphAddMemsetNode",
        fill);
  }

  private long addKernel(long graph, GraphWork.Kernel kernel, long after, long count) {
    long node =
        made(
            GraphCalls.addKernel(
                out.address(), graph, after, count, GraphStructures.kernel(kernel, arena)),
            "cuGraphAddKernelNode",
            kernel);
    if (kernel.shape().blocksPerCluster() > 1) {
      long size = GraphStructures.cluster(kernel.shape(), arena);
      setAttribute(kernel, node, KernelCalls.CLUSTER_DIMENSION, size);
    }
    if (kernel.shape().isCooperative()) {
      setAttribute(kernel, node, KernelCalls.COOPERATIVE, GraphStructures.yes(arena));
    }
    return node;
  }

  private void setAttribute(GraphWork.Kernel kernel, long node, int attribute, long value) {
    int result = GraphCalls.setAttribute(node, attribute, value);
    if (result != 0) {
      throw health.failure(result, "cuGraphKernelNodeSetAttribute", kernel.toString());
    }
  }

  /**
   * Sets the condition before the node and, in a body that is repeated, again at the end of the
   * body.
   */
  private long addConditional(
      long graph, GraphWork.Conditional conditional, long after, long count) {
    if (conditional.condition() == 0 || conditional.condition() % Integer.BYTES != 0) {
      throw health.invalid("not a valid condition: " + conditional);
    }
    long handle =
        made(
            GraphCalls.createCondition(out.address(), graph, context.handle()),
            "cuGraphConditionalHandleCreate",
            conditional);
    long told = addTelling(graph, conditional, handle, after, count);
    MemorySegment parameters =
        GraphStructures.conditional(handle, conditional, context.handle(), arena);
    long node =
        made(
            GraphCalls.addNode(
                out.address(),
                graph,
                GraphStructures.handles(new long[] {told}, arena),
                1,
                parameters.address()),
            "cuGraphAddNode",
            conditional);
    for (int i = 0; i < conditional.bodies().size(); i++) {
      GraphPlan plan = conditional.bodies().get(i);
      long body = GraphStructures.body(parameters, i);
      List<long[]> nodes = addAll(body, plan);
      if (conditional.branching() == GraphWork.Branching.WHILE) {
        long[] last = plan.ends().flatMapToLong(end -> LongStream.of(nodes.get(end))).toArray();
        long ends = GraphStructures.handles(last, arena);
        long _ = addTelling(body, conditional, handle, ends, last.length);
      }
    }
    return node;
  }

  private long addTelling(
      long graph, GraphWork.Conditional conditional, long handle, long after, long count) {
    long parameters =
        GraphStructures.kernel(conditionKernel, arena, handle, conditional.condition());
    return made(
        GraphCalls.addKernel(out.address(), graph, after, count, parameters),
        "cuGraphAddKernelNode",
        conditional);
  }

  /** {@return a new graph without nodes} */
  long create() {
    return made(GraphCalls.create(out.address()), "cuGraphCreate", new GraphWork.Empty());
  }

  /** {@return the graph, ready to be launched} */
  long instantiate(long graph) {
    return made(
        GraphCalls.instantiate(out.address(), graph),
        "cuGraphInstantiateWithFlags",
        new GraphWork.Empty());
  }
}
