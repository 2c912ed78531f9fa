package dev.stretto.route;

import dev.stretto.driver.DriverException;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** A staged copy from a device: the stream fills slots in order, and host threads empty them. */
final class StagedOut extends Transfer {
  private int draining;
  private boolean handedOver;
  private long lastNanos;

  StagedOut(
      DeviceRuntime engine, StreamQueue queue, MemorySegment host, long address, Layout layout) {
    super(engine, queue, host, address, layout);
  }

  @Override
  void readAhead() {} // the device has yet to make the bytes

  @Override
  void take(long piece, Slots.Part slot) {
    try {
      if (nextPiece == layout.pieces() && !isModelled()) {
        handOver(piece, slot, false);
        draining++;
        letGo(); // the mark of the whole copy is that of its last piece, too
        queue.completion.whenJustMarkedIsDone(
            sequence, () -> device.later(part(() -> drain(piece, slot))));
        return;
      }
      long mark = send(piece, slot);
      draining++;
      queue.completion.whenMarkDone(mark, () -> device.later(part(() -> drain(piece, slot))));
    } catch (RuntimeException e) {
      fail(e instanceof DriverException refusal ? device.raised(refusal) : e);
      giveBackAfterUse(slot);
      return;
    }
    if (nextPiece == layout.pieces()) {
      letGo();
    }
  }

  private long send(long piece, Slots.Part slot) {
    int place = (int) (piece % depth);
    if (!isModelled()) {
      handOver(piece, slot, false);
      return queue.completion.markWithin(sequence);
    }
    clock().set(Math.max(startNanos, slotNanos[place]));
    handOver(piece, slot, false);
    long mark = queue.completion.markWithin(sequence);
    int lane = (int) (piece % laneNanos.length);
    long bytes = layout.widthOf(piece) * layout.rowsOf(piece);
    laneNanos[lane] =
        Math.max(laneNanos[lane], queue.completion.markNanos(mark)) + clock().copyNanos(bytes);
    slotNanos[place] = laneNanos[lane];
    lastNanos = Math.max(lastNanos, laneNanos[lane]);
    return mark;
  }

  private void drain(long piece, Slots.Part slot) {
    Throwable trouble = hasFailed() ? null : tryToMove(piece, slot.memory(), false);
    engine.locked().run(part(() -> drained(piece, slot, trouble)));
  }

  private void drained(long piece, Slots.Part slot, @Nullable Throwable trouble) {
    draining--;
    if (trouble != null) {
      fail(hostFailure(trouble));
    }
    giveBack(slot);
    if (hasFailed()) {
      afterFailure();
      return;
    }
    endedPieces++;
    endedBytes += layout.widthOf(piece) * layout.rowsOf(piece);
    if (endedPieces == layout.pieces()) {
      settle(lastNanos);
    }
  }

  @Override
  void afterFailure() {
    if (draining == 0) {
      settle(clock().now());
      letGo();
    }
  }

  private void letGo() {
    if (!handedOver) {
      handedOver = true;
      queue.handover.resume(sequence, true);
    }
  }

  @Override
  boolean isTowardsHost() {
    return true;
  }
}
