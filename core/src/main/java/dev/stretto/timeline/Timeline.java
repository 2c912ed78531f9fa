package dev.stretto.timeline;

import dev.stretto.Device;
import dev.stretto.Observer;
import dev.stretto.Stream;
import dev.stretto.driver.HostClock;
import dev.stretto.observe.Listener;
import dev.stretto.observe.Recording;
import dev.stretto.route.DeviceRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Records the operations of one device, or of several, and when they run, from {@link #record} to
 * {@link #close()}.
 *
 * <pre>{@code
 * try (Timeline timeline = Timeline.record(device)) {
 *   stream.copy(host, x);
 *   stream.launch(grid, saxpy, 2f, x, y, n);
 *   stream.copy(y, host).await();
 *   System.out.print(TextTimeline.draw(timeline.spans(), 100));
 * }
 * }</pre>
 *
 * <p>Times are measured by two events in the operation's stream, one before and one after it. The
 * first event happens when the stream reaches it, but a copy may then wait for its copy engine,
 * which serves other streams too. A copy engine runs one copy after the other, so a copy cannot
 * have begun before the previous one on the same engine ended: the spans are clipped accordingly. A
 * kernel that had to wait for others is shown with its wait, since kernels may run concurrently. An
 * operation on an idle stream is shown to begin some microseconds early, while the host is still
 * enqueuing it. A staged copy is one span, from its first piece to its last; its engine may pause
 * in between.
 *
 * <p><b>Several devices</b> have one timeline by {@link #record(List)} or {@link #add}. Each GPU
 * has a clock of its own, so their times are moved to the host's clock. For this an event is
 * recorded on an idle stream, and the host looks at its clock until it sees that the event has
 * happened; the narrowest of several tries counts, when the recording begins and whenever times are
 * asked for. What that leaves open is {@link #clockUncertainty()}, a few microseconds on an H200.
 * Virtual devices share the model's clock. A copy between two devices is one span, with the names
 * of both.
 *
 * <p><b>A launch of a graph</b> is one span. After {@link #insideGraphs()} its nodes are spans,
 * too.
 *
 * <p>A stream that waits for a number or for an event of another process is a span for as long as
 * it waits, and a number that it writes is a short one. Waits for events of this process are not
 * shown: what they wait for is.
 *
 * <p>What threads of the host read for the device and write of it is recorded as well: of files
 * that {@linkplain Stream#copy(java.nio.channels.FileChannel, long, dev.stretto.memory.GlobalArray)
 * are copied}, what the threads of flows read and write, and what the program {@linkplain
 * Device#report reports}. It is moved to the device's clock as closely as can be observed.
 *
 * <p>Recording costs the thread that enqueues about as much as recording one event, or two if its
 * stream was idle: an operation that is enqueued within ten microseconds of another one on its
 * stream begins when that one ends, so they share an event. If such a stream was idle in between
 * after all, the operation is shown to begin when it was enqueued, which is early by the time that
 * the device takes to begin it. A thread of the timeline reads the times soon after the operations
 * are done, and uses their events again; on a virtual device the threads do that which enqueue. A
 * timeline keeps {@value #MOST_SPANS} operations by default; {@link #leftOut()} counts the later
 * ones. Any number of threads may use it.
 */
public final class Timeline implements AutoCloseable {
  /** How many operations a timeline keeps by default. */
  public static final int MOST_SPANS = 1 << 18;

  private final Recordings recordings;

  private Timeline(HostClock clock, int most) {
    this.recordings = new Recordings(clock, most);
  }

  /** What a device is observed by, which it recognizes as a recording. */
  private record Channel(Recording recording) implements Observer, Recording {
    @Override
    public Listener listener(DeviceRuntime engine) {
      return recording.listener(engine);
    }

    @Override
    public void enqueued(Observed operation) {
      throw new AssertionError("the device reports to the listener: " + operation);
    }
  }

  /**
   * {@return a timeline that records every operation of the device's streams from now on}
   *
   * @param device at most one timeline at a time records it
   * @throws IllegalStateException if the device is already being recorded or observed
   */
  public static Timeline record(Device device) {
    Objects.requireNonNull(device, "device");
    return record(device, MOST_SPANS);
  }

  /**
   * {@return a timeline that records the next operations of the device's streams}
   *
   * @param device at most one timeline at a time records it
   * @param most how many operations to keep, at about a hundred bytes each; 1 or more
   * @throws IllegalArgumentException if {@code most} is not positive
   * @throws IllegalStateException if the device is already being recorded or observed
   */
  public static Timeline record(Device device, int most) {
    Objects.requireNonNull(device, "device");
    if (most < 1) {
      throw new IllegalArgumentException(
          "a timeline of " + most + " operations: must be 1 or more");
    }
    return new Timeline(device.hostClock(), most).add(device);
  }

  /**
   * {@return a timeline that records every operation of the streams of several devices from now on}
   *
   * @param devices one or more devices of one driver; at most one timeline at a time records each
   * @throws IllegalArgumentException if there are none, or their clocks cannot be compared because
   *     they belong to different drivers
   * @throws IllegalStateException if one of them is already being recorded or observed
   * @throws dev.stretto.fault.ClosedException if one of them is closed
   */
  public static Timeline record(List<Device> devices) {
    Objects.requireNonNull(devices, "devices");
    List<Device> all = new ArrayList<>(devices);
    all.forEach(device -> Objects.requireNonNull(device, "an element of devices"));
    if (all.isEmpty()) {
      throw new IllegalArgumentException("a timeline of no devices: give at least one");
    }
    Timeline timeline = new Timeline(all.getFirst().hostClock(), MOST_SPANS);
    boolean isRecording = false;
    try {
      all.forEach(timeline::add);
      isRecording = true;
      return timeline;
    } finally {
      if (!isRecording) {
        timeline.close();
      }
    }
  }

  /**
   * Records the operations of another device, too, from now on. Its number in the timeline is the
   * next one.
   *
   * @param device of the same driver as the others; at most one timeline at a time records it
   * @return this
   * @throws IllegalArgumentException if its clock cannot be compared with that of the others,
   *     because it belongs to another driver
   * @throws IllegalStateException if the device is already being recorded or observed, or the
   *     timeline is closed
   * @throws dev.stretto.fault.ClosedException if the device is closed, and is not the first one
   */
  public synchronized Timeline add(Device device) {
    Objects.requireNonNull(device, "device");
    if (!device.hostClock().equals(recordings.clock())) {
      throw new IllegalArgumentException(
          device.name()
              + " belongs to another driver than the devices that are recorded, and their clocks"
              + " cannot be compared: record it in a timeline of its own");
    }
    if (recordings.records().hasEnded()) {
      throw new IllegalStateException(
          "the timeline is closed: " + device.name() + " cannot be added");
    }
    recordings.add(recording -> device.observe(new Channel(recording)), false);
    return this;
  }

  /**
   * Makes the nodes of graphs that are launched from now on spans of their own ({@link
   * Span#isNode()}), beside the span of the launch.
   *
   * <p>A GPU does not tell when it runs which node. So the launch is made with another graph that
   * does the same work, once, and records an event after each node (CUDA Driver API, {@code
   * cuGraphAddEventRecordNode}); Stretto makes that graph for the one launch. This costs the host
   * time for each node at each launch, which a launch otherwise does not, and the events cost the
   * device some time between two nodes that follow each other, so the launch as a whole takes
   * longer than without. It is meant for a look at one replay, or a few. If the driver does not
   * make that graph, that is logged, and the launch is one span. On a virtual device the times are
   * those of the model, which counts no cost.
   *
   * <p>A node begins when the nodes before it are done, and is clipped as operations are. Nodes of
   * a child graph are spans. A node that runs others depending on a value is one span, whatever it
   * runs: CUDA records no events in there. Callbacks, records of events, and nodes that do nothing
   * are not shown.
   *
   * @return this
   */
  public synchronized Timeline insideGraphs() {
    recordings.lookInsideGraphs();
    return this;
  }

  /**
   * Notes the line of the program that enqueues each operation from now on ({@link
   * Detail#place()}).
   *
   * <p>To find a line, the thread that enqueues walks its stack, which takes about as long as to
   * enqueue the operation. In a loop most of these walks are saved: operations that follow each
   * other in the same order as before are taken to come from the same lines, for some microseconds
   * at a time, so a line may be that of another such operation for a moment.
   *
   * @return this
   */
  public synchronized Timeline withLines() {
    recordings.noteLines();
    return this;
  }

  // --- what was recorded ----------------------------------------------------------------------

  /**
   * {@return the operations that are done, in the order in which they began} To get all of them,
   * await the work first.
   */
  public List<Span> spans() {
    return recordings.spans();
  }

  /**
   * {@return all that was recorded: the operations, what threads of the program did meanwhile, and
   * which operations wait for which others} Waits of the program, pinning and the like are kept up
   * to as many as operations; {@link Trace#range} adds the program's own.
   */
  public Content content() {
    return recordings.content();
  }

  /**
   * {@return by how much two times of different devices may be shifted against each other at most,
   * or against the host's} Zero on virtual devices, and in a timeline of one device, whose times
   * are all by its own clock. It is what the last comparisons of the clocks have left open; between
   * them, the clocks are assumed to drift evenly.
   */
  public Duration clockUncertainty() {
    return Duration.ofNanos(recordings.uncertaintyNanos());
  }

  /** {@return how many of the recorded operations were not done at the last check} */
  public int running() {
    return recordings.records().running();
  }

  /**
   * {@return how many operations and nodes are missing: those after the timeline was full, those
   * that were not done when it was closed, those whose end could not be marked, and those that
   * could not be measured because the device was lost}
   */
  public long leftOut() {
    return recordings.records().leftOut();
  }

  /**
   * Ends the recording. Operations that are done stay; others are left out. Closing it again has no
   * further effect.
   */
  @Override
  public void close() {
    recordings.close();
  }
}
