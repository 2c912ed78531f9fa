package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.fault.OutOfDeviceMemoryException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The beginning of a flow: what its plan leaves open is decided, and its devices get what it needs.
 *
 * @param chunkBytes as set, or 0
 * @param depth as set, or 0
 */
record Beginning(
    List<Device> devices, Ends ends, Passage passage, long chunkBytes, int depth, int granularity) {
  /** {@return the flow, which is running} */
  Flow flow() {
    Source from = ends.source();
    long size = from.size();
    if (size < -1) {
      throw new IllegalArgumentException(
          "a source of " + size + " bytes: must be 0 or more, or -1 if that is not known");
    }
    Buffering buffering = buffering(size);
    List<List<MadeStage>> made = devices.stream().map(this::made).toList();
    try {
      return flow(size, made, sizings(size, buffering, false), buffering);
    } catch (OutOfDeviceMemoryException e) {
      return flow(size, made, sizings(size, buffering, true), buffering);
    }
  }

  private List<MadeStage> made(Device device) {
    List<MadeStage> made = new ArrayList<>();
    for (PlannedStage stage : passage.stages()) {
      made.add(stage.on(device, made.size() + 1));
    }
    return made;
  }

  private Buffering buffering(long size) {
    Source from = ends.source();
    boolean isReadInOrder = ends.splitter() != null && !from.isPositional();
    boolean in = isAbsent(from.resident(0, Math.clamp(size, 0, 1)), "source") || isReadInOrder;
    boolean isOrdered =
        devices.stream().anyMatch(each -> each.isSeeded() || each.hostClock().isModelled());
    expect(size, isOrdered);
    boolean isStaged =
        !isOrdered && passage.output().isBytes() && StagedSink.of(ends.sink()) != null;
    boolean out =
        !isStaged
            && passage.output().isBytes()
            && isAbsent(ends.sink().resident(0, size == 0 ? 0 : 1), "sink");
    return Buffering.of(in, out, !isOrdered && !isReadInOrder && StagedSource.of(from) != null);
  }

  /** A file that is prepared is written by the threads of staged copies, which nothing orders. */
  private void expect(long size, boolean isOrdered) {
    boolean isKnown = size >= 0 && passage.output().isBytes() && !passage.resizes();
    if (isKnown && !(isOrdered && ends.sink() instanceof StagedSink)) {
      ends.sink().expect(size);
    }
  }

  private static boolean isAbsent(Optional<MemorySegment> resident, String end) {
    return Objects.requireNonNull(resident, () -> "the result of the " + end + "'s resident()")
        .isEmpty();
  }

  private List<Sizing> sizings(long size, Buffering buffering, boolean isShort) {
    Sizing.Wish wish =
        new Sizing.Wish(
            size, buffering, chunkBytes, depth, granularity, passage, devices.size(), isShort);
    return Sizing.of(devices, ends.source(), ends.sink(), wish);
  }

  private Flow flow(
      long size, List<List<MadeStage>> made, List<Sizing> sizings, Buffering buffering) {
    boolean modelled = devices.stream().allMatch(device -> device.hostClock().isModelled());
    StagedSource staged = buffering.isStaged() ? StagedSource.of(ends.source()) : null;
    List<Lane> lanes = new ArrayList<>(); // the flow's time begins here
    for (int i = 0; i < devices.size(); i++) {
      lanes.add(
          new Lane(
              devices.get(i),
              made.get(i),
              sizings.get(i),
              passage,
              modelled,
              staged,
              StagedSink.of(ends.sink())));
    }
    Flow flow = new Flow(List.copyOf(lanes), ends, size, passage, Sizing.together(sizings));
    flow.begin(buffering);
    return flow;
  }
}
