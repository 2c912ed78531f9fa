package dev.stretto.route;

import dev.stretto.driver.Cooperation;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.GraphChanges;
import dev.stretto.driver.GraphWork;
import dev.stretto.fault.RouteException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A graph that can be launched: graphs of the driver with callbacks between them. Its launches
 * never overlap. Changed parameters reach the driver with the next launch, so that a launch that is
 * held back still runs with the parameters that it was called with. Guarded by the driver's lock.
 */
public final class GraphProgram extends Resource {
  private final DeviceRuntime engine;
  private final String what;

  /** The other devices that do some of the work. */
  private final Collection<DeviceRuntime> others;

  private final List<GraphStage> stages;

  /** For each stage, the stages that have to be over before it begins. */
  private final List<Set<Integer>> after;

  private final int[] asMade;
  private final boolean callsBack;
  private final long[] handles;

  /** For each of the driver's graphs, how many queue entries of a stream a launch takes. */
  private final int[] entries;

  /** The current work of each step of the driver's graphs; the inner arrays are never changed. */
  private final GraphWork[][] applied;

  private @Nullable StreamQueue lastQueue;
  private long lastSequence;

  /** Whether other graphs took the place of these in the last launch. */
  private boolean lastWasTimed;

  /** The uploads that may be in flight. */
  private final List<Upload> uploads = new ArrayList<>(1);

  /**
   * An upload.
   *
   * @param queue its stream
   * @param first the number of its first operation
   * @param last the number of its last one
   */
  private record Upload(StreamQueue queue, long first, long last) {
    boolean isOver() {
      return queue.completion.isKnownDone(last);
    }
  }

  private GraphProgram(
      DeviceRuntime engine,
      String what,
      List<GraphStage> stages,
      List<Set<Integer>> after,
      Collection<DeviceRuntime> others) {
    this.engine = engine;
    this.others = others;
    this.what = what;
    this.stages = List.copyOf(stages);
    this.after = List.copyOf(after);
    this.asMade = IntStream.range(0, stages.size()).toArray();
    this.callsBack = stages.stream().anyMatch(GraphStage.OnHost.class::isInstance);
    this.handles = new long[stages.size()];
    this.entries = new int[stages.size()];
    this.applied = new GraphWork[stages.size()][];
  }

  /**
   * {@return a graph that the driver can launch}
   *
   * @param engine the device
   * @param what describes the graph, with its kernels, for messages
   * @param stages the stages, in order
   * @param after for each stage, the earlier stages that have to be over before it begins
   * @param version the current parameters; resources of earlier ones may have been released
   */
  public static GraphProgram create(
      DeviceRuntime engine,
      String what,
      List<GraphStage> stages,
      List<Set<Integer>> after,
      GraphVersion version) {
    engine.requireUsable();
    version.requireBorrowed();
    return version.call(
        () -> {
          GraphProgram program = new GraphProgram(engine, what, stages, after, version.others());
          boolean adopted = false;
          try {
            program.createAll(version);
            adopted = program.isAdopted();
          } finally {
            if (!adopted) {
              program.closeAfterLastUse();
            }
          }
          if (!adopted) {
            version.requireOthers();
            throw engine.device().closedException();
          }
          return program;
        });
  }

  /** Makes all devices that do the work release it before they are closed. */
  private boolean isAdopted() {
    boolean adopted = engine.resources().adopt(this);
    for (DeviceRuntime other : others) {
      adopted &= other.resources().adoptGuest(this);
    }
    return adopted;
  }

  private void createAll(GraphVersion version) {
    for (int i = 0; i < handles.length; i++) {
      if (stages.get(i) instanceof GraphStage.OnDevice stage) {
        applied[i] = version.works(i);
        entries[i] = QueueEntries.of(stage.plan());
        handles[i] = engine.driver().createGraph(stage.plan().with(applied[i]));
      }
    }
  }

  /**
   * {@return graphs that take the place of these in one launch, or null if the driver does not make
   * them, which is logged}
   *
   * @param version the parameters of the launch
   */
  public @Nullable TimedLaunch timed(GraphVersion version) {
    try {
      return version.call(() -> TimedLaunch.of(engine, stages, version));
    } catch (RuntimeException e) {
      Loss.kept(e); // the launch itself is not affected, or reports the loss
      ProgramLog.warn("the times of the nodes of " + what + " are unknown", e);
      return null;
    }
  }

