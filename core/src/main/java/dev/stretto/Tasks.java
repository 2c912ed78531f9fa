package dev.stretto;

import dev.stretto.fault.ClosedException;
import dev.stretto.kernel.DeviceKernel;
import dev.stretto.kernel.KernelMethod;
import dev.stretto.observe.Observers;
import dev.stretto.order.Issue;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Operations without streams. The program enqueues them one after the other; what they do to which
 * bytes decides what waits for what. A task that reads bytes comes after the last one that wrote
 * them, and a task that writes bytes after all that read or wrote them before; all others may run
 * at the same time. So the result is that of running one after the other.
 *
 * {@snippet :
 * try (Tasks tasks = device.tasks()) {
 *   for (Chunk chunk : chunks) {
 *     tasks.copy(chunk.input(), chunk.x());
 *     tasks.launch(grid, Kernels::scale, chunk.x(), chunk.y());
 *     tasks.copy(chunk.y(), chunk.output());
 *   }
 *   tasks.await();
 * }
 * }
 *
 * <p>What a kernel does with its arguments is inferred from its method; see {@link
 * dev.stretto.kernel.KernelReach}. Where its indices are not known before the launch, it counts as
 * accessing all bytes that they may stand for.
 *
 * <p>Tasks run on some streams of their own, their lanes. Streams and tasks mix: all tasks of the
 * process know of each other, and of streams of devices that were opened with {@code
 * order=automatic} or {@code order=checked}. What other streams do has to be ordered by events, by
 * {@link #waitFor} and {@link #record}; so has, on every device, the allocation of an array in the
 * order of a stream, such as {@link Stream#allocateFloats}, and what is on a default stream. Any
 * thread may enqueue; the order is that of the calls.
 *
 * <p>The host's own accesses are not tasks: the program must not write the source of a copy, nor
 * touch its destination, before the copy is done. {@link #then} runs code of the host as a task.
 */
public final class Tasks extends TaskCopies implements Awaitable, AutoCloseable {
  static final int LANES = 8;
  static final int MOST_LANES = 64;

  private final Device device;
  private final List<Stream> streams;
  private final TaskLanes lanes;
  private volatile @Nullable Stream captured;
  private volatile @Nullable TaskDrawing drawing;

  Tasks(Device device, List<Stream> streams) {
    this.device = device;
    this.streams = List.copyOf(streams);
    this.lanes = new TaskLanes(streams.stream().map(Stream::queue).toList());
  }

  /** {@return the device of the tasks} */
  public Device device() {
    return device;
  }

  /** {@return on how many streams tasks run} */
  public int lanes() {
    return streams.size();
  }

  @Override
  <T> T task(String name, TaskDemands demands, Function<Stream, T> operation) {
    return operation.apply(lane(name, demands));
  }

  private Stream lane(String name, TaskDemands demands) {
    Stream inGraph = captured;
    if (inGraph != null) {
      return inGraph;
    }
    int lane = lanes.forTask(demands.all());
    TaskDrawing drawn = drawing;
    if (drawn != null) {
      drawn.add(name, demands.all(), lane);
    }
    return streams.get(lane);
  }

  // --- kernels
  // ----------------------------------------------------------------------------------------------------------------

  /**
   * Launches a kernel.
   *
   * @param grid its shape
   * @param kernel the kernel to run
   * @param arguments one for each parameter; numbers are not converted
   * @throws dev.stretto.fault.KernelImageException if the image cannot be loaded
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   * @throws IllegalArgumentException if the arguments do not match the parameters, or memory of
   *     another device is among them
   * @throws ClosedException if the tasks, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public void launch(Grid grid, DeviceKernel kernel, Object... arguments) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    Objects.requireNonNull(arguments, "arguments");
    launch(device.launch(grid, kernel, true, arguments));
  }

  /**
   * Launches a prepared launch with its current arguments.
   *
   * @param launch a launch that was prepared on this device
   * @throws IllegalArgumentException if it was prepared on another device
   * @throws ClosedException if the tasks, the device or an argument is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public void launch(Launch launch) {
    Objects.requireNonNull(launch, "launch");
    lane(launch).launch(launch);
  }

  /**
   * Launches a graph as one task, which does all that its nodes do.
   *
   * @param graph a graph of this device
   * @return an event that happens when all its nodes are done
   * @throws IllegalArgumentException if it belongs to another device
   * @throws ClosedException if the graph, the tasks or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Event launch(Graph graph) {
    Objects.requireNonNull(graph, "graph");
    TaskDemands demands = new TaskDemands();
    graph.steps().forEach(step -> demands.uses(GraphOrder.uses(step.work())));
    return task("a graph of " + graph.nodes().size() + " nodes", demands, graph::launch);
  }

  private Stream lane(Launch launch) {
    return lane("kernel " + launch.kernel().entry(), new TaskDemands().uses(launch.uses()));
  }

  @Override
  void launchMethod(Grid grid, KernelMethod kernel, Object... arguments) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    launch(device.launch(grid, kernel, true, arguments));
  }

  @Override
  @Nullable RepeatedLaunch repeated(Grid grid, KernelMethod kernel) {
    Objects.requireNonNull(grid, "grid");
    Objects.requireNonNull(kernel, "kernel");
    return captured == null ? device.repeated(grid, kernel) : null;
  }

  @Override
  boolean launched(RepeatedLaunch launch) {
    Stream lane;
    try {
      lane = launch.isForOthers() ? streams.getFirst() : lane(launch.launch());
    } catch (RuntimeException e) {
      launch.putBack();
      throw e;
    }
    return lane.launched(launch);
  }

  // --- the host, and streams
  // --------------------------------------------------------------------------------------------------

  /**
   * Runs code of the host as a task: after all earlier tasks that use these parts of host memory,
   * and before all later ones. Otherwise as {@link Stream#then(Runnable)}.
   *
   * @param callback the code to run, on its own virtual thread
   * @param uses the host memory that it reads or writes
   * @return an event that happens when the callback has returned; awaiting it throws the callback's
   *     exception
   * @throws ClosedException if the tasks or the device is closed
   */
  public Event then(Runnable callback, MemorySegment... uses) {
    Objects.requireNonNull(callback, "callback");
    Objects.requireNonNull(uses, "uses");
    TaskDemands demands = new TaskDemands();
    for (MemorySegment host : uses) {
      demands.writes(Objects.requireNonNull(host, "uses"));
    }
    return task("a callback", demands, on -> then(on, callback, demands));
  }

  private static Event then(Stream on, Runnable callback, TaskDemands demands) {
    if (on.captured().current() != null) {
      return on.then(callback);
    }
    Issue issue = Objects.requireNonNull(on.queue().issue("a callback", Observers::trail));
    long sequence = -1;
    try {
      demands.all().forEach(it -> issue.accesses(it.memory(), it.bytes(), it.way()));
      issue.ready();
      Event event = on.then(callback);
      sequence = event.sequence();
      return event;
    } finally {
      Issue.end(issue, sequence);
    }
  }

  /**
   * Makes all tasks that are enqueued from now on wait until an event has happened.
   *
   * @param event an event of any stream of any device
   * @throws ClosedException if the tasks or the device is closed
   */
  public void waitFor(Event event) {
    Objects.requireNonNull(event, "event");
    Stream inGraph = captured;
    if (inGraph != null) {
      inGraph.waitFor(event);
    } else {
      streams.forEach(lane -> lane.waitFor(event));
    }
  }

  /**
   * {@return an event that stands for all tasks that were enqueued so far} Streams may wait for it.
   *
   * @throws ClosedException if the tasks or the device is closed
   */
  public Event record() {
    Stream inGraph = captured;
    if (inGraph != null) {
      return inGraph.record();
    }
    Stream first = streams.getFirst();
    streams.subList(1, streams.size()).forEach(lane -> first.waitFor(lane.record()));
    return first.record();
  }

  // --- graphs and pictures
  // ----------------------------------------------------------------------------------------------------

  /**
   * {@return a graph of the tasks that a piece of code enqueues} None of them is really enqueued. A
   * node comes after those that its bytes demand, as a task does. What can be captured is said at
   * {@link Graph#capture(Stream, Runnable)}; a callback comes after all nodes before it.
   *
   * @param body the code to capture; only its thread uses these tasks meanwhile
   * @throws dev.stretto.fault.GraphException if an operation cannot be captured
   * @throws ClosedException if the tasks, the device or a resource that was used is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Graph capture(Runnable body) {
    Objects.requireNonNull(body, "body");
    requireOpen();
    try (Stream stream = device.stream("captured tasks")) {
      GraphDraft draft =
          Capture.of(
              stream.captured(),
              () -> {
                captured = stream;
                try {
                  body.run();
                } finally {
                  captured = null;
                }
              });
      return new Graph(device, TaskEdges.relinked(draft));
    }
  }

  /**
   * {@return a drawing of the tasks that are enqueued until it is closed: which comes after which,
   * and for which bytes}
   *
   * @throws IllegalStateException if another drawing of these tasks is open
   */
  public TaskDrawing draw() {
    synchronized (lanes) {
      if (drawing != null) {
        throw new IllegalStateException("another drawing of these tasks is open: close it first");
      }
      TaskDrawing begun = new TaskDrawing(() -> drawing = null);
      drawing = begun;
      return begun;
    }
  }

  // --- completion
  // -------------------------------------------------------------------------------------------------------------

  @Override
  public boolean isDone() {
    boolean done = true;
    for (Stream lane : streams) {
      done &= lane.isDone();
    }
    return done;
  }

  @Override
  public void await() {
    streams.forEach(Stream::await);
  }

  @Override
  public boolean await(Duration atMost) {
    long deadline = Point.deadline(atMost);
    for (Stream lane : streams) {
      if (!lane.await(deadline)) {
        return false;
      }
    }
    return true;
  }

  @Override
  public CompletableFuture<Void> toCompletableFuture() {
    List<CompletableFuture<Void>> all = new ArrayList<>();
    streams.forEach(lane -> all.add(lane.toCompletableFuture()));
    return CompletableFuture.allOf(all.toArray(CompletableFuture<?>[]::new));
  }

  private void requireOpen() {
    streams.getFirst().requireUsable();
  }

  /**
   * Accepts no more tasks. Does not block: what is enqueued runs to its end. Closing twice has no
   * effect.
   */
  @Override
  public void close() {
    streams.forEach(Stream::close);
  }

  @Override
  public String toString() {
    return "tasks of " + device.name() + " on " + lanes() + " lanes";
  }
}
