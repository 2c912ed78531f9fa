package dev.stretto.timeline;

import dev.stretto.Device;
import dev.stretto.Observer;
import dev.stretto.Observer.Observed;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.driver.HostClock;
import dev.stretto.route.Loss;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records the operations of a device and when they run, from {@link #record} to {@link #close()}.
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
 * <p>What threads of the host read for the device and write of it is recorded as well: of files
 * that {@linkplain Stream#copy(java.nio.channels.FileChannel, long, dev.stretto.memory.GlobalArray)
 * are copied}, what the threads of flows read and write, and what the program {@linkplain
 * Device#report reports}. It is moved to the device's clock as closely as can be observed.
 *
 * <p>Recording costs about five microseconds per operation on an H200. The events of an operation
 * are read and released soon after it is done, while others are enqueued. A timeline keeps {@value
 * #MOST_SPANS} operations by default; {@link #leftOut()} counts the later ones. Any number of
 * threads may use it.
 */
public final class Timeline implements AutoCloseable {
  /** How many operations a timeline keeps by default. */
  public static final int MOST_SPANS = 1 << 18;

  /**
   * Elapsed times are floats of milliseconds, so they are measured from a reference that is not
   * much further away than this, which loses at most a tenth of a microsecond.
   */
  private static final double FAR_NANOS = 1e9;

  /**
   * How many operations are read when another one is enqueued: more than one, so that reading
   * catches up.
   */
  private static final int READS_PER_OPERATION = 3;

  private record Pending(Observed operation, long correlation, long hostNanos) {
    void letGo() {
      operation.begin().close();
      operation.end().close();
    }
  }

  private static final class Track {
    private final int number;
    private final String name;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    /**
     * Creates the track of a stream.
     *
     * @param number negative, since it is never shown: the number that is shown follows from the
     *     order in which the streams began to run
     */
    Track(int number, Stream stream) {
      this.number = number;
      boolean byHandle = !stream.isNamed() && stream.name().startsWith("stream 0x");
      this.name = byHandle ? Span.byNumber(number) : stream.name();
    }
  }

  private final HostClock clock;
  private final boolean oneCopyEngine;
  private final int most;
  private final AutoCloseable observation;
  private final Map<Stream, Track> tracks = new WeakHashMap<>();
  private final List<Span> measured = new ArrayList<>();
  private final List<Span> ofHost = new ArrayList<>();

  /**
   * Held by the thread that asks the device for times. This object's monitor is not held then: the
   * device may run the program's callbacks in the meantime, and those enqueue operations.
   */
  private final ReentrantLock measuring = new ReentrantLock();

  private int streams;
  private int running;
  private long correlation;
  private long leftOut;
  private boolean closed;
  private @Nullable TimedEvent reference;
  private double referenceNanos;

  private Timeline(Device device, int most) {
    this.clock = device.hostClock();
    this.oneCopyEngine = device.properties().copyEngines() < 2;
    this.most = most;
    this.observation =
        device.observe(
            new Observer() {
              @Override
              public void enqueued(Observed operation) {
                observed(operation);
              }

              @Override
              public void worked(HostWork work) {
                note(work);
              }

              @Override
              public void missed(Stream stream, Kind kind, RuntimeException cause) {
                noteMissed();
              }
            });
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
    return new Timeline(device, most);
  }

  // --- recording ------------------------------------------------------------------------------

  private synchronized void noteMissed() {
    leftOut++;
  }

  private synchronized void note(Observer.HostWork work) {
    if (closed || isFull()) {
      leftOut++;
    } else {
      ofHost.add(Span.ofHost(work));
    }
  }

  private boolean isFull() {
    return measured.size() + running + ofHost.size() >= most;
  }

  private void observed(Observed operation) {
    // Asking whether an operation is done would advance the thread's modelled time.
    long now = clock.now();
    add(operation, clock.isModelled() ? now : operation.hostNanos());
    clock.set(now);
  }

  private void add(Observed operation, long hostNanos) {
    Track track = note(operation, hostNanos);
    // Otherwise another thread that measures, or this one further up the stack, reads these times
    // too, or a later call does.
    if (track != null && !measuring.isHeldByCurrentThread() && measuring.tryLock()) {
      try {
        measure(track, READS_PER_OPERATION);
      } finally {
        measuring.unlock();
      }
    }
  }

  /** {@return the track of the operation, or null if it is left out} */
  private @Nullable Track note(Observed operation, long hostNanos) {
    Pending pending;
    synchronized (this) {
      pending = new Pending(operation, ++correlation, hostNanos);
      if (!closed && !isFull()) {
        Track track =
            tracks.computeIfAbsent(operation.stream(), stream -> new Track(- ++streams, stream));
        track.pending.add(pending);
        running++;
        return track;
      }
      leftOut++;
    }
    pending.letGo();
    return null;
  }

  /** Reads the times of a stream's first operations, as far as they are done. */
  private void measure(Track track, int atMost) {
    for (int i = 0; i < atMost; i++) {
      Pending first = first(track);
      if (first == null) {
        return;
      }
      Span span = null;
      try {
        if (!first.operation.end().hasHappened()
            || (atMost == READS_PER_OPERATION && !hasPassed(first))) {
          return;
        }
        span = measure(track, first);
      } catch (RuntimeException e) {
        Loss.kept(e);
        first.letGo(); // the device was lost or closed, which await reports
      }
      remove(track, first, span);
    }
  }

  /**
   * Whether the program's time has come to the end of an operation. Who reads a modelled time
   * before keeps what is enqueued later from having an influence on it.
   */
  private static boolean hasPassed(Pending pending) {
    TimedEvent end = pending.operation.end();
    return pending.operation.stream().device().hostClock().hasPassed(end.handle());
  }

  private synchronized @Nullable Pending first(Track track) {
    return track.pending.peek();
  }

  @SuppressWarnings("ReferenceEquality") // the same operation
  private synchronized void remove(Track track, Pending first, @Nullable Span span) {
    if (track.pending.peek() != first) {
      return; // a callback that ran in the meantime has closed the timeline
    }
    track.pending.remove();
    running--;
    if (span == null) {
      leftOut++;
    } else {
      measured.add(span);
    }
  }

  private Span measure(Track track, Pending pending) {
    Observed operation = pending.operation;
    TimedEvent from = reference == null ? operation.begin() : reference;
    double begin = referenceNanos + from.nanosTo(operation.begin());
    double end = referenceNanos + from.nanosTo(operation.end());
    operation.begin().close();
    if (reference != null && Math.abs(end - referenceNanos) < FAR_NANOS) {
      operation.end().close();
    } else {
      if (reference != null) {
        reference.close();
      }
      reference = operation.end();
      referenceNanos = end;
    }
    return new Span(
        operation.kind(),
        operation.name(),
        track.number,
        track.name,
        pending.correlation,
        operation.bytes(),
        operation.pinned(),
        pending.hostNanos,
        Math.round(begin),
        Math.round(end));
  }

  // --- what was recorded ----------------------------------------------------------------------

  /**
   * {@return the operations that are done, in the order in which they began} To get all of them,
   * await the work first.
   */
  public List<Span> spans() {
    long now = clock.now();
    List<Span> raw = measureAll();
    clock.set(now);
    List<Span> host;
    synchronized (this) {
      host = List.copyOf(ofHost);
    }
    return new Clipping(oneCopyEngine).clip(raw, host);
  }

  private List<Span> measureAll() {
    if (!measuring.isHeldByCurrentThread()) {
      measuring.lock();
      try {
        tracks().forEach(track -> measure(track, Integer.MAX_VALUE));
      } finally {
        measuring.unlock();
      }
    }
    synchronized (this) {
      return new ArrayList<>(measured);
    }
  }

  private synchronized List<Track> tracks() {
    return new ArrayList<>(tracks.values());
  }

  /** {@return how many of the recorded operations were not done at the last check} */
  public synchronized int running() {
    return running;
  }

  /**
   * {@return how many operations are missing: those after the timeline was full, those that were
   * not done when it was closed, those whose end could not be marked, and those that could not be
   * measured because the device was lost}
   */
  public synchronized long leftOut() {
    return leftOut;
  }

  /**
   * Ends the recording. Operations that are done stay; others are left out. Closing it again has no
   * further effect.
   */
  @Override
  public void close() {
    try {
      observation.close();
    } catch (Exception e) {
      throw new IllegalStateException("the observation cannot be ended", e);
    }
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
    }
    long now = clock.now();
    measuring.lock();
    try {
      tracks().forEach(track -> measure(track, Integer.MAX_VALUE));
      leaveOutTheRest().forEach(Pending::letGo);
      if (reference != null) {
        reference.close();
        reference = null;
      }
    } finally {
      measuring.unlock();
      clock.set(now);
    }
  }

  private synchronized List<Pending> leaveOutTheRest() {
    List<Pending> rest = new ArrayList<>();
    for (Track track : tracks.values()) {
      rest.addAll(track.pending);
      track.pending.clear();
    }
    leftOut += rest.size();
    running = 0;
    return rest;
  }
}
