package dev.stretto.driver.cuda;

import dev.stretto.driver.GraphChanges;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The graphs of one device. A handle is a {@code CUgraphExec}. */
final class Graphs {
  /**
   * What is kept with a {@code CUgraphExec}: the graph from which it was instantiated. That graph's
   * nodes identify the nodes of the executable graph when they are changed.
   */
  private record Made(long graph, List<GraphWork> works, List<long[]> nodes) {}

  private final Context context;
  private final Health health;
  private final SharedLimits limits;
  private final Conditions conditions;
  private final long maxPitch;
  private final Map<Long, Made> made = new ConcurrentHashMap<>();

  /**
   * Creates an empty table.
   *
   * @param maxPitch the largest pitch that the device supports
   */
  Graphs(
      Context context, Health health, SharedLimits limits, Conditions conditions, long maxPitch) {
    this.context = context;
    this.health = health;
    this.limits = limits;
    this.conditions = conditions;
    this.maxPitch = maxPitch;
  }

  /** {@return the graphs of the device that does some work of a graph of another one} */
  static Graphs of(GraphWork.Elsewhere work, Health health) {
    if (work.device() instanceof CudaDevice other) {
      return other.graphs();
    }
    throw health.invalid("work of a device of another driver: " + work);
  }

  /** Does what {@link GraphNodes#prepare} does, for work of a graph of another device. */
  void prepare(GraphWork work) {
    health.require();
    GraphPlan one = new GraphPlan(List.of(new GraphPlan.Step(work, List.of())));
    long _ = GraphNodes.prepare(one, health, limits, conditions);
  }

