package dev.stretto;

import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.GraphStage;
import dev.stretto.route.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a graph is launched: everything up to the first callbacks, those callbacks, everything up to
 * the next ones, and so on. A graph without callbacks is one stage.
 */
final class GraphStages {
  /** The stage, and the step in it, of a node that can be changed. */
  record Place(int stage, int step) {}

  /**
   * A node, after each child graph has been replaced by its nodes.
   *
   * @param origin its number, after those of the nodes that it is a part of; empty in a body, and
   *     for a join that no node of the program is
   */
  private record Flat(
      NodeWork work, List<Integer> after, List<Integer> origin, StackTraceElement place) {}

  private final List<GraphStage> stages = new ArrayList<>();
  private final List<GraphWork[]> works = new ArrayList<>();

  /**
   * For each stage, the earlier stages that it depends on: a node of this stage comes after one of
   * their nodes.
   */
  private final List<Set<Integer>> after = new ArrayList<>();

  private final Map<List<Integer>, Place> places = new HashMap<>();

  /** For each stage, the nodes in it; those of a child graph take its place. */
  private final List<List<InnerNode>> inner = new ArrayList<>();

  private final DeviceRuntime engine;

  /** The other devices that do some of the work. */
  private final Set<DeviceRuntime> others = new LinkedHashSet<>();

  private GraphStages(DeviceRuntime engine) {
    this.engine = engine;
  }

  /**
   * {@return the stages of a graph}
   *
   * @param engine the graph's device
   */
  static GraphStages of(DeviceRuntime engine, List<NodeWork.Step> steps) {
    GraphStages made = new GraphStages(engine);
    made.cut(flattened(steps));
    return made;
  }

  /** {@return the other devices that do some of the work} */
  Set<DeviceRuntime> others() {
    return others;
  }

  List<GraphStage> stages() {
    return stages;
  }

  /** {@return for each stage, the earlier stages that have to end before it begins} */
  List<Set<Integer>> after() {
    return after;
  }

  /** {@return how many driver graphs a launch takes} */
  int segments() {
    return (int) stages.stream().filter(GraphStage.OnDevice.class::isInstance).count();
  }

  /** {@return for each stage, the work of its steps; empty for a callback} */
  GraphWork[][] works() {
    return works.toArray(GraphWork[][]::new);
  }

  /** {@return for each stage, its nodes, each child replaced by its nodes; none for a callback} */
  List<List<InnerNode>> inner() {
    return inner;
  }

  /** {@return for each stage its callback, or null} */
  GraphStage.@Nullable OnHost[] callbacks() {
    return stages.stream()
        .map(stage -> stage instanceof GraphStage.OnHost host ? host : null)
        .toArray(GraphStage.OnHost[]::new);
  }

  /** {@return where a node's work is, by its path} Nodes of bodies have no place. */
  Place place(List<Integer> path) {
    return Objects.requireNonNull(places.get(path), "place");
  }

  /** {@return everything that nodes use} */
  static Set<Resource> used(Collection<NodeWork.Step> steps) {
    Set<Resource> used = new LinkedHashSet<>();
    for (NodeWork.Step step : steps) {
      switch (step.work()) {
        case NodeWork.OnDevice device -> used.addAll(device.used());
        case NodeWork.Off off -> used.addAll(off.on().used());
        case NodeWork.Child child -> used.addAll(used(child.steps()));
        case NodeWork.Conditional conditional -> {
          used.add(conditional.used());
          conditional.bodies().forEach(body -> used.addAll(used(body)));
        }
        case NodeWork.OnHost host -> used.addAll(host.used());
      }
    }
    return used;
  }

  private static List<Flat> flattened(List<NodeWork.Step> steps) {
    List<Flat> flat = new ArrayList<>();
    List<Integer> _ = flatten(steps, List.of(), List.of(), flat);
    return flat;
  }

  /**
   * Adds nodes, and those of child graphs in place of them.
   *
   * @param outer the nodes that the first ones come after
   * @param path of the node that they are a part of
   * @return the nodes that nothing comes after
   */
  private static List<Integer> flatten(
      List<NodeWork.Step> steps, List<Integer> outer, List<Integer> path, List<Flat> flat) {
    List<List<Integer>> ends = new ArrayList<>();
    boolean[] inner = new boolean[steps.size()];
    for (int i = 0; i < steps.size(); i++) {
      NodeWork.Step step = steps.get(i);
      Set<Integer> after = new LinkedHashSet<>(step.after().isEmpty() ? outer : List.of());
      for (int before : step.after()) {
        after.addAll(ends.get(before));
        inner[before] = true;
      }
      List<Integer> before = List.copyOf(after);
      List<Integer> own = new ArrayList<>(path);
      own.add(i);
      if (step.work() instanceof NodeWork.Child child) {
        ends.add(flatten(child.steps(), joined(child, before, step.place(), flat), own, flat));
      } else {
        flat.add(new Flat(step.work(), before, own, step.place()));
        ends.add(List.of(flat.size() - 1));
      }
    }
    Set<Integer> last = new LinkedHashSet<>(steps.isEmpty() ? outer : List.of());
    for (int i = 0; i < inner.length; i++) {
      if (!inner[i]) {
        last.addAll(ends.get(i));
      }
    }
    return List.copyOf(last);
  }

