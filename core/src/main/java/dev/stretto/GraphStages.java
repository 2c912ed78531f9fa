package dev.stretto;

import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import dev.stretto.route.GraphStage;
import dev.stretto.route.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How a graph is launched: everything up to the first callbacks, those callbacks, everything up to
 * the next ones, and so on. A graph without callbacks is one stage.
 */
final class GraphStages {
  /** The stage, and the step in it, of a node that can be changed. */
  record Place(int stage, int step) {}

  /** A node, after child graphs with callbacks or conditions have been replaced by their nodes. */
  private record Flat(
      NodeWork work, List<Integer> after, int origin, int index, StackTraceElement place) {}

  private final List<GraphStage> stages = new ArrayList<>();
  private final List<GraphWork[]> works = new ArrayList<>();

  /**
   * For each stage, the earlier stages that it depends on: a node of this stage comes after one of
   * their nodes.
   */
  private final List<Set<Integer>> after = new ArrayList<>();

  private final @Nullable Place[] places;

  /** For each stage, the nodes in it; those of a child graph take its place. */
  private final List<List<InnerNode>> inner = new ArrayList<>();

  private GraphStages(int nodes) {
    this.places = new Place[nodes];
  }

  static GraphStages of(List<NodeWork.Step> steps) {
    GraphStages made = new GraphStages(steps.size());
    List<Flat> flat = new ArrayList<>();
    List<Integer> _ = flatten(steps, List.of(), -1, flat);
    made.cut(flat);
    return made;
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

  @Nullable Place place(int node) {
    return places[node];
  }

  /** {@return everything that nodes use} */
  static Set<Resource> used(Collection<NodeWork.Step> steps) {
    Set<Resource> used = new LinkedHashSet<>();
    for (NodeWork.Step step : steps) {
      switch (step.work()) {
        case NodeWork.OnDevice device -> used.addAll(device.used());
        case NodeWork.Child child -> used.addAll(used(child.steps()));
        case NodeWork.Conditional conditional -> {
          used.add(conditional.used());
          conditional.bodies().forEach(body -> used.addAll(used(body)));
        }
        case NodeWork.OnHost _ -> {}
      }
    }
    return used;
  }

  /**
   * {@return the nodes that nothing comes after}
   *
   * @param within the index of the node that contains them, negative if there is none
   */
  private static List<Integer> flatten(
      List<NodeWork.Step> steps, List<Integer> outer, int within, List<Flat> flat) {
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
      if (step.work() instanceof NodeWork.Child child && child.isTakenApart()) {
        ends.add(flatten(child.steps(), before, within < 0 ? i : within, flat));
      } else {
        int index = within < 0 ? i : within;
        flat.add(new Flat(step.work(), before, within < 0 ? i : -1, index, step.place()));
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
      plan.add(new GraphPlan.Step(work(flat.get(i).work, flat.get(i).place), after));
      InnerNode.add(flat.get(i).work, flat.get(i).index, within);
      if (flat.get(i).origin >= 0) {
        places[flat.get(i).origin] = new Place(stages.size(), steps[i]);
      }
    }
    if (!plan.isEmpty()) {
      GraphPlan whole = new GraphPlan(plan);
      stages.add(new GraphStage.OnDevice(whole));
      inner.add(within);
      works.add(whole.steps().stream().map(GraphPlan.Step::work).toArray(GraphWork[]::new));
    }
  }

  /** The work in the driver's terms; a launch also has the line that made the node. */
  static GraphWork work(NodeWork work, StackTraceElement place) {
    return switch (work) {
      case NodeWork.OnDevice device ->
          device.work() instanceof GraphWork.Kernel kernel ? kernel.at(place) : device.work();
      case NodeWork.Child child -> new GraphWork.Child(plan(child.steps()));
      case NodeWork.Conditional conditional ->
          new GraphWork.Conditional(
              conditional.branching(),
              conditional.condition(),
              conditional.bodies().stream().map(GraphStages::plan).toList());
      case NodeWork.OnHost _ -> throw new IllegalStateException("a callback is a stage");
    };
  }

  /** {@return the plan of nodes that are part of another node, none of them a callback} */
  private static GraphPlan plan(List<NodeWork.Step> steps) {
    List<Flat> flat = new ArrayList<>();
    List<Integer> _ = flatten(steps, List.of(), 0, flat);
    return new GraphPlan(
        flat.stream()
            .map(node -> new GraphPlan.Step(work(node.work, node.place), node.after))
            .toList());
  }
}
