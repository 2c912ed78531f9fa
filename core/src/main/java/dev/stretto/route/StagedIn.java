package dev.stretto.route;

import dev.stretto.driver.DriverException;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A staged copy to a device: host threads fill slots, and the stream empties them. {@link Feeders}
 * do both for a large copy whose turn in its stream has come.
 */
final class StagedIn extends Transfer {
  private final Slots.@Nullable Part[] filled;
  private final AtomicLong sent = new AtomicLong();

  /** How many pieces feeders have taken and not handed over. */
  private final AtomicInteger inHand = new AtomicInteger();

  private int filling;
  private boolean over;

  /** Copies of fewer pieces are over before feeders would be at work. */
  private static final int LEAST_FED = 8;

  /** What the device makes of pieces that were moved as they are on the host, and how. */
  private record Converting(DeviceForm form, Conversions by) {}

  private final @Nullable Converting converting;

  /** Whether slots are filled before the copy's turn in the stream has come. */
  private boolean ahead;

  StagedIn(DeviceRuntime engine, StreamQueue queue, HostPlaces host, long address, Layout layout) {
    super(engine, queue, host, address, layout);
    this.filled = new Slots.Part[depth];
    DeviceForm form = host.deviceForm();
    Conversions by = engine.conversions();
    this.converting = form == null || by == null ? null : new Converting(form, by);
  }

  @Override
  void readAhead() {
    ahead = true;
    engine.slots().requestAhead(this);
  }

  @Override
  void begun() {
    Feeders feeders = untaken() < LEAST_FED ? null : engine.feeders(host.mayWaitForDisk());
    if (feeders != null) {
      takesNoMoreSlots();
      if (converting != null) {
        converting.by.look();
      }
    }
    if (!ahead) {
      if (feeders == null) {
        super.begun();
      }
    } else {
      engine.slots().requestNow(this);
      if (isSettled()) {
        finish(); // it has died meanwhile
      } else if (hasFailed()) {
        afterFailure();
      } else {
        sendFilled();
      }
    }
    if (feeders != null && untaken() > 0) {
      feeders.add(this);
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
      for (Slots.Part slot = take(sent.get()); slot != null; slot = take(sent.get())) {
        send(sent.get(), slot);
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
    boolean isLast;
    try {
      setClock(piece);
      handOver(piece, slot, true);
      ended(piece);
      isLast = sent.incrementAndGet() == layout.pieces();
      if (!isLast) {
        giveBackWhenSent(piece, slot);
      }
    } catch (RuntimeException e) {
      fail(e instanceof DriverException refusal ? device.raised(refusal) : e);
      giveBackAfterUse(slot);
      return;
    }
    if (isLast) {
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
    if (filling == 0 && inHand.get() == 0 && hasBegun()) {
      finish(); // otherwise when its turn comes: the stream is held by another operation
    }
  }

  // --- by feeders
  // ----------------------------------------------------------------------------------------------------------

  /** {@return how many pieces nobody has taken yet} */
  long untaken() {
    return hasFailed() ? 0 : layout.pieces() - nextPiece;
  }

  /** {@return the number of a piece that the caller has to feed; its calls come one at a time} */
  long takePiece() {
    inHand.incrementAndGet();
    return nextPiece++;
  }

  /** {@return the most bytes that a piece needs in pinned memory} */
  long pieceBytes() {
    long most = layout.mostBytes();
    DeviceForm form = converting == null ? null : converting.form;
    return form == null ? most : most / form.deviceBytes() * form.hostBytes();
  }

  /** {@return whether elements can be fed as they are on the host, for the device to convert} */
  boolean isConvertedByDevice() {
    return converting != null && converting.by.isReady(converting.form);
  }

  /**
   * Moves a piece that was {@linkplain #takePiece taken} to pinned memory and hands it to the
   * driver, without the driver's lock: the stream is held for this copy.
   *
   * @param block what the pinned memory lies in
   * @param offset where it begins there
   * @param address of the block
   * @param event is recorded behind the piece
   * @param unconverted whether the device converts the elements, as it {@linkplain
   *     #isConvertedByDevice can}
   * @return whether the event tells when the driver no longer reads the pinned memory
   */
  boolean feed(
      long piece, MemorySegment block, long offset, long address, long event, boolean unconverted) {
    if (hasFailed()) {
      notFed(null);
      return true;
    }
    Converting there = unconverted ? converting : null;
    Throwable trouble =
        there == null
            ? tryToMove(piece, block, offset, true)
            : tryToMoveUnconverted(piece, there.form, block, offset);
    if (trouble != null) {
      notFed(hostFailure(trouble));
      return true;
    }
    try {
      if (there == null) {
        handOver(piece, address + offset, true);
      } else {
        there.by.handOver(queue, layout, piece, this.address, address + offset, there.form);
      }
      queue.driver.recordEvent(event, queue.handle);
    } catch (RuntimeException e) {
      notFed(e instanceof DriverException refusal ? device.raised(refusal) : e);
      return false;
    }
    ended(piece);
    boolean isLast = sent.incrementAndGet() == layout.pieces();
    boolean isAlone = inHand.decrementAndGet() == 0;
    if (isLast) {
      engine.locked().run(part(this::finish));
    } else if (isAlone && hasFailed()) {
      engine.locked().run(part(this::afterFailure));
    }
    return true;
  }

  /**
   * Notes that a piece that was taken is not sent.
   *
   * @param why the failure; null if the copy has failed before
   */
  void notFed(@Nullable RuntimeException why) {
    engine
        .locked()
        .run(
            part(
                () -> {
                  inHand.decrementAndGet();
                  if (why == null) {
                    afterFailure();
                  } else {
                    fail(why);
                  }
                }));
  }

  /**
   * Runs an action when the device has done what was handed over of this copy so far. Called with
   * the driver's lock held.
   */
  void whenSent(Runnable action) {
    if (!over) {
      try {
        queue.completion.whenMarkDone(queue.completion.markWithin(sequence), action);
        return;
      } catch (RuntimeException e) {
        fail(e);
      }
    }
    queue.completion.whenDone(sequence, action);
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------

  private void finish() {
    if (!over) {
      over = true;
      settle(clock().now());
      resume();
    }
  }

  @Override
  boolean isTowardsHost() {
    return false;
  }
}
