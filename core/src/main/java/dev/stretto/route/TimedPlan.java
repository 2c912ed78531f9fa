package dev.stretto.route;

import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The plan of a graph that does what another one does and records an event after each node: the
 * first event when the launch begins, then one behind each node that takes time. A node begins when
 * its predecessors are done, so it needs no event before it. Child graphs become their nodes.
 */
final class TimedPlan {
  /**
   * A node of the original plan, or of a child in it.
   *
   * @param work what it does
   * @param after the numbers of the events after which it begins
   * @param end the number of the event after it, or negative if it takes no time
   */
  record Node(GraphWork work, Set<Integer> after, int end) {}

  /**
   * What comes before a node, or after it.
   *
   * @param steps the steps of this plan
   * @param events the numbers of the events that happen when these are done
   */
  private record Point(Set<Integer> steps, Set<Integer> events) {
    static Point none() {
      return new Point(new LinkedHashSet<>(), new LinkedHashSet<>());
    }

    void add(Point other) {
      steps.addAll(other.steps);
      events.addAll(other.events);
    }
  }

  private final LongSupplier newEvent;
  private final List<GraphPlan.Step> steps = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Long> events = new ArrayList<>();

  private TimedPlan(LongSupplier newEvent) {
    this.newEvent = newEvent;
  }

  /**
   * {@return the plan}
   *
   * @param plan the original
   * @param newEvent makes the driver's events
   */
  static TimedPlan of(GraphPlan plan, LongSupplier newEvent) {
    TimedPlan timed = new TimedPlan(newEvent);
    Point begin = timed.event(Set.of());
    Point _ = timed.add(plan, begin);
    return timed;
  }

  /** {@return the plan for the driver} */
  GraphPlan plan() {
    return new GraphPlan(steps);
  }

  /** {@return the nodes in the order of the original plan} */
  List<Node> nodes() {
    return nodes;
  }

  /** {@return the driver's events, by their numbers} */
  List<Long> events() {
    return events;
  }

  private Point add(GraphPlan plan, Point begin) {
    List<Point> ends = new ArrayList<>();
    for (GraphPlan.Step step : plan.steps()) {
      Point before = begin;
      if (!step.after().isEmpty()) {
        before = Point.none();
        for (int index : step.after()) {
          before.add(ends.get(index));
        }
      }
      ends.add(add(step.work(), before));
    }
    if (plan.steps().isEmpty()) {
      return begin;
    }
    Point end = Point.none();
    plan.ends().forEach(index -> end.add(ends.get(index)));
    return end;
  }

  private Point add(GraphWork work, Point before) {
    return switch (work) {
      case GraphWork.Elsewhere(_, GraphWork.Undefined _) -> {
        nodes.add(new Node(work, before.events, -1));
        yield new Point(Set.of(step(work, before.steps)), before.events);
      }
      case GraphWork.Empty _, GraphWork.Undefined _, GraphWork.Off _, GraphWork.RecordEvent _ -> {
        nodes.add(new Node(work, before.events, -1));
        yield new Point(Set.of(step(work, before.steps)), before.events);
      }
      case GraphWork.Copy _,
          GraphWork.Planes _,
          GraphWork.PeerCopy _,
          GraphWork.Fill _,
          GraphWork.Kernel _,
          GraphWork.WaitEvent _,
          GraphWork.WriteValue _,
          GraphWork.WaitValue _,
          GraphWork.Elsewhere _,
          GraphWork.Captured _,
          GraphWork.Conditional _ -> {
        int made = step(work, before.steps);
        nodes.add(new Node(work, before.events, events.size()));
        yield event(Set.of(made));
      }
    };
  }

  private Point event(Set<Integer> after) {
    long event = newEvent.getAsLong();
    int number = events.size();
    events.add(event);
    return new Point(Set.of(step(new GraphWork.RecordEvent(event, true), after)), Set.of(number));
  }

  private int step(GraphWork work, Set<Integer> after) {
    steps.add(new GraphPlan.Step(work, List.copyOf(after)));
    return steps.size() - 1;
  }
}
