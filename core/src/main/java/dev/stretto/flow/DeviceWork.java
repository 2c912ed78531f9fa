package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A chunk's way through its device: its copy in, its stages one after the other, and its copy out,
 * to its place in the sink or to a buffer.
 */
final class DeviceWork {
  private final Steps steps;
  private final Sink sink;
  private final Passage passage;
  private final Places places;
  private final BiConsumer<Slot, Boolean> arrived;

  /**
   * @param arrived gets a chunk that has left the device, and whether it is in the sink
   */
  DeviceWork(
      Steps steps, Sink sink, Passage passage, Places places, BiConsumer<Slot, Boolean> arrived) {
    this.steps = steps;
    this.sink = sink;
    this.passage = passage;
    this.places = places;
    this.arrived = arrived;
  }

  /**
   * Hands a chunk to its device.
   *
   * @param from where its bytes are
   */
  void begin(Slot slot, MemorySegment from) {
    slot.copiesIn = List.of(slot.stream.copy(from, slot.array(0, slot.bytes)));
    slot.isStaged = false;
    work(slot);
  }

  /** Has the threads of staged copies bring a chunk to its device. */
  void bring(Slot slot) {
    slot.copiesIn = slot.lane.bring(slot, slot.array(0, slot.bytes));
    slot.isStaged = true;
  }

  /** Has the device work on a chunk whose copies in were enqueued. */
  void work(Slot slot) {
    enter(slot, 0, slot.array(0, slot.bytes));
  }

  private void enter(Slot slot, int number, GlobalBytes in) {
    List<MadeStage> stages = slot.lane.stages;
    if (number == stages.size()) {
      slot.bytesOut = passage.output().isNothing() ? 0 : in.byteSize();
      places.find(slot, () -> leave(slot, in));
      return;
    }
    FlowClock clock = slot.lane.clock;
    long now = clock.hostNanos();
    stages
        .get(number)
        .enter(
            slot,
            () -> clock.from(Math.max(now, clock.hostNanos()), () -> enqueue(slot, number, in)));
  }

  private void enqueue(Slot slot, int number, GlobalBytes in) {
    MadeStage stage = slot.lane.stages.get(number);
    if (in.byteSize() == 0) {
      enter(slot, number + 1, in); // nothing is left of it
      return;
    }
    long most = Math.min(passage.most(number, in.byteSize()), slot.room(number + 1));
    GlobalBytes out = slot.isSameArray(number) ? in : slot.array(number + 1, most);
    stage.enqueue(slot, new Chunk(slot.index, slot.position, in.byteSize(), slot.number, in, out));
    if (!stage.plan().resizes()) {
      enter(slot, number + 1, out);
      return;
    }
    MemorySegment size = Objects.requireNonNull(slot.sizeOnHost);
    Copy counted = slot.stream.copy(Objects.requireNonNull(slot.size), size);
    slot.noteEnqueued();
    steps.then(
        slot,
        () -> {
          counted.await(); // it is done
          enter(
              slot, number + 1, out.slice(0, sized(size.get(ValueLayout.JAVA_LONG, 0), out, slot)));
        });
  }

  private static long sized(long bytes, GlobalBytes out, Slot slot) {
    if (bytes < 0 || bytes > out.byteSize()) {
      throw new FlowException(
          "a stage says that it has made %d bytes of chunk %d, but it may make 0 to %d"
              .formatted(bytes, slot.index, out.byteSize()));
    }
    return bytes;
  }

  private void leave(Slot slot, GlobalBytes out) {
    StagedSink staged = passage.output().isBytes() ? StagedSink.of(sink) : null;
    Copy copyOut = slot.bytesOut == 0 ? null : copyOut(slot, out, staged);
    slot.noteEnqueued();
    boolean inSink = passage.output().isNothing() || slot.intoSink;
    slot.copyOut = slot.intoSink ? copyOut : null;
    steps.then(
        slot,
        () -> {
          long nanos = awaited(slot.copiesIn);
          slot.stagedNanos = slot.isStaged ? nanos : 0;
          if (copyOut != null) {
            copyOut.await();
          }
          if (copyOut != null && staged != null) {
            slot.stagedOutNanos = copyOut.hostTime().toNanos();
            staged.written(slot.positionOut, slot.bytesOut);
          }
          arrived.accept(slot, inSink);
        });
  }

  /** {@return how long threads took for copies, which are done} Throws if one has failed. */
  private static long awaited(List<Copy> copies) {
    long nanos = 0;
    for (Copy copy : copies) {
      copy.await();
      nanos += copy.hostTime().toNanos();
    }
    return nanos;
  }

  /** Enqueues the copy of a chunk to its place in the sink, or to the slot's buffer. */
  private Copy copyOut(Slot slot, GlobalBytes out, @Nullable StagedSink staged) {
    if (staged != null) {
      slot.intoSink = true;
      return staged.copy(slot.stream, out, slot.positionOut);
    }
    Optional<MemorySegment> resident =
        Objects.requireNonNull(
            sink.resident(slot.positionOut, slot.bytesOut), "the result of the sink's resident()");
    slot.intoSink = resident.isPresent();
    return slot.stream.copy(out, resident.orElseGet(() -> leaving(slot)));
  }

  /** {@return the buffer that a chunk's bytes arrive in} */
  MemorySegment leaving(Slot slot) {
    return passage.output().isResult() ? slot.result() : slot.buffer(slot.bytesOut);
  }
}
