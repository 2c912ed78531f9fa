package dev.stretto.cli;

import dev.stretto.Copy;
import dev.stretto.Device;
import dev.stretto.Event;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.TimedEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Copies of several flows that start together, and their durations by the devices' clocks.
 *
 * <p>The durations do not include the host's cost of enqueuing. On a GPU, a kernel delays the
 * streams until everything is enqueued; on a virtual device, the host's modelled clock stands still
 * in the meantime. After the gate come a few copies to warm up. When those of all flows are done,
 * the measured flow's first event happens, and all other streams wait for it.
 */
final class GatedCopies implements AutoCloseable {
  /** The copies of a flow in a sample. */
  static final int COPIES = 16;

  /** The copies of a flow before a sample. */
  static final int WARM_UPS = 4;

  private static final long FIRST_GATE_NANOS = 1_000_000;
  private static final long LAST_GATE_NANOS = 4_000_000_000L;

  private final List<FlowMemory> flows;
  private final List<Stream> streams = new ArrayList<>();
  private final List<Copy> copies = new ArrayList<>();
  private final boolean modelled;
  private final StoppedClocks clocks;
  private long gateNanos = FIRST_GATE_NANOS;

  /**
   * Opens the streams.
   *
   * @param flows the flows; the first one is measured
   * @param at the device of each flow's stream
   */
  GatedCopies(List<FlowMemory> flows, List<Device> at) {
    this(flows, at, at.getFirst().isVirtual());
  }

  /** As on a GPU, or with a modelled clock. */
  GatedCopies(List<FlowMemory> flows, List<Device> at, boolean modelled) {
    this.flows = flows;
    for (Device device : at) {
      streams.add(device.stream());
    }
    this.modelled = modelled;
    this.clocks = new StoppedClocks(at);
  }

  /**
   * The durations of a sample.
   *
   * @param each the duration of each flow's copies
   * @param total from the first event until the copies of all flows are done
   */
  record Times(List<Double> each, double total) {}

  /**
   * Runs all copies of a sample and compares every byte.
   *
   * @throws CommandFailure if one is wrong, or the gate cannot be held for long enough
   */
  Times sample() {
    while (true) {
      flows.forEach(FlowMemory::prepare);
      copies.clear();
      Attempt attempt = attempt();
      flows.forEach(FlowMemory::verify);
      if (attempt.gated) {
        return attempt.times;
      }
      gateNanos *= 4;
      if (gateNanos > LAST_GATE_NANOS) {
        throw new CommandFailure(
            "the copies began before all were enqueued, although the streams were "
                + "delayed for "
                + gateNanos / 4_000_000_000L
                + " s");
      }
    }
  }

  /** The routes of the copies of the last sample. */
  String routes() {
    return copies.stream()
        .map(copy -> copy.route().kind().name())
        .distinct()
        .sorted()
        .collect(Collectors.joining("+"));
  }

  private record Attempt(Times times, boolean gated) {}

  private Attempt attempt() {
    Stream measured = streams.getFirst();
    List<TimedEvent> events = new ArrayList<>();
    try {
      clocks.stop();
      shutGate();
      for (int i = 0; i < flows.size(); i++) {
        enqueue(i, WARM_UPS);
      }
      streams.stream().skip(1).forEach(stream -> measured.waitFor(stream.record()));
      TimedEvent[] begins = new TimedEvent[flows.size()];
      TimedEvent[] ends = new TimedEvent[flows.size()];
      begins[0] = record(measured, events);
      for (int i = 1; i < flows.size(); i++) {
        streams.get(i).waitFor(begins[0]);
        begins[i] = record(streams.get(i), events);
      }
      // The measured flow last: in modelled time, background load slows down the flow that is
      // enqueued later.
      for (int i = flows.size() - 1; i >= 0; i--) {
        enqueue(i, COPIES);
        ends[i] = record(streams.get(i), events);
      }
      Arrays.stream(ends).skip(1).forEach(measured::waitFor);
      TimedEvent last = record(measured, events);
      boolean gated = modelled || !begins[0].isDone();
      streams.forEach(Stream::await);
      List<Double> each = new ArrayList<>();
      for (int i = 0; i < flows.size(); i++) {
        each.add(begins[i].nanosTo(ends[i]));
      }
      return new Attempt(new Times(each, begins[0].nanosTo(last)), gated);
    } finally {
      events.forEach(TimedEvent::close);
    }
  }

  private void shutGate() {
    if (modelled) {
      return;
    }
    Stream measured = streams.getFirst();
    measured.launch(Grid.of(1, 1), BandwidthKernels::hold, gateNanos);
    Event opened = measured.record();
    streams.stream().skip(1).forEach(stream -> stream.waitFor(opened));
  }

  private void enqueue(int flow, int times) {
    for (int i = 0; i < times; i++) {
      flows.get(flow).enqueue(streams.get(flow), copies);
      clocks.turnBack();
    }
  }

  private TimedEvent record(Stream stream, List<TimedEvent> events) {
    TimedEvent event = stream.recordTimed();
    events.add(event);
    clocks.turnBack();
    return event;
  }

  @Override
  public void close() {
    streams.forEach(Stream::close);
  }
}
