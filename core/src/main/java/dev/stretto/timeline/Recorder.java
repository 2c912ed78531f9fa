package dev.stretto.timeline;

import dev.stretto.Observer.HostWork;
import dev.stretto.Observer.Kind;
import dev.stretto.driver.HostClock;
import dev.stretto.observe.Begun;
import dev.stretto.observe.HostCall;
import dev.stretto.observe.HostTask;
import dev.stretto.observe.Listener;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OpenStream;
import dev.stretto.route.StreamQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Notes the operations of one device as they are enqueued. That is all that the threads do that
 * enqueue them: the times are read by others, except on a modelled device, where it matters when a
 * thread asks.
 */
final class Recorder implements Listener {
  private final int number;
  private final String name;
  private final Records records;
  private final TimeReader reader;
  private final HostClock clock;
  private final boolean isModelled;
  private final Runnable end;

  /** Guarded by itself. */
  private final Map<StreamQueue, Track> tracks = new WeakHashMap<>();

  private volatile boolean insideGraphs;
  private volatile boolean notesLines;

  /**
   * A recorder without operations.
   *
   * @param end ends the recording of the device, which is about to be closed
   */
  Recorder(DeviceRuntime engine, int number, Records records, Runnable end) {
    this.number = number;
    this.name = engine.name();
    this.records = records;
    this.clock = engine.driver().clock();
    this.isModelled = clock.isModelled();
    this.end = end;
    this.reader = new TimeReader(this, engine, records);
  }

  TimeReader reader() {
    return reader;
  }

  int number() {
    return number;
  }

  String name() {
    return name;
  }

  void lookInsideGraphs() {
    insideGraphs = true;
  }

  void noteLines() {
    notesLines = true;
  }

  @Override
  public boolean wantsLines() {
    return notesLines;
  }

  @Override
  public boolean looksInsideGraphs() {
    return insideGraphs && records.room() > 1;
  }

  @Override
  public void worked(HostTask task) {
    HostWork work =
        new HostWork(
            task.isWrite() ? Kind.WRITE : Kind.READ,
            task.name(),
            task.bytes(),
            task.beginNanos(),
            task.endNanos());
    records.worked(Span.ofHost(work, number, name));
  }

  @Override
  public void called(HostCall call) {
    records.called(
        HostSpan.of(
            HostSpan.Kind.valueOf(call.kind().name()),
            call.name(),
            number,
            name,
            Thread.currentThread(),
            call.bytes(),
            call.frames(),
            call.beginNanos(),
            call.endNanos()));
  }

  @Override
  public void waiting(StreamQueue queue, StreamQueue other, long point) {
    Track awaited = records.track(other);
    if (awaited != null && !queue.equals(other)) {
      track(queue).waitsFor(awaited, point);
    }
  }

  @Override
  public void deviceCloses() {
    end.run();
  }

  @Override
  public Begun begin(OpenStream stream) {
    return track(stream.queue()).begin(this, stream, isModelled);
  }

  private Track track(StreamQueue queue) {
    synchronized (tracks) {
      return tracks.computeIfAbsent(
          queue,
          _ -> {
            Track added = new Track(records.nextStream(), queue);
            records.records(queue, added);
            return added;
          });
    }
  }

  /** Notes an operation that is enqueued. */
  void add(Recorded operation) {
    if (!isModelled) {
      boolean _ = note(operation, operation.hostNanos());
      return;
    }
    // Asking whether an operation is done would advance the thread's modelled time.
    long now = clock.now();
    if (note(operation, now)) {
      reader.readSome(operation.track());
    }
    clock.set(now);
  }

  /** {@return whether the operation is kept} */
  private boolean note(Recorded operation, long hostNanos) {
    if (operation.end() == null) {
      operation.letGo();
      records.leftOut(1);
      return false;
    }
    long correlation = records.begin(operation.nodes().size());
    if (correlation == 0) {
      operation.letGo();
      return false;
    }
    operation.isKept(Math.abs(correlation), hostNanos, correlation > 0);
    operation.track().add(operation).forEach(before -> records.arrow(before, operation));
    return true;
  }

  List<Track> tracks() {
    synchronized (tracks) {
      return new ArrayList<>(tracks.values());
    }
  }

  @Override
  public String toString() {
    return "a timeline";
  }
}