  /**
   * {@return the nodes of this device's work, after adding them to a graph of another one} CUDA
   * Driver API, {@code cuGraphAddMemcpyNode} and its neighbours: a node runs in the context that it
   * is added with, a kernel in that of its function.
   */
  long[] addNodes(long graph, GraphWork work, long after, long count, Arena arena) {
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      return new GraphNodes(context, health, 0, maxPitch, arena).add(graph, work, after, count);
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  long create(GraphPlan plan) {
    health.require();
    long conditionKernel = GraphNodes.prepare(plan, health, limits, conditions);
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try (Arena arena = Arena.ofConfined()) {
      entered = context.enter(scratch);
      return create(plan, new GraphNodes(context, health, conditionKernel, maxPitch, arena));
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
      // The parameters' addresses point into the plan's memory, which the garbage collector cannot
      // know.
      Reference.reachabilityFence(plan);
    }
  }

  private long create(GraphPlan plan, GraphNodes nodes) {
    long graph = nodes.create();
    boolean done = false;
    try {
      List<long[]> added = nodes.addAll(graph, plan);
      List<GraphWork> works = new ArrayList<>(plan.steps().stream().map(s -> s.work()).toList());
      long exec = nodes.instantiate(graph);
      switchOff(exec, works, added);
      Made before = made.put(exec, new Made(graph, works, added));
      assert before == null;
      done = true;
      return exec;
    } finally {
      if (!done) {
        int _ = GraphCalls.destroy(graph);
      }
    }
  }

  private void switchOff(long exec, List<GraphWork> works, List<long[]> nodes) {
    for (int i = 0; i < works.size(); i++) {
      if (works.get(i) instanceof GraphWork.Off) {
        enable(exec, nodes.get(i), false);
      }
    }
  }

  /** CUDA Driver API, {@code cuGraphNodeSetEnabled}: a node that is off does nothing. */
  private void enable(long exec, long[] nodes, boolean enabled) {
    for (long node : nodes) {
      check(
          GraphCalls.setEnabled(exec, node, enabled),
          "cuGraphNodeSetEnabled",
          enabled ? "on" : "off");
    }
  }

  void destroy(long exec) {
    health.require(exec, "graph");
    Made gone = made.remove(exec);
    if (gone == null) {
      throw unknown(exec);
    }
    int destroyed = GraphCalls.destroyExec(exec);
    check(GraphCalls.destroy(gone.graph), "cuGraphDestroy", ""); // even if the other call failed
    check(destroyed, "cuGraphExecDestroy", "");
  }

  void update(long exec, int step, GraphWork work) {
    health.require(exec, "graph");
    Made known = made.get(exec);
    if (known == null) {
      throw unknown(exec);
    }
    GraphWork before = known.works.get(step);
    String obstacle = GraphChanges.obstacle(before, work);
    if (!obstacle.isEmpty()) {
      throw health.invalid(before + " cannot become " + work + ": " + obstacle);
    }
    GraphWork now = unwrapped(work);
    Graphs owner = now instanceof GraphWork.Elsewhere elsewhere ? of(elsewhere, health) : this;
    if (now instanceof GraphWork.Elsewhere || now instanceof GraphWork.Kernel) {
      owner.prepare(now instanceof GraphWork.Elsewhere elsewhere ? elsewhere.work() : now);
    }
    long[] nodes = known.nodes.get(step);
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try (Arena arena = Arena.ofConfined()) {
      entered = owner.context.enter(scratch);
      if (!GraphChanges.isSame(unwrapped(before), now)) {
        owner.update(
            exec,
            nodes[0],
            now instanceof GraphWork.Elsewhere elsewhere ? elsewhere.work() : now,
            arena);
      }
      boolean wasOn = !(before instanceof GraphWork.Off);
      boolean isOn = !(work instanceof GraphWork.Off);
      if (wasOn != isOn) {
        enable(exec, nodes, isOn);
      }
      known.works.set(step, work);
    } finally {
      owner.context.leave(scratch, entered);
      scratch.giveBack();
      Reference.reachabilityFence(work);
    }
  }

  private static GraphWork unwrapped(GraphWork work) {
    return work instanceof GraphWork.Off off ? off.work() : work;
  }

  private void update(long exec, long node, GraphWork work, Arena arena) {
    switch (work) {
      case GraphWork.Copy copy ->
          check(
              GraphCalls.setCopy(exec, node, GraphStructures.copy(copy, arena), context.handle()),
              "cuGraphExecMemcpyNodeSetParams",
              copy.toString());
      case GraphWork.PeerCopy copy -> update(exec, node, GraphStructures.run(copy), arena);
      case GraphWork.Fill fill ->
          check(
              GraphCalls.setFill(
                  exec,
                  node,
                  GraphStructures.fill(
                      fill.dst(), (int) fill.value(), fill.elementBytes(), fill.count(), arena),
                  context.handle()),
              "cuGraphExecMemsetNodeSetParams",
              fill.toString());
      case GraphWork.Kernel kernel ->
          check(
              GraphCalls.setKernel(exec, node, GraphStructures.kernel(kernel, arena)),
              "cuGraphExecKernelNodeSetParams",
              kernel.toString());
      case GraphWork.RecordEvent record ->
          check(
              GraphCalls.setRecord(exec, node, record.event()),
              "cuGraphExecEventRecordNodeSetEvent",
              record.toString());
      case GraphWork.WaitEvent wait ->
          check(
              GraphCalls.setWait(exec, node, wait.event()),
              "cuGraphExecEventWaitNodeSetEvent",
              wait.toString());
      case GraphWork.WriteValue write ->
          setValues(
              exec,
              node,
              Values.isPlace(write.address(), write.bytes()),
              GraphStructures.write(write, context.handle(), arena),
              write);
      case GraphWork.WaitValue wait ->
          setValues(
              exec,
              node,
              Values.isPlace(wait.address(), wait.bytes()),
              GraphStructures.await(wait, context.handle(), arena),
              wait);
      case GraphWork.Undefined _ -> {} // nothing on a GPU
      default -> throw health.invalid("a node cannot become " + work);
    }
  }

  private void setValues(long exec, long node, boolean isPlace, long parameters, GraphWork work) {
    if (!isPlace) {
      throw health.invalid("not the place of a number: " + work);
    }
    check(
        GraphCalls.setValues(exec, node, parameters),
        "cuGraphExecBatchMemOpNodeSetParams",
        work.toString());
  }

  void upload(long exec, long stream) {
    enqueue(exec, stream, false);
  }

  void launch(long exec, long stream) {
    enqueue(exec, stream, true);
  }

  private void enqueue(long exec, long stream, boolean launch) {
    health.require(exec, "graph");
    health.require(stream, "stream");
    Scratch scratch = Scratch.borrow();
    boolean entered = false;
    try {
      entered = context.enter(scratch);
      int result = launch ? GraphCalls.launch(exec, stream) : GraphCalls.upload(exec, stream);
      check(result, launch ? "cuGraphLaunch" : "cuGraphUpload", "");
    } finally {
      context.leave(scratch, entered);
      scratch.giveBack();
    }
  }

  private RuntimeException unknown(long exec) {
    return health.invalid("there is no graph 0x" + Long.toHexString(exec));
  }

  private void check(int result, String call, String values) {
    if (result != 0) {
      throw health.failure(result, call, values);
    }
  }
}