  /**
   * {@return one node in place of several that a child graph comes after} Else each of its first
   * nodes would have an edge from each of them.
   */
  private static List<Integer> joined(
      NodeWork.Child child, List<Integer> before, StackTraceElement place, List<Flat> flat) {
    long first = child.steps().stream().filter(step -> step.after().isEmpty()).count();
    if (before.size() < 2 || first < 2) {
      return before;
    }
    flat.add(new Flat(NodeWorks.join(), before, List.of(), place));
    return List.of(flat.size() - 1);
  }

  private void cut(List<Flat> flat) {
    int[] level = new int[flat.size()];
    int most = -1;
    for (int i = 0; i < level.length; i++) {
      boolean calls = isCallback(flat.get(i));
      for (int before : flat.get(i).after) {
        boolean next = !calls && isCallback(flat.get(before));
        level[i] = Math.max(level[i], level[before] + (next ? 1 : 0));
      }
      most = Math.max(most, level[i]);
    }
    int[] stageOf = new int[flat.size()];
    for (int now = 0; now <= most; now++) {
      addDevice(flat, level, now, stageOf);
      for (int i = 0; i < level.length; i++) {
        if (level[i] == now && flat.get(i).work instanceof NodeWork.OnHost host) {
          stageOf[i] = stages.size();
          places.put(flat.get(i).origin, new Place(stages.size(), 0));
          stages.add(new GraphStage.OnHost(host.body(), host.executor()));
          works.add(new GraphWork[0]);
          inner.add(List.of());
        }
      }
    }
    order(flat, stageOf);
  }

  private void order(List<Flat> flat, int[] stageOf) {
    stages.forEach(_ -> after.add(new LinkedHashSet<>()));
    for (int i = 0; i < stageOf.length; i++) {
      for (int before : flat.get(i).after) {
        if (stageOf[before] != stageOf[i]) {
          after.get(stageOf[i]).add(stageOf[before]);
        }
      }
    }
  }

  private static boolean isCallback(Flat node) {
    return node.work instanceof NodeWork.OnHost;
  }

  private void addDevice(List<Flat> flat, int[] level, int now, int[] stageOf) {
    int[] steps = new int[level.length];
    List<GraphPlan.Step> plan = new ArrayList<>();
    List<InnerNode> within = new ArrayList<>();
    for (int i = 0; i < level.length; i++) {
      if (level[i] != now || isCallback(flat.get(i))) {
        continue;
      }
      List<Integer> after = new ArrayList<>();
      for (int before : flat.get(i).after) {
        // Nodes of earlier stages are done before this stage begins.
        if (level[before] == now) {
          after.add(steps[before]);
        }
      }
      stageOf[i] = stages.size();
      steps[i] = plan.size();
      noteOther(flat.get(i).work);
      plan.add(new GraphPlan.Step(work(engine, flat.get(i).work, flat.get(i).place), after));
      List<Integer> origin = flat.get(i).origin;
      InnerNode.add(flat.get(i).work, origin.isEmpty() ? -1 : origin.getFirst(), within);
      if (!origin.isEmpty()) {
        places.put(origin, new Place(stages.size(), steps[i]));
      }
    }
    if (!plan.isEmpty()) {
      GraphPlan whole = new GraphPlan(plan);
      stages.add(new GraphStage.OnDevice(whole));
      inner.add(within);
      works.add(whole.steps().stream().map(GraphPlan.Step::work).toArray(GraphWork[]::new));
    }
  }

  private void noteOther(NodeWork work) {
    NodeWork on = work instanceof NodeWork.Off off ? off.on() : work;
    if (on instanceof NodeWork.OnDevice device
        && device.engine() != null
        && device.engine() != engine) {
      boolean _ = others.add(device.engine());
    }
  }

  /**
   * {@return the work in the driver's terms} A launch also has the line that made the node.
   *
   * @param engine the graph's device
   */
  static GraphWork work(DeviceRuntime engine, NodeWork work, StackTraceElement place) {
    return switch (work) {
      case NodeWork.OnDevice device -> {
        GraphWork own =
            device.work() instanceof GraphWork.Kernel kernel ? kernel.at(place) : device.work();
        yield isOf(engine, device)
            ? own
            : new GraphWork.Elsewhere(
                Objects.requireNonNull(device.engine(), "engine").driver(), own);
      }
      case NodeWork.Off off -> new GraphWork.Off(work(engine, off.on(), place));
      case NodeWork.Conditional conditional ->
          new GraphWork.Conditional(
              conditional.branching(),
              conditional.condition(),
              conditional.bodies().stream().map(body -> plan(engine, body)).toList());
      case NodeWork.Child _ -> throw new IllegalStateException("a child graph is its nodes");
      case NodeWork.OnHost _ -> throw new IllegalStateException("a callback is a stage");
    };
  }

  /** {@return whether a graph's own device does the work of a node} */
  static boolean isOf(DeviceRuntime engine, NodeWork.OnDevice work) {
    DeviceRuntime doer = work.engine();
    return doer == null || engine.peers().isSame(doer);
  }

  /** {@return the plan of a body, in which no node is a callback} */
  private static GraphPlan plan(DeviceRuntime engine, List<NodeWork.Step> steps) {
    return new GraphPlan(
        flattened(steps).stream()
            .map(node -> new GraphPlan.Step(work(engine, node.work, node.place), node.after))
            .toList());
  }
}
