package dev.stretto.timeline;

import dev.stretto.Device;
import dev.stretto.Observer;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import dev.stretto.driver.HostClock;
import dev.stretto.driver.LinkTraffic;
import dev.stretto.route.Loss;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Records the operations of one device of a timeline. Times are by the device's own clock, from the
 * first event that was measured; on a virtual device by that of the model.
 */
final class DeviceRecording implements Observer {
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

  private record Pending(
      Observed operation, List<ObservedNode> nodes, long correlation, long hostNanos) {
    int spans() {
      return 1 + nodes.size();
    }

    void letGo() {
      operation.begin().close();
      operation.end().close();
      letNodesGo(nodes);
    }
  }

  private static void letNodesGo(List<ObservedNode> nodes) {
    for (ObservedNode node : nodes) {
      node.after().forEach(TimedEvent::close);
      node.end().close();
    }
  }

  private static final class Track {
    private final int number;
    private final String name;
    private final ArrayDeque<Pending> pending = new ArrayDeque<>();

    Track(int number, Stream stream) {
      this.number = number;
      boolean byHandle = !stream.isNamed() && stream.name().startsWith("stream 0x");
      this.name = byHandle ? Span.byNumber(number) : stream.name();
    }
  }

  private final Device device;
  private final int number;
  private final String name;
  private final Records records;
  private final HostClock clock;
  private final AutoCloseable observation;

  /** Guarded by itself, and so are the tracks in it. */
  private final Map<Stream, Track> tracks = new WeakHashMap<>();

  /**
   * Held by the thread that asks the device for times. No monitor is held then: the device may run
   * the program's callbacks in the meantime, and those enqueue operations.
   */
  private final ReentrantLock measuring = new ReentrantLock();

  private volatile boolean insideGraphs;
  private @Nullable HostAxis axis;
  private @Nullable TimedEvent reference;
  private double referenceNanos;

  DeviceRecording(Device device, int number, Records records) {
    this.device = device;
    this.number = number;
    this.name = device.name();
    this.records = records;
    this.clock = device.hostClock();
    this.observation = device.observe(this);
  }

  boolean hasOneCopyEngine() {
    return device.properties().copyEngines() < 2;
  }

  void lookInsideGraphs() {
    insideGraphs = true;
  }

  // --- recording ------------------------------------------------------------------------------

  @Override
  public boolean looksInsideGraphs() {
    return insideGraphs && records.room() > 1;
  }

  @Override
  public void missed(Stream stream, Kind kind, RuntimeException cause) {
    records.leftOut(1);
  }

  @Override
  public void worked(HostWork work) {
    records.worked(Span.ofHost(work, number, name));
  }

  @Override
  public void enqueued(Observed operation) {
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
    List<ObservedNode> left = operation.nodes();
    Pending pending = null;
    Track track = null;
    synchronized (tracks) {
      long correlation = records.nextCorrelation();
      int room = records.room();
      if (room > 0) {
        List<ObservedNode> kept = operation.nodes().size() < room ? operation.nodes() : List.of();
        left = kept.isEmpty() ? left : List.of();
        pending = new Pending(operation, kept, correlation, hostNanos);
        track =
            tracks.computeIfAbsent(
                operation.stream(), stream -> new Track(records.nextStream(), stream));
        track.pending.add(pending);
        records.begun(pending.spans());
      }
    }
    records.leftOut(left.size() + (pending == null ? 1 : 0));
    letNodesGo(left);
    if (pending == null) {
      operation.begin().close();
      operation.end().close();
    }
    return track;
  }

  // --- measuring ------------------------------------------------------------------------------

  /** Reads the times of all operations that are done. */
  void measureAll() {
    if (measuring.isHeldByCurrentThread()) {
      return;
    }
    measuring.lock();
    try {
      tracks().forEach(track -> measure(track, Integer.MAX_VALUE));
      compareClocks();
    } finally {
      measuring.unlock();
    }
  }

  private List<Track> tracks() {
    synchronized (tracks) {
      return new ArrayList<>(tracks.values());
    }
  }

