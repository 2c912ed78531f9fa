package dev.stretto.route;

import dev.stretto.driver.GraphPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The graphs that take the place of a program's own in one launch, to tell when its nodes ran. */
public final class TimedLaunch {
  private final @Nullable TimedGraph[] graphs;
  private final long[] sequences;

  private TimedLaunch(int stages) {
    this.graphs = new TimedGraph[stages];
    this.sequences = new long[stages];
  }

  /**
   * {@return graphs for one launch}
   *
   * @throws dev.stretto.driver.DriverException if the driver refuses one of them
   */
  static TimedLaunch of(DeviceRuntime engine, List<GraphStage> stages, GraphVersion version) {
    TimedLaunch launch = new TimedLaunch(stages.size());
    boolean isMade = false;
    try {
      for (int i = 0; i < stages.size(); i++) {
        if (stages.get(i) instanceof GraphStage.OnDevice stage) {
          GraphPlan plan = stage.plan().with(version.works(i));
          launch.graphs[i] = TimedGraph.of(engine, plan);
        }
      }
      isMade = true;
    } finally {
      if (!isMade) {
        launch.over();
        launch.destroyEvents();
      }
    }
    return launch;
  }

  /** {@return the graph of a stage} */
  long handle(int stage) {
    TimedGraph graph = graphs[stage];
    if (graph == null) {
      throw new IllegalStateException("stage " + stage + " is a callback");
    }
    return graph.handle();
  }

  /** Notes that the launch, which is enqueued now, uses the graphs until an operation is done. */
  void use(StreamQueue queue, long last) {
    for (TimedGraph graph : graphs) {
      if (graph != null) {
        queue.handover.noteUse(graph, last);
      }
    }
  }

  void enqueued(int stage, long sequence) {
    sequences[stage] = sequence;
  }

  /**
   * {@return for each stage, its nodes; those of a callback are none} Whoever calls it closes the
   * marks.
   *
   * @param stream the stream of the launch
   */
  public List<List<Optional<TimedGraph.Node>>> nodes(OpenStream stream) {
    List<List<Optional<TimedGraph.Node>>> nodes = new ArrayList<>();
    for (int i = 0; i < graphs.length; i++) {
      TimedGraph graph = graphs[i];
      nodes.add(graph == null ? List.of() : graph.launched(stream, sequences[i]));
    }
    return nodes;
  }

  /** Gives the graphs back when the launch is over. */
  void over() {
    for (TimedGraph graph : graphs) {
      if (graph != null) {
        graph.closeAfterLastUse();
      }
    }
  }

  /** Gives the graphs and their events back when what was enqueued of a launch is over. */
  void refused(StreamQueue queue) {
    over();
    queue.completion.whenDone(queue.completion.issued(), this::destroyEvents);
  }

  private void destroyEvents() {
    for (TimedGraph graph : graphs) {
      if (graph != null) {
        graph.destroyEvents();
      }
    }
  }
}
