package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.GraphPlan;
import dev.stretto.driver.GraphWork;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A graph of the driver that takes the place of another one for a single launch, and tells when
 * each of its nodes was done. The events belong to the marks of the nodes.
 */
public final class TimedGraph extends Resource {
  /**
   * When a node runs.
   *
   * @param work what it does, with the numbers of this launch
   * @param after it begins when all of these are reached
   * @param end reached when it is done
   */
  public record Node(GraphWork work, List<TimedMark> after, TimedMark end) {
    /** Keeps an immutable copy of the list. */
    public Node {
      after = List.copyOf(after);
    }
  }

  private final DeviceRuntime engine;
  private final List<Long> events = new ArrayList<>();
  private final TimedPlan timed;
  private final long handle;

  private TimedGraph(DeviceRuntime engine, GraphPlan plan) {
    this.engine = engine;
    boolean isMade = false;
    try {
      this.timed = TimedPlan.of(plan, this::newEvent);
      this.handle = engine.driver().createGraph(timed.plan());
      isMade = true;
    } finally {
      if (!isMade) {
        destroyEvents();
      }
    }
  }

  /**
   * {@return a graph that takes the place of another}
   *
   * @param plan of the other graph, with the parameters of the launch
   * @throws DriverException if the driver refuses it
   */
  static TimedGraph of(DeviceRuntime engine, GraphPlan plan) {
    TimedGraph graph = new TimedGraph(engine, plan);
    if (!engine.resources().adopt(graph)) {
      graph.closeAfterLastUse();
      throw engine.device().closedException();
    }
    return graph;
  }

  private long newEvent() {
    long event = engine.timedEvents().create();
    events.add(event);
    return event;
  }

  long handle() {
    return handle;
  }

  /**
   * {@return the nodes in the order of the plan, children replaced by their nodes; empty where a
   * node takes no time} Whoever calls it closes the marks.
   *
   * @param stream the stream of the launch
   * @param sequence the number of the launch
   */
  List<Optional<Node>> launched(OpenStream stream, long sequence) {
    List<TimedMark> marks = new ArrayList<>();
    for (long event : timed.events()) {
      Destroy destroy = new Destroy(engine.timedEvents(), stream.queue(), sequence, event);
      marks.add(new TimedMark(stream, sequence, event, destroy));
    }
    List<Optional<Node>> nodes = new ArrayList<>();
    for (TimedPlan.Node node : timed.nodes()) {
      List<TimedMark> after = node.after().stream().map(marks::get).toList();
      nodes.add(
          node.end() < 0
              ? Optional.empty()
              : Optional.of(new Node(node.work(), after, marks.get(node.end()))));
    }
    return nodes;
  }

  /** Destroys an event after the launch, whose graph refers to it. */
  private record Destroy(TimedEvents events, StreamQueue queue, long sequence, long event)
      implements Runnable {
    @Override
    public void run() {
      queue.completion.whenDone(sequence, () -> events.destroy(event));
    }
  }

  @Override
  public String describe() {
    return "a graph on " + engine.name() + ", with the times of its nodes";
  }

  @Override
  protected void release() {
    if (!engine.isLost()) {
      try {
        engine.driver().destroyGraph(handle);
      } catch (DriverException e) {
        engine.device().report(describe() + " could not be released", e);
      }
    }
    engine.resources().released(this);
    gone();
  }

  /** Destroys the events of a graph that was not launched. */
  void destroyEvents() {
    events.forEach(engine.timedEvents()::destroy);
  }
}
