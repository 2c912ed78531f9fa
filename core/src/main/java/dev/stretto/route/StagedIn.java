package dev.stretto.route;

import dev.stretto.driver.DriverException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A staged copy to a device: host threads fill slots, and the stream empties them in order. */
final class StagedIn extends Transfer {
  private final Slots.@Nullable Slot[] filled;
  private long nextToSend;
  private int filling;
  private boolean over;

  StagedIn(
      DeviceRuntime engine, StreamQueue queue, MemorySegment host, long address, Layout layout) {
    super(engine, queue, host, address, layout);
    this.filled = new Slots.Slot[depth];
  }

  @Override
  void take(long piece, Slots.Slot slot) {
    filling++;
    device.hostWork().submit(part(() -> fill(piece, slot)));
  }

  private void fill(long piece, Slots.Slot slot) {
    Throwable trouble = hasFailed() ? null : tryToMove(piece, slot.memory(), true);
    synchronized (device.lock) {
      filling--;
      if (trouble != null) {
        fail(hostFailure(trouble));
      }
      if (hasFailed()) {
        giveBack(slot);
        afterFailure();
        return;
      }
      filled[(int) (piece % depth)] = slot;
      sendFilled();
    }
  }

  private void sendFilled() {
    Slots.Slot slot;
    while (!over && (slot = filled[(int) (nextToSend % depth)]) != null) {
      long piece = nextToSend++;
      filled[(int) (piece % depth)] = null;
      try {
        send(piece, slot);
      } catch (RuntimeException e) {
        fail(e instanceof DriverException refusal ? device.raised(refusal) : e);
        giveBackAfterUse(slot);
        return;
      }
      if (nextToSend == layout.pieces()) {
        finish();
      }
    }
  }

  private void send(long piece, Slots.Slot slot) {
    setClock(piece);
    handOver(piece, slot, true);
    long mark = queue.completion.markWithin(sequence);
    slotNanos[(int) (piece % depth)] = queue.completion.markNanos(mark);
    queue.completion.whenMarkDone(mark, () -> giveBack(slot));
    endedBytes += layout.widthOf(piece) * layout.rowsOf(piece);
  }

  /**
   * On a modelled device, sets the time to that at which a host thread has filled the piece's slot.
   */
  private void setClock(long piece) {
    int lane = (int) (piece % laneNanos.length);
    long begin = Math.max(startNanos, Math.max(laneNanos[lane], slotNanos[(int) (piece % depth)]));
    laneNanos[lane] = begin + clock().copyNanos(layout.widthOf(piece) * layout.rowsOf(piece));
    clock().set(laneNanos[lane]);
  }

  @Override
  void afterFailure() {
    for (int i = 0; i < depth; i++) {
      Slots.Slot slot = filled[i];
      if (slot != null) {
        filled[i] = null;
        giveBack(slot);
      }
    }
    if (filling == 0) {
      finish();
    }
  }

  private void finish() {
    if (!over) {
      over = true;
      settle(clock().now());
      queue.handover.resume(sequence, true);
    }
  }

  @Override
  boolean isTowardsHost() {
    return false;
  }
}
