package dev.stretto.route;

import dev.stretto.driver.DriverException;
import org.jspecify.annotations.Nullable;

/** A staged copy from a device: the stream fills slots in order, and host threads empty them. */
final class StagedOut extends Transfer implements Landings.Landing {
  private int draining;
  private boolean handedOver;

  /** The buffer of a small copy that went to the driver at once, until its bytes are moved. */
  private volatile @Nullable SmallSlot buffer;

  private volatile boolean hastened;

  private long lastNanos;

  StagedOut(DeviceRuntime engine, StreamQueue queue, HostPlaces host, long address, Layout layout) {
    super(engine, queue, host, address, layout);
  }

  @Override
  void readAhead() {} // the device has yet to make the bytes

  @Override
  long costAtOnce() {
    long bytes = layout.bytes();
    long cost = layout.rows() * Math.max(layout.width(), StreamQueue.LEAST_ROW);
    return isModelled() || host.isFile() || cost > SmallSlots.BYTES || layout.pieces() > 1
        ? 0
        : SmallSlots.cost(bytes);
  }

  @Override
  boolean goesAtOnce() {
    SmallSlot slot = engine.smallSlots().takePinned(layout.bytes());
    if (slot == null) {
      return false;
    }
    slot.use(queue.completion, sequence, queue.completion, sequence);
    handedOver = true; // the stream is not held
    try {
      handOver(0, slot.address(), false);
    } catch (RuntimeException e) {
      engine.smallSlots().giveBack(slot);
      fail(e instanceof DriverException refusal ? device.raised(refusal) : e);
      return true;
    }
    buffer = slot;
    queue.completion.landings().add(this);
    if (isAwaited()) {
      hasten();
    }
    return true;
  }

  /** Nothing else tells that the bytes of a small copy have reached their buffer. */
  @Override
  void hasten() {
    if (buffer == null || hastened) {
      return;
    }
    hastened = true;
    if (Thread.holdsLock(device.lock)) {
      queue.completion.whenDone(sequence, () -> {});
    } else {
      device.later(() -> queue.completion.whenDone(sequence, () -> {}));
    }
  }

  @Override
  public long point() {
    return sequence;
  }

  @Override
  public void land() {
    part(this::moveFromBuffer).run();
  }

  private void moveFromBuffer() {
    SmallSlot from;
    synchronized (device.lock) {
      from = buffer;
      buffer = null;
    }
    if (from == null) {
      return; // abandoned
    }
    Throwable trouble = hasFailed() ? null : tryToMove(0, from.block(), from.offset(), false);
    synchronized (device.lock) {
      engine.smallSlots().giveBack(from);
      if (trouble != null) {
        fail(hostFailure(trouble));
      }
      settle(0);
    }
  }

  @Override
  void abandoned() {
    SmallSlot given = buffer;
    buffer = null;
    if (given != null) {
      engine.smallSlots().giveBack(given);
    }
  }

  @Override
  void take(long piece, Slots.Part slot) {
    try {
      if (nextPiece == layout.pieces() && !isModelled()) {
        handOver(piece, slot, false);
        draining++;
        letGo(); // the mark of the whole copy is that of its last piece, too
        queue.completion.whenJustMarkedIsDone(
            sequence, () -> onHostThread(part(() -> drain(piece, slot))));
        return;
      }
      long mark = send(piece, slot);
      draining++;
      queue.completion.whenMarkDone(mark, () -> onHostThread(part(() -> drain(piece, slot))));
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
    ended(piece);
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
      resume();
    }
  }

  @Override
  boolean isTowardsHost() {
    return true;
  }
}
