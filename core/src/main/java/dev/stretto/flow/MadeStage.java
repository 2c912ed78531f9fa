package dev.stretto.flow;

import dev.stretto.Device;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalLongs;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A stage of a flow on one of its devices. */
final class MadeStage {
  private final Object work;
  private final PlannedStage plan;
  private final int number;
  private final Turns turns = new Turns();
  private @Nullable Stream own;

  /**
   * @param work a {@link Stage} or a {@link ResizingStage}
   * @param number 1 for the first
   */
  MadeStage(Object work, PlannedStage plan, int number) {
    this.work = work;
    this.plan = plan;
    this.number = number;
  }

  /** Makes what it needs on its device. */
  void open(Device device) {
    own = plan.isInOrder() ? device.stream("flow stage " + number) : null;
  }

  /** {@return its own stream; null if it works on those of the chunks} */
  @Nullable Stream stream() {
    return own;
  }

  PlannedStage plan() {
    return plan;
  }

  /** Enqueues a chunk's work: at once, or when its turn comes. */
  void enter(Slot slot, Runnable enqueue) {
    if (plan.isInOrder()) {
      turns.take(slot.turnOnDevice, enqueue);
    } else {
      enqueue.run();
    }
  }

  /** Enqueues the work of a chunk; the slot's stream goes on after it. */
  void enqueue(Slot slot, Chunk chunk) {
    Stream stream = own;
    if (stream == null) {
      enqueue(slot.stream, chunk, slot);
      return;
    }
    stream.waitFor(slot.stream.record());
    enqueue(stream, chunk, slot);
    slot.stream.waitFor(stream.record());
  }

  private void enqueue(Stream stream, Chunk chunk, Slot slot) {
    if (work instanceof ResizingStage resizing) {
      GlobalLongs size = Objects.requireNonNull(slot.size);
      stream.fill(size, 0);
      resizing.enqueue(stream, chunk, size);
    } else {
      ((Stage) work).enqueue(stream, chunk);
    }
  }
}
