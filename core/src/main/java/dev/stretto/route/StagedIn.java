package dev.stretto.route;

import dev.stretto.driver.DriverException;
import org.jspecify.annotations.Nullable;

/** A staged copy to a device: host threads fill slots, and the stream empties them in order. */
final class StagedIn extends Transfer {
  private final Slots.@Nullable Part[] filled;
  private long sent;
  private int filling;
  private boolean over;

  /** Whether slots are filled before the copy's turn in the stream has come. */
  private boolean ahead;

  StagedIn(DeviceRuntime engine, StreamQueue queue, HostPlaces host, long address, Layout layout) {
    super(engine, queue, host, address, layout);
    this.filled = new Slots.Part[depth];
  }

  @Override
  void readAhead() {
    ahead = true;
    engine.slots().requestAhead(this);
  }

  @Override
  void begun() {
    if (!ahead) {
      super.begun();
      return;
    }
    engine.slots().requestNow(this);
    if (isSettled()) {
      finish(); // it has died meanwhile
    } else if (hasFailed()) {
      afterFailure();
    } else {
      sendFilled();
    }
  }

  @Override
  void take(long piece, Slots.Part slot) {
    filling++;
    engine.slots().fills();
    onHostThread(part(() -> fill(piece, slot)));
  }

  private void fill(long piece, Slots.Part slot) {
    Slots.Part own = engine.slots().toFill(slot);
    Throwable trouble = hasFailed() ? null : tryToMove(piece, own.memory(), true);
    engine.locked().run(part(() -> filled(piece, own, trouble)));
  }

  private void filled(long piece, Slots.Part slot, @Nullable Throwable trouble) {
    filling--;
    engine.slots().filled();
    if (trouble != null) {
      fail(hostFailure(trouble));
    }
    if (hasFailed()) {
      giveBack(slot);
      afterFailure();
      return;
    }
    if (isModelled() || !hasBegun()) {
      filled[(int) (piece % depth)] = slot;
      sendFilled();
    } else {
      send(piece, slot); // in any order, or all would wait for the slowest thread
    }
  }

  private void sendFilled() {
    if (!hasBegun()) {
      return;
    }
    if (isModelled()) {
      for (Slots.Part slot = take(sent); slot != null; slot = take(sent)) {
        send(sent, slot);
      }
      return;
    }
    // Before its turn has come, a copy has got its first pieces only.
    for (int piece = 0; piece < depth && piece < layout.pieces(); piece++) {
      Slots.Part slot = take(piece);
      if (slot != null) {
        send(piece, slot);
      }
    }
  }

  private Slots.@Nullable Part take(long piece) {
    int place = (int) (piece % depth);
    Slots.Part slot = over ? null : filled[place];
    if (slot != null) {
      filled[place] = null;
    }
    return slot;
  }

  private void send(long piece, Slots.Part slot) {
    if (over) {
      giveBack(slot);
      return;
    }
    sent++;
    try {
      setClock(piece);
      handOver(piece, slot, true);
      endedBytes += layout.widthOf(piece) * layout.rowsOf(piece);
      if (sent < layout.pieces()) {
        giveBackWhenSent(piece, slot);
      }
    } catch (RuntimeException e) {
      fail(e instanceof DriverException refusal ? device.raised(refusal) : e);
      giveBackAfterUse(slot);
      return;
    }
    if (sent == layout.pieces()) {
      finish();
      // The mark of the whole copy is that of the piece that was sent last, too.
      queue.completion.whenJustMarkedIsDone(
          sequence, () -> engine.locked().run(part(() -> giveBack(slot))));
    }
  }

  private void giveBackWhenSent(long piece, Slots.Part slot) {
    long mark = queue.completion.markWithin(sequence);
    if (isModelled()) {
      slotNanos[(int) (piece % depth)] = queue.completion.markNanos(mark);
    }
    queue.completion.whenMarkDone(mark, () -> engine.locked().run(part(() -> giveBack(slot))));
  }

  /**
   * On a modelled device, sets the time to that at which a host thread has filled the piece's slot.
   */
  private void setClock(long piece) {
    if (!isModelled()) {
      return;
    }
    int lane = (int) (piece % laneNanos.length);
    long begin = Math.max(startNanos, Math.max(laneNanos[lane], slotNanos[(int) (piece % depth)]));
    laneNanos[lane] = begin + clock().copyNanos(layout.widthOf(piece) * layout.rowsOf(piece));
    clock().set(laneNanos[lane]);
  }

  @Override
  void afterFailure() {
    for (int i = 0; i < depth; i++) {
      Slots.Part slot = filled[i];
      if (slot != null) {
        filled[i] = null;
        giveBack(slot);
      }
    }
    if (filling == 0 && hasBegun()) {
      finish(); // otherwise when its turn comes: the stream is held by another operation
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
