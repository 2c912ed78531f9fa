package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.GraphWork;
import dev.stretto.fault.RouteException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A graph that can be launched: graphs of the driver's, with callbacks between them. Its launches
 * never overlap. Parameters that were changed reach the driver with the next launch, so that a
 * launch that is held back runs with those that it was called with. Guarded by the engine's lock.
 */
public final class GraphProgram extends Resource {
  private final Engine engine;
  private final List<GraphStage> stages;
  private final boolean callsBack;
  private final long[] handles;

  /** What each step of each of the driver's graphs does now. */
  private final GraphWork[][] applied;

  private @Nullable StreamQueue lastQueue;
  private long lastSequence;

  private GraphProgram(Engine engine, List<GraphStage> stages) {
    this.engine = engine;
    this.stages = List.copyOf(stages);
    this.callsBack = stages.stream().anyMatch(GraphStage.OnHost.class::isInstance);
    this.handles = new long[stages.size()];
    this.applied = new GraphWork[stages.size()][];
  }

  /**
   * {@return the stages, made by the driver}
   *
   * @param engine the device
   * @param stages what is done one after the other
   * @param version the parameters of now: what earlier ones used may be gone
   */
  public static GraphProgram create(Engine engine, List<GraphStage> stages, GraphVersion version) {
    engine.requireUsable();
    version.requireBorrowed();
    return engine.call(
        () -> {
          GraphProgram program = new GraphProgram(engine, stages);
          boolean adopted = false;
          try {
            program.createAll(version);
            adopted = engine.adopt(program);
          } finally {
            if (!adopted) {
              program.closeAfterLastUse();
            }
          }
          if (!adopted) {
            throw engine.closedException();
          }
          return program;
        });
  }

  private void createAll(GraphVersion version) {
    for (int i = 0; i < handles.length; i++) {
      if (stages.get(i) instanceof GraphStage.OnDevice stage) {
        applied[i] = version.works(i).clone();
        handles[i] = engine.driver().createGraph(stage.plan().with(applied[i]));
      }
    }
  }

  /**
   * Enqueues a launch.
   *
   * @param queue a stream of the same device
   * @param version the parameters
   * @return the number of its last operation
   */
  public long launch(StreamQueue queue, GraphVersion version) {
    synchronized (engine.lock) {
      queue.requireOpen();
      if (callsBack && !queue.isDeferrable()) {
        throw new RouteException(
            "a graph with callbacks cannot be launched on a default stream, which cannot be held"
                + " back while they run: use device.stream()");
      }
      awaitLastLaunch(queue);
      long last = queue.issued + Math.max(1, stages.size());
      queue.noteUse(this, last);
      version.noteUse(queue, last);
      long sequence = stages.isEmpty() ? queue.mark() : 0;
      for (int i = 0; i < handles.length; i++) {
        sequence = enqueue(queue, version, i);
      }
      lastQueue = queue;
      lastSequence = sequence;
      return sequence;
    }
  }

  /** The driver keeps launches of one of its graphs apart, but knows nothing of several stages. */
  private void awaitLastLaunch(StreamQueue queue) {
    StreamQueue before = lastQueue;
    if (handles.length > 1 && before != null && before != queue) {
      queue.waitFor(before, lastSequence);
    }
  }

  private long enqueue(StreamQueue queue, GraphVersion version, int stage) {
    if (stages.get(stage) instanceof GraphStage.OnHost host) {
      return host.executor() == null
          ? queue.then(host.body())
          : queue.then(host.body(), host.executor());
    }
    Operation launch = () -> launch(queue, version, stage);
    if (version.reachesHost() && !queue.arrivals.isEmpty()) {
      List<Transfer> arriving = queue.arrivals.before(Long.MAX_VALUE);
      if (!arriving.isEmpty()) {
        return queue.copyAfter(arriving, null, null, launch);
      }
    }
    return queue.enqueue(null, null, true, launch);
  }

  private void launch(StreamQueue queue, GraphVersion version, int stage) {
    GraphWork[] wanted = version.works(stage);
    for (int i = 0; i < wanted.length; i++) {
      if (!Objects.equals(applied[stage][i], wanted[i])) {
        engine.driver().updateGraph(handles[stage], i, wanted[i]);
        applied[stage][i] = wanted[i];
      }
    }
    engine.driver().launchGraph(handles[stage], queue.handle());
  }

  /**
   * Has the driver bring the graph to the device.
   *
   * @param queue a stream of the same device
   * @return the number of its last operation
   */
  public long upload(StreamQueue queue) {
    synchronized (engine.lock) {
      queue.requireOpen();
      queue.noteUse(this, queue.issued + Math.max(1, stages.size()));
      for (long graph : handles) {
        if (graph != 0) {
          long ignored =
              queue.enqueue(
                  null, null, true, () -> engine.driver().uploadGraph(graph, queue.handle()));
        }
      }
      return queue.mark();
    }
  }

  @Override
  public String describe() {
    return "a graph on " + engine.name();
  }

  @Override
  protected void release() {
    try {
      for (long graph : handles) {
        if (graph != 0 && !engine.isLost()) {
          engine.driver().destroyGraph(graph);
        }
      }
    } catch (DriverException e) {
      engine.report(describe() + " could not be given back", e);
    } finally {
      engine.released(this);
      gone();
    }
  }
}