  /**
   * Enqueues a launch.
   *
   * @param queue a stream of the same device
   * @param version the parameters
   * @param marked whether the program may await this particular launch
   * @param place the line of the program, or null if it is not needed
   * @param timed what takes the place of the driver's graphs, or null
   * @return the number of its last operation
   */
  public long launch(
      StreamQueue queue,
      GraphVersion version,
      boolean marked,
      @Nullable StackTraceElement place,
      @Nullable TimedLaunch timed) {
    if (timed == null) {
      return launchNow(queue, version, marked, place, null);
    }
    boolean isEnqueued = false;
    try {
      long sequence = launchNow(queue, version, true, place, timed);
      isEnqueued = true;
      return sequence;
    } finally {
      if (isEnqueued) {
        timed.over();
      } else {
        timed.refused(queue);
      }
    }
  }

  private long launchNow(
      StreamQueue queue,
      GraphVersion version,
      boolean marked,
      @Nullable StackTraceElement place,
      @Nullable TimedLaunch timed) {
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      if (callsBack && !queue.isDeferrable()) {
        throw new RouteException(
            "a graph with callbacks cannot be launched on "
                + queue.describeForeign()
                + ", which cannot hold operations back while callbacks run: use device.stream()");
      }
      version.requireOthers();
      awaitUploads(queue);
      awaitLastLaunch(queue, timed != null);
      long last = queue.completion.issued() + Math.max(1, stages.size() + others(queue));
      queue.handover.noteUse(this, last);
      version.noteUse(queue, last);
      if (timed != null) {
        timed.use(queue, last);
      }
      long sequence = stages.isEmpty() ? queue.mark() : 0;
      for (int stage : order()) {
        sequence = enqueue(queue, version, stage, marked || handles.length > 1, place, timed);
        if (timed != null) {
          timed.enqueued(stage, sequence);
        }
      }
      if (version.bringsToHost()) {
        queue.toHost.brings(sequence);
      }
      lastQueue = queue;
      lastSequence = sequence;
      lastWasTimed = timed != null;
      return sequence;
    }
  }

  /**
   * CUDA orders a launch after earlier launches of the graph, on any stream, but promises nothing
   * about uploads. Each launch waits separately, because a launch that is called later may reach
   * the driver earlier.
   */
  private void awaitUploads(StreamQueue queue) {
    if (uploads.isEmpty()) {
      return; // the usual case
    }
    uploads.removeIf(Upload::isOver);
    for (Upload upload : uploads) {
      if (upload.queue != queue) {
        StreamWaits.enqueue(queue, upload.queue, upload.last);
      }
    }
  }

  /**
   * The same for a launch that was held back and reaches the driver now: an upload that was called
   * later may have reached the driver earlier, and the launch has not waited for it.
   */
  private void waitForUploadsOnTheDevice(StreamQueue queue) {
    if (uploads.isEmpty()) {
      return;
    }
    uploads.removeIf(Upload::isOver);
    for (Upload upload : uploads) {
      long point = Math.min(upload.last, upload.queue.completion.submitted());
      if (upload.queue != queue && point >= upload.first) {
        queue.completion.waitOnTheDevice(upload.queue.completion, point);
      }
    }
  }

  /** The order of the stages: that of their creation, or a legal one that a seed picks. */
  private int[] order() {
    Cooperation seeded = asMade.length < 2 ? null : engine.device().cooperation();
    if (seeded == null) {
      return asMade;
    }
    List<Integer> left = new ArrayList<>(IntStream.of(asMade).boxed().toList());
    int[] order = new int[asMade.length];
    for (int i = 0; i < order.length; i++) {
      List<Integer> possible =
          left.stream().filter(stage -> Collections.disjoint(after.get(stage), left)).toList();
      Integer next = possible.get(seeded.pick(possible.size()));
      order[i] = next;
      left.remove((Object) next);
    }
    return order;
  }

  /**
   * The driver keeps launches of each of its graphs apart, but not those of several stages, nor
   * those of a graph and of one in its place.
   */
  private void awaitLastLaunch(StreamQueue queue, boolean timed) {
    StreamQueue before = lastQueue;
    boolean severalGraphs = handles.length > 1 || timed || lastWasTimed;
    if (severalGraphs && before != null && before != queue) {
      StreamWaits.enqueue(queue, before, lastSequence);
    }
  }

  /** How many extra sequence numbers a launch takes for its queue entries beyond one per stage. */
  private int others(StreamQueue queue) {
    int others = 0;
    for (int entry : entries) {
      others += others(queue, entry);
    }
    return others;
  }

  /** At most half of a stream's backlog, so that the launch is possible at all. */
  private static int others(StreamQueue queue, int entries) {
    return Math.max(0, Math.min(entries, queue.handover.backlog() / 2) - 1);
  }

  private long enqueue(
      StreamQueue queue,
      GraphVersion version,
      int stage,
      boolean marked,
      @Nullable StackTraceElement place,
      @Nullable TimedLaunch timed) {
    GraphStage.OnHost host = version.callback(stage);
    if (host != null) {
      return host.executor() == null
          ? Callback.then(queue, host.body())
          : Callback.then(queue, host.body(), host.executor());
    }
    // A driver blocks its caller if its queue is full, so each entry but the last counts as an
    // operation.
    queue.handover.count(others(queue, entries[stage]));
    if (version.reachesHost() && !queue.arrivals.isEmpty()) {
      List<Arrival> arriving = queue.arrivals.before(Long.MAX_VALUE);
      if (!arriving.isEmpty()) {
        return queue.copyAfter(
            arriving, null, null, () -> launchLater(queue, version, stage, place, timed));
      }
    }
    long sequence = queue.handover.begin(null, null);
    if (!queue.handover.isDirect()) {
      queue.handover.defer(
          sequence, marked, () -> launchLater(queue, version, stage, place, timed));
      return sequence;
    }
    try {
      queue.handover.markCopies();
      launch(queue, version, stage, place, timed);
    } catch (DriverException e) {
      throw engine.raised(e);
    } finally {
      queue.handover.handedOver(sequence, marked);
    }
    return sequence;
  }

  /**
   * Launches later: the stack trace no longer has the line of the call, so the message names it.
   */
  private void launchLater(
      StreamQueue queue,
      GraphVersion version,
      int stage,
      @Nullable StackTraceElement place,
      @Nullable TimedLaunch timed) {
    waitForUploadsOnTheDevice(queue);
    try {
      launch(queue, version, stage, place, timed);
    } catch (DriverException e) {
      throw queue.refusedLater(e, what, place);
    }
  }

  private void launch(
      StreamQueue queue,
      GraphVersion version,
      int stage,
      @Nullable StackTraceElement place,
      @Nullable TimedLaunch timed) {
    if (timed == null) {
      GraphWork[] wanted = version.works(stage);
      if (!isApplied(stage, wanted)) {
        apply(stage, wanted);
      }
    }
    queue.noteLaunch(what, place, queue.completion.submitted() + 1);
    long graph = timed == null ? handles[stage] : timed.handle(stage);
    engine.driver().launchGraph(graph, queue.handle(), place);
  }

  /** Whether both are the same array; equal steps of another version are compared one by one. */
  @SuppressWarnings("ReferenceEquality")
  private boolean isApplied(int stage, GraphWork[] wanted) {
    return applied[stage] == wanted;
  }

  private void apply(int stage, GraphWork[] wanted) {
    GraphWork[] now = applied[stage].clone();
    applied[stage] = now; // kept exact throughout, because the driver may refuse a change
    for (int i = 0; i < wanted.length; i++) {
      if (!GraphChanges.isSame(now[i], wanted[i])) {
        engine.driver().updateGraph(handles[stage], i, wanted[i]);
        now[i] = wanted[i];
      }
    }
    applied[stage] = wanted;
  }

  /**
   * Makes the driver upload the graph to the device.
   *
   * @param queue a stream of the same device
   * @return the number of its last operation
   */
  public long upload(StreamQueue queue) {
    synchronized (engine.lock) {
      queue.handover.requireOpen();
      awaitUploads(queue);
      long first = queue.completion.issued() + 1;
      queue.handover.noteUse(this, queue.completion.issued() + Math.max(1, stages.size()));
      for (long graph : handles) {
        if (graph != 0) {
          long _ =
              queue.handover.enqueue(
                  null, null, true, () -> engine.driver().uploadGraph(graph, queue.handle()));
        }
      }
      long last = queue.mark();
      note(queue, first, last);
      return last;
    }
  }

  /** Keeps only the last upload of each stream: when it is done, earlier ones are done too. */
  private void note(StreamQueue queue, long first, long last) {
    long earliest = first;
    for (Iterator<Upload> earlier = uploads.iterator(); earlier.hasNext(); ) {
      Upload upload = earlier.next();
      if (upload.queue == queue) {
        earliest = upload.first;
        earlier.remove();
      }
    }
    uploads.add(new Upload(queue, earliest, last));
  }

  @Override
  public String describe() {
    return "a graph on " + engine.name();
  }

  @Override
  protected void release() {
    for (long graph : handles) {
      destroy(graph);
    }
    engine.resources().released(this);
    others.forEach(other -> other.resources().releasedGuest(this));
    gone();
  }

  private void destroy(long graph) {
    if (graph == 0 || engine.isLost()) {
      return;
    }
    try {
      engine.driver().destroyGraph(graph);
    } catch (DriverException e) {
      engine.device().report(describe() + " could not be released", e);
    }
  }
}
