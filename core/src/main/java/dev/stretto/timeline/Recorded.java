package dev.stretto.timeline;

import dev.stretto.Observer.Kind;
import dev.stretto.driver.FunctionProperties;
import dev.stretto.driver.LaunchShape;
import dev.stretto.driver.LinkTraffic;
import dev.stretto.observe.Begun;
import dev.stretto.observe.Listener;
import dev.stretto.observe.NodeMarks;
import dev.stretto.observe.Work;
import dev.stretto.observe.WorkKind;
import dev.stretto.route.Loss;
import dev.stretto.route.OpenStream;
import dev.stretto.route.ProgramLog;
import dev.stretto.route.Stamp;
import dev.stretto.route.Way;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation that is recorded, from its enqueuing until its times are read. */
final class Recorded implements Begun {
  private final Recorder recorder;
  private final Track track;
  private final Stamp begin;
  private final boolean sharesBegin;
  private @Nullable Stamp end;
  private WorkKind kind = WorkKind.KERNEL;
  private String name = "";
  private String from = "";
  private String to = "";
  private long bytes;
  private boolean pinned;
  private LinkTraffic traffic = LinkTraffic.NONE;
  private @Nullable Way way;
  private @Nullable LaunchShape shape;
  private @Nullable FunctionProperties function;
  private @Nullable StackTraceElement place;
  private List<NodeMarks> nodes = List.of();
  private long sequence;
  private long correlation;
  private long hostNanos;

  /**
   * An operation that is about to be enqueued.
   *
   * @param begin where it begins, or earlier
   * @param sharesBegin whether that is the end of the operation before it
   */
  Recorded(Recorder recorder, Track track, Stamp begin, boolean sharesBegin) {
    this.recorder = recorder;
    this.track = track;
    this.begin = begin;
    this.sharesBegin = sharesBegin;
  }

  @Override
  public Listener listener() {
    return recorder;
  }

  @Override
  public void end(OpenStream stream) {
    try {
      Stamp recorded = Stamp.record(stream);
      end = recorded;
      track.isLast(recorded);
    } catch (RuntimeException e) {
      Loss.kept(e); // the operation was enqueued, so its caller gets no exception
      ProgramLog.warn("the times of an operation of " + stream + " are unknown", e);
    }
  }

  @Override
  public void report(OpenStream stream, Work work, long enqueuedNanos) {
    kind = work.kind();
    name = work.name();
    from = work.from();
    to = work.to();
    bytes = work.bytes();
    pinned = work.pinned();
    traffic = work.traffic();
    way = work.way();
    shape = work.shape();
    function = work.function();
    place = work.place();
    nodes = work.nodes();
    sequence = work.sequence();
    hostNanos = enqueuedNanos;
    recorder.add(this);
  }

  /** Notes its place in the timeline, and which of its nodes are kept. */
  void isKept(long number, long enqueuedNanos, boolean keepsNodes) {
    correlation = number;
    hostNanos = enqueuedNanos;
    if (!keepsNodes) {
      nodes.forEach(NodeMarks::close);
      nodes = List.of();
    }
  }

  @Override
  public void letGo() {
    begin.giveBack();
    if (end != null) {
      end.giveBack();
    }
    nodes.forEach(NodeMarks::close);
  }

  Track track() {
    return track;
  }

  Stamp begin() {
    return begin;
  }

  /** {@return whether it began when the operation before it had ended, or later} */
  boolean sharesBegin() {
    return sharesBegin;
  }

  /** {@return whether it is a copy, which a copy engine does} */
  boolean copies() {
    return switch (kind) {
      case HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE, PEER -> true;
      default -> false;
    };
  }

  /** {@return where it ends, or null if that could not be marked} */
  @Nullable Stamp end() {
    return end;
  }

  List<NodeMarks> nodes() {
    return nodes;
  }

  /** {@return how many spans it makes} */
  int spans() {
    return 1 + nodes.size();
  }

  /** {@return its number in its stream} */
  long sequence() {
    return sequence;
  }

  long correlation() {
    return correlation;
  }

  long hostNanos() {
    return hostNanos;
  }

  /** {@return what is known of it beside its times} */
  Detail detail(KnownDetails known) {
    return known.of(place, way, shape, function);
  }

  /** {@return its span} */
  Span span(int device, String deviceName, double beginNanos, double endNanos, KnownDetails known) {
    return new Span(
        Kind.valueOf(kind.name()),
        name,
        device,
        deviceName,
        track.number(),
        track.name(),
        correlation,
        Span.NO_NODE,
        from,
        to,
        bytes,
        pinned,
        hostNanos,
        Math.round(beginNanos),
        Math.round(endNanos),
        traffic,
        detail(known));
  }
}
