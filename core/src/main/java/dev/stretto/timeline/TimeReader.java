package dev.stretto.timeline;

import dev.stretto.Observer.Kind;
import dev.stretto.driver.HostClock;
import dev.stretto.driver.LinkTraffic;
import dev.stretto.observe.NodeMarks;
import dev.stretto.observe.WorkKind;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Loss;
import dev.stretto.route.Stamp;
import dev.stretto.route.TimedMark;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads when the operations of one device ran. Times are by the device's own clock, from the first
 * event that was read; on a virtual device by that of the model.
 */
final class TimeReader {
  /**
   * Elapsed times are floats of milliseconds, so they are measured from a reference that is not
   * much further away than this, which loses at most a tenth of a microsecond.
   */
  private static final double FAR_NANOS = 1e9;

  /**
   * How many operations are read when another one is enqueued on a modelled device: more than one,
   * so that reading catches up.
   */
  private static final int READS_PER_OPERATION = 3;

  private final Recorder recorder;
  private final DeviceRuntime engine;
  private final Records records;
  private final HostClock clock;

  /**
   * Held by the thread that asks the device for times. No monitor is held then: the device may run
   * the program's callbacks in the meantime, and those enqueue operations.
   */
  private final ReentrantLock reading = new ReentrantLock();

  /** Of the thread that holds the lock. */
  private final KnownDetails details = new KnownDetails();

  private volatile boolean closed;
  private @Nullable Reference reference;

  /** An event that happened, from which times are measured. */
  private record Reference(long event, double nanos, Runnable release) {}

  TimeReader(Recorder recorder, DeviceRuntime engine, Records records) {
    this.recorder = recorder;
    this.engine = engine;
    this.records = records;
    this.clock = engine.driver().clock();
  }

  /** Whether this thread reads times further up the stack. */
  boolean isReading() {
    return reading.isHeldByCurrentThread();
  }

  /**
   * Reads the first operations of a stream of a modelled device, unless another thread reads, or
   * this one further up the stack: that one reads these times too, or a later call does.
   */
  void readSome(Track track) {
    if (!reading.isHeldByCurrentThread() && reading.tryLock()) {
      try {
        read(track, READS_PER_OPERATION, true);
      } finally {
        reading.unlock();
      }
    }
  }

  /** Reads the times of all operations that are done, and then runs an action. */
  void readAll(Runnable then) {
    reading.lock();
    try {
      recorder.tracks().forEach(track -> read(track, Integer.MAX_VALUE, false));
      then.run();
    } finally {
      reading.unlock();
    }
  }

  /** {@return whether there will be nothing more to read} */
  boolean hasEnded() {
    return closed || records.hasEnded();
  }

  /** {@return whether any operation was read, or is still to be read} */
  boolean readDone() {
    boolean isBusy = false;
    reading.lock();
    try {
      for (Track track : recorder.tracks()) {
        if (!track.isEmpty()) {
          isBusy = true;
          read(track, Integer.MAX_VALUE, false);
        }
      }
    } finally {
      reading.unlock();
    }
    return isBusy;
  }

  /** Reads the times of a stream's first operations, as far as they are done. */
  private void read(Track track, int atMost, boolean onlyPassed) {
    for (int i = 0; i < atMost; i++) {
      Recorded first = track.first();
      if (first == null) {
        return;
      }
      List<Span> spans = List.of();
      Stamp end = first.end();
      try {
        if (end == null || !isReached(first.begin(), end) || (onlyPassed && !end.hasPassed())) {
          return;
        }
        spans = read(first, end);
      } catch (RuntimeException e) {
        Loss.kept(e); // the device was lost or closed, which await reports
      }
      int claim = first.spans();
      if (track.remove(first)) {
        records.measured(claim, spans);
        if (first.sharesBegin()) {
          records.sharesBegin(first.correlation());
        }
        first.letGo();
      }
    }
  }