  /** Reads the times of a stream's first operations, as far as they are done. */
  private void measure(Track track, int atMost) {
    for (int i = 0; i < atMost; i++) {
      Pending first = first(track);
      if (first == null) {
        return;
      }
      List<Span> spans = List.of();
      try {
        if (!first.operation.end().hasHappened()
            || (atMost == READS_PER_OPERATION && !hasPassed(first))) {
          return;
        }
        spans = measure(track, first);
      } catch (RuntimeException e) {
        Loss.kept(e);
        first.letGo(); // the device was lost or closed, which await reports
      }
      remove(track, first, spans);
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

  private @Nullable Pending first(Track track) {
    synchronized (tracks) {
      return track.pending.peek();
    }
  }

  @SuppressWarnings("ReferenceEquality") // the same operation
  private void remove(Track track, Pending first, List<Span> spans) {
    synchronized (tracks) {
      if (track.pending.peek() != first) {
        return; // a callback that ran in the meantime has closed the timeline
      }
      track.pending.remove();
    }
    records.measured(first.spans(), spans);
  }

  private List<Span> measure(Track track, Pending pending) {
    Observed operation = pending.operation;
    TimedEvent origin = operation.begin();
    double begin = nanos(operation.begin(), origin);
    double end = nanos(operation.end(), origin);
    List<Span> spans = new ArrayList<>(pending.spans());
    spans.add(
        new Span(
            operation.kind(),
            operation.name(),
            number,
            name,
            track.number,
            track.name,
            pending.correlation,
            Span.NO_NODE,
            operation.from(),
            operation.to(),
            operation.bytes(),
            operation.pinned(),
            pending.hostNanos,
            Math.round(begin),
            Math.round(end),
            operation.traffic()));
    for (ObservedNode node : pending.nodes) {
      spans.add(measure(track, pending, node, begin));
    }
    letNodesGo(pending.nodes);
    operation.begin().close();
    keepOrClose(operation.end(), end);
    return spans;
  }

  private Span measure(Track track, Pending pending, ObservedNode node, double launched) {
    TimedEvent origin = pending.operation.begin();
    double begin = launched;
    for (TimedEvent before : node.after()) {
      begin = Math.max(begin, nanos(before, origin));
    }
    return new Span(
        node.kind(),
        node.name(),
        number,
        name,
        track.number,
        track.name,
        pending.correlation,
        node.index(),
        node.from(),
        node.to(),
        node.bytes(),
        node.kind() == Kind.HOST_TO_DEVICE || node.kind() == Kind.DEVICE_TO_HOST,
        pending.hostNanos,
        Math.round(begin),
        Math.round(nanos(node.end(), origin)),
        LinkTraffic.NONE);
  }

  /**
   * {@return when an event happened}
   *
   * @param origin the first event of all, if none was measured yet
   */
  private double nanos(TimedEvent event, TimedEvent origin) {
    if (clock.isModelled()) {
      return event.modelledNanos().orElseThrow();
    }
    TimedEvent from = reference == null ? origin : reference;
    return referenceNanos + from.nanosTo(event);
  }

  /** Takes an event that was measured as the reference, if that is far away, or closes it. */
  private void keepOrClose(TimedEvent event, double nanos) {
    TimedEvent before = reference;
    if (clock.isModelled() || (before != null && Math.abs(nanos - referenceNanos) < FAR_NANOS)) {
      event.close();
      return;
    }
    if (before != null) {
      before.close();
    }
    reference = event;
    referenceNanos = nanos;
  }

  // --- the host's clock -----------------------------------------------------------------------

  /** Relates the device's clock to the host's from now on, unless the two are one. */
  void shareClock() {
    if (clock.isModelled()) {
      return;
    }
    measuring.lock();
    try {
      if (axis == null) {
        axis = new HostAxis(device);
        compareClocks();
      }
    } finally {
      measuring.unlock();
    }
  }

  private void compareClocks() {
    HostAxis known = axis;
    if (known != null && !records.hasEnded()) {
      known.compare(
          event -> {
            double nanos = nanos(event, event);
            keepOrClose(event, nanos);
            return nanos;
          });
    }
  }

  /** {@return a span of this device by the host's clock} */
  Span byHostClock(Span span) {
    HostAxis known = axis;
    return known == null
        ? span
        : span.at(
            span.enqueuedNanos(),
            Math.round(known.relation().hostNanos((double) span.startNanos())),
            Math.round(known.relation().hostNanos((double) span.endNanos())));
  }

  double uncertaintyNanos() {
    HostAxis known = axis;
    return known == null ? 0 : known.relation().uncertaintyNanos();
  }

  // --- the end --------------------------------------------------------------------------------

  /** Hears of nothing more. */
  void endObservation() {
    try {
      observation.close();
    } catch (Exception e) {
      throw new IllegalStateException("the observation cannot be ended", e);
    }
  }

  /** Measures what is done and lets go of the rest. Called once. */
  void end() {
    measuring.lock();
    try {
      tracks().forEach(track -> measure(track, Integer.MAX_VALUE));
      leaveOutTheRest().forEach(Pending::letGo);
      if (reference != null) {
        reference.close();
        reference = null;
      }
      if (axis != null) {
        axis.close();
      }
    } finally {
      measuring.unlock();
    }
  }

  private List<Pending> leaveOutTheRest() {
    List<Pending> rest = new ArrayList<>();
    synchronized (tracks) {
      for (Track track : tracks.values()) {
        rest.addAll(track.pending);
        track.pending.clear();
      }
    }
    rest.forEach(pending -> records.measured(pending.spans(), List.of()));
    return rest;
  }
}
