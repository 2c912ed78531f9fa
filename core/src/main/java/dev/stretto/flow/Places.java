package dev.stretto.flow;

import java.util.function.Consumer;

/**
 * Where in the sink chunks go. As long as no stage changes sizes, that is where they came from;
 * otherwise a chunk's place is known when those before it have left the last stage.
 */
final class Places {
  private final Output output;
  private final boolean areCounted;
  private final Consumer<ChunkPlace> listener;
  private final Turns turns = new Turns();
  private long end;

  /**
   * @param areCounted whether a stage changes sizes
   * @param begin where the first chunk goes
   */
  Places(Output output, boolean areCounted, long begin, Consumer<ChunkPlace> listener) {
    this.output = output;
    this.areCounted = areCounted;
    this.listener = listener;
    this.end = begin;
  }

  /** Goes on with a chunk whose {@code bytesOut} are known, once its place is. */
  void find(Slot slot, Runnable then) {
    if (output.isResult()) {
      slot.positionOut = slot.index * output.resultBytes();
    } else if (!areCounted) {
      slot.positionOut = slot.position;
    } else {
      long from = slot.lane.clock.hostNanos();
      turns.take(slot.index, () -> place(slot, from, then));
      return;
    }
    then.run();
  }

  /** Runs on any thread of the flow, for one chunk at a time. */
  private void place(Slot slot, long from, Runnable then) {
    FlowClock clock = slot.lane.clock;
    slot.positionOut = end;
    end += slot.bytesOut;
    listener.accept(
        new ChunkPlace(slot.index, slot.position, slot.bytes, slot.positionOut, slot.bytesOut));
    clock.from(Math.max(from, clock.hostNanos()), then);
  }
}