  private boolean isReached(Stamp begin, Stamp end) {
    if (clock.isModelled()) {
      return end.queue().isSeenReached(end.sequence());
    }
    if (!end.isWithDriver()) {
      return false;
    }
    Reference from = reference;
    if (from == null) {
      if (Double.isNaN(end.nanosAfter(begin.event()))) {
        return false;
      }
      Stamp kept = begin.share();
      from = new Reference(kept.event(), 0, kept::giveBack);
      reference = from;
    }
    return !Double.isNaN(nanos(end, from)) && !Double.isNaN(nanos(begin, from));
  }

  private List<Span> read(Recorded operation, Stamp end) {
    double begin = nanos(operation.begin(), reference);
    double ended = nanos(end, reference);
    List<Span> spans = new ArrayList<>(operation.spans());
    spans.add(operation.span(recorder.number(), recorder.name(), begin, ended, details));
    for (NodeMarks node : operation.nodes()) {
      spans.add(read(operation, node, begin));
    }
    keepIfFar(end, ended);
    return spans;
  }

  private Span read(Recorded operation, NodeMarks node, double launched) {
    double begin = launched;
    for (TimedMark before : node.after()) {
      begin = Math.max(begin, nanos(before));
    }
    WorkKind kind = node.kind();
    return new Span(
        Kind.valueOf(kind.name()),
        node.name(),
        recorder.number(),
        recorder.name(),
        operation.track().number(),
        operation.track().name(),
        operation.correlation(),
        node.index(),
        node.from(),
        node.to(),
        node.bytes(),
        kind == WorkKind.HOST_TO_DEVICE || kind == WorkKind.DEVICE_TO_HOST,
        operation.hostNanos(),
        Math.round(begin),
        Math.round(nanos(node.end())),
        LinkTraffic.NONE,
        operation.detail(details).ofNode());
  }

  /** {@return when a stamp was reached; not a number if it was not} */
  private double nanos(Stamp stamp, @Nullable Reference from) {
    if (from == null) {
      return stamp.modelledNanos();
    }
    if (Double.isNaN(stamp.nanos())) {
      stamp.noteNanos(from.nanos + stamp.nanosAfter(from.event));
    }
    return stamp.nanos();
  }

  private double nanos(TimedMark mark) {
    return clock.isModelled() ? mark.modelledNanos().orElseThrow() : nanos(mark.handle());
  }

  private double nanos(long event) {
    Reference from = reference;
    return from == null ? 0 : from.nanos + engine.timedEvents().elapsedNanos(from.event, event);
  }

  /**
   * {@return when a stamp was reached, on a device with a clock of its own} It is given back, now
   * or later. Called by {@link #readAll} only.
   */
  double nanos(Stamp stamp) {
    double nanos = nanos(stamp.event());
    keepOrRelease(new Reference(stamp.event(), nanos, stamp::giveBack));
    return nanos;
  }

  private void keepIfFar(Stamp stamp, double nanos) {
    if (!clock.isModelled()) {
      Stamp kept = stamp.share();
      keepOrRelease(new Reference(kept.event(), nanos, kept::giveBack));
    }
  }

  /** Takes another reference if the one so far is far away. */
  private void keepOrRelease(Reference other) {
    Reference before = reference;
    if (before != null && Math.abs(other.nanos - before.nanos) < FAR_NANOS) {
      other.release.run();
      return;
    }
    if (before != null) {
      before.release.run();
    }
    reference = other;
  }

  /** {@return whether nothing can be read any more, because the device is being closed} */
  boolean isClosed() {
    return closed;
  }

  /** Lets go of what is left. The second time there is nothing. */
  void end() {
    closed = true;
    for (Track track : recorder.tracks()) {
      for (Recorded rest : track.end()) {
        records.measured(rest.spans(), List.of());
        rest.letGo();
      }
    }
    if (reference != null) {
      reference.release.run();
      reference = null;
    }
  }
}
