package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.HostClock;
import dev.stretto.driver.Volume;
import dev.stretto.settings.Settings;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A copy between two devices that have no access to each other's memory, piece by piece through
 * pinned slots. While one piece goes from its slot to the receiver, the next one comes from the
 * sender, each on its own link. The devices wait for each other by events, also before a slot is
 * reused; the host only keeps them supplied with work.
 *
 * <p>One of the two streams is the program's. It is held back until all pieces are enqueued. The
 * other one is borrowed for this copy alone. Guarded by the lock of both devices, which belong to
 * one driver.
 */
public final class PeerTransfer implements Staged {
  /**
   * The most slots in flight. More would not fit into the host's caches and make nothing faster.
   */
  private static final int DEPTH = Settings.PEER_DEPTH.value().intValue();

  /** How many pieces are enqueued for each slot; the devices reuse a slot without the host. */
  private static final int AHEAD = Settings.PEER_AHEAD.value().intValue();

  private static final long UNUSED = -1;

  /** A slot, and the marks for the last copies to it by the sender and from it by the receiver. */
  private record Used(Slots.Part slot, long sent, long arrived) {}

  /** The number of pieces of a copy, unless that makes them too small or too large. */
  private static final int PIECES = 8;

  private static final long LEAST_PIECE = 512 << 10;

  private final DeviceRuntime engine;
  private final DeviceRuntime other;
  private final StreamQueue user;
  private final StreamQueue helper;
  private final StreamQueue sender;
  private final StreamQueue receiver;
  private final PeerOutcome outcome;
  private final long dst;
  private final long src;
  private final Volume shape;

  /** The receiver's side; the sender's is the same with its ends exchanged. */
  private final Layout layout;

  private final Layout sending;

  /** Its slots, the least recently used one first. */
  private final ArrayDeque<Used> ring = new ArrayDeque<>(DEPTH);

  private final List<Runnable> onSettled = new ArrayList<>(2);

  private long number;
  private long helperNumber;
  private long feedNanos; // modelled: the time of the thread that enqueues the pieces
  private long nextPiece;
  private int inFlight;
  private int slotsHeld;
  private boolean starting;
  private boolean started;
  private boolean over;
  private boolean settled;
  private volatile boolean byDriver;
  private volatile @Nullable RuntimeException failure;

  private PeerTransfer(
      DeviceRuntime engine,
      DeviceRuntime other,
      StreamQueue user,
      StreamQueue helper,
      boolean sends,
      long dst,
      long src,
      Volume shape) {
    this.engine = engine;
    this.other = other;
    this.user = user;
    this.helper = helper;
    this.sender = sends ? user : helper;
    this.receiver = sends ? helper : user;
    this.outcome = new PeerOutcome(user.device(), helper.device());
    this.dst = dst;
    this.src = src;
    this.shape = shape;
    long part = (shape.bytes() + PIECES - 1) / PIECES;
    this.layout = Layout.between(shape, Math.clamp(part, LEAST_PIECE, Slots.SLOT_BYTES));
    this.sending = layout.swapped();
  }

  /**
   * {@return a copy that is enqueued on a stream}
   *
   * @param user the stream, of the sending or the receiving device
   * @param to the block that is written
   * @param dst the address in it
   * @param from the block that is read
   * @param src the address in it
   * @param shape the shape of the copy
   */
  public static PeerTransfer enqueue(
      StreamQueue user, DeviceBlock to, long dst, DeviceBlock from, long src, Volume shape) {
    PeerCopies.require(user);
    boolean sends = user.device == from.engine().device();
    DeviceRuntime other = (sends ? to : from).engine();
    DeviceRuntime engine = (sends ? from : to).engine();
    synchronized (user.device().lock) {
      user.device().requireUsable();
      StreamQueue helper = other.peers().borrow();
      PeerTransfer transfer = new PeerTransfer(engine, other, user, helper, sends, dst, src, shape);
      transfer.helperNumber = transfer.reserve(sends ? to : from);
      engine.began(transfer);
      other.began(transfer);
      boolean enqueued = false;
      try {
        transfer.number = user.handover.enqueueHolding(to, from, transfer::start);
        enqueued = true;
      } finally {
        if (!enqueued) {
          transfer.end();
        }
      }
      return transfer;
    }
  }

  /**
   * Takes a number on the borrowed stream. If that is refused, the stream is given back at once.
   */
  private long reserve(DeviceBlock away) {
    boolean reserved = false;
    try {
      long sequence = helper.handover.reserve("a copy to or from " + engine.name(), away);
      reserved = true;
      return sequence;
    } finally {
      if (!reserved) {
        other.peers().giveBack(helper);
      }
    }
  }

  /** {@return the operation's sequence number on the program's stream} */
  public long sequence() {
    return number;
  }

  /** Null once the driver stages the copy. */
  @Override
  public @Nullable StreamQueue arrivalQueue() {
    return byDriver ? null : receiver;
  }

  @Override
  public long arrivalSequence() {
    return number(receiver);
  }

  /** {@return whether the driver had to stage the copy because no memory could be pinned} */
  public boolean isByDriver() {
    return byDriver;
  }

  /** Starts the copy when everything before it on the program's stream has been handed over. */
  private void start(long sequence) {
    number = sequence;
    RuntimeException lost = failure;
    if (lost != null) {
      user.failures.add(sequence, lost);
      return;
    }
    user.handover.holdWhileStaging("a copy between devices that is not completely enqueued");
    started = true;
    feedNanos = clock().now();
    starting = true;
    try {
      if (helper == sender) {
        // The other device may not send before the program's stream has reached this point.
        waitFor(helper, user, user.completion.markWithin(sequence));
      }
      engine.slots().request(this);
    } catch (RuntimeException e) {
      fail(e);
    } finally {
      starting = false;
    }
  }

  private static void waitFor(StreamQueue waiting, StreamQueue other, long mark) {
    try {
      waiting.driver.waitEvent(waiting.handle, other.completion.eventOfMark(mark));
    } catch (DriverException e) {
      throw waiting.device().raised(e, other.device());
    }
  }

  @Override
  public boolean wantsSlot() {
    return !over && nextPiece < layout.pieces() && slotsHeld < DEPTH;
  }

  @Override
  public long nextBytes() {
    return layout.mostBytes(); // each part serves several pieces
  }

  @Override
  public void granted(Slots.Part slot) {
    slotsHeld++;
    ring.addFirst(new Used(slot, UNUSED, UNUSED));
    feed(1, feedNanos);
  }

  /** Enqueues more pieces when a piece has arrived. */
  private void arrived(long nanos) {
    synchronized (user.device().lock) {
      inFlight--;
      if (!over) {
        feed(AHEAD * slotsHeld - inFlight, Math.max(feedNanos, nanos));
      }
    }
  }

  /** Enqueues some pieces. On a modelled device this happens at its own modelled time. */
  private void feed(int pieces, long nanos) {
    long stamp = clock().now();
    clock().set(nanos);
    try {
      for (int i = 0; i < pieces && !over; i++) {
        move();
      }
    } finally {
      feedNanos = clock().now();
      if (!starting) {
        clock().set(stamp); // the feeding thread has nothing to do with this copy
      }
    }
  }

  private void move() {
    long piece = nextPiece;
    boolean last = piece + 1 == layout.pieces();
    Used used = ring.remove();
    long sent;
    long arrived;
    long nanos;
    try {
      if (!receiver.completion.isMarkDone(used.arrived)) {
        waitFor(sender, receiver, used.arrived);
      }
      copy(sender, sending, piece, src, used.slot, false);
      sent = mark(sender, last && sender == helper);
      waitFor(receiver, sender, sent);
      copy(receiver, layout, piece, dst, used.slot, true);
      arrived = mark(receiver, last);
      nanos = receiver.completion.markNanos(arrived);
    } catch (RuntimeException e) {
      ring.add(used);
      fail(e);
      return;
    }
    ring.add(new Used(used.slot, sent, arrived));
    nextPiece++;
    inFlight++;
    if (last) {
      finish(arrived);
    } else {
      receiver.completion.whenMarkDone(arrived, () -> arrived(nanos));
    }
  }

  private void finish(long arrived) {
    try {
      if (sender == user) {
        waitFor(user, helper, arrived);
      }
      end(sender == user, false);
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  /** Marks the stream's part of this copy so far; the last mark stands for the whole copy. */
  private long mark(StreamQueue queue, boolean last) {
    return last
        ? queue.completion.markNow(number(queue))
        : queue.completion.markWithin(number(queue));
  }

  private static void copy(
      StreamQueue queue,
      Layout layout,
      long piece,
      long address,
      Slots.Part slot,
      boolean toDevice) {
    try {
      Pieces.handOver(queue, layout, piece, address, slot.address(), toDevice);
    } catch (DriverException e) {
      throw queue.device().raised(e);
    }
  }

  private long number(StreamQueue queue) {
    return queue == user ? number : helperNumber;
  }

  /**
   * Gives the slots back, each after its last use. After a failure the sender may still be writing
   * to any slot, even if the receiver no longer reads it.
   */
  private void returnSlots() {
    for (Used used = ring.poll(); used != null; used = ring.poll()) {
      Slots.Part slot = used.slot;
      Runnable returned = () -> returnSlot(slot);
      if (failure != null) {
        sender.completion.whenDone(
            number(sender), () -> receiver.completion.whenDone(number(receiver), returned));
      } else if (used.arrived == UNUSED) {
        returned.run();
      } else {
        // Even if the receiver is lost meanwhile, the sender first has to finish with the slot.
        long sent = used.sent;
        receiver.completion.whenMarkDone(
            used.arrived, () -> sender.completion.whenMarkDone(sent, returned));
      }
    }
  }

  private void returnSlot(Slots.Part slot) {
    synchronized (user.device().lock) {
      slotsHeld--;
      engine.slots().giveBack(slot);
    }
  }

  /**
   * If no memory can be pinned at all, the driver stages the copy through memory of its own. That
   * is slower, but the copy is made.
   */
  @Override
  public void refused(RuntimeException why) {
    if (over) {
      return;
    }
    byDriver = true;
    try {
      PeerCopies.submit(
          user, receiver.device().driver(), dst, sender.device().driver(), src, shape);
      end(true, true);
    } catch (DriverException e) {
      fail(user.device().raised(e, helper.device()));
    }
  }

  private void fail(RuntimeException cause) {
    if (failure == null) {
      user.failures.add(
          number, cause); // first: a thread that sees the failure below reports it to the stream
      failure = cause;
    }
    end();
    returnSlots(); // the slot of this piece, if the copy was over before
  }

  /** Ends the copy because one of the two devices is lost. The other one goes on without it. */
  @Override
  public void abandon(RuntimeException told) {
    if (over && user.completion.isKnownDone(number)) {
      return;
    }
    if (failure == null) {
      if (started && user.device().isUsable()) {
        user.failures.add(number, told);
      }
      failure = told;
    }
    end();
  }

  private void end() {
    end(true, true);
  }

  /** Ends the enqueuing: both streams go on, and are marked if they are not yet. */
  private void end(boolean markUser, boolean markHelper) {
    if (over) {
      return;
    }
    over = true;
    try {
      letGo(helper, helperNumber, markHelper);
    } finally {
      try {
        if (started) {
          letGo(user, number, markUser);
        }
      } finally {
        returnSlots();
        helper.completion.whenDone(helperNumber, this::settle);
      }
    }
  }

  private static void letGo(StreamQueue queue, long sequence, boolean marked) {
    if (queue.device().isUsable()) {
      queue.handover.resume(sequence, marked);
    }
  }

  private void settle() {
    List<Runnable> actions;
    synchronized (user.device().lock) {
      if (settled) {
        return;
      }
      settled = true;
      other.peers().giveBack(helper);
      engine.ended(this);
      other.ended(this);
      actions = List.copyOf(onSettled);
      onSettled.clear();
    }
    if (!actions.isEmpty()) {
      actions.forEach(user.device()::later);
    }
  }

  @Override
  public void whenSettled(Runnable action) {
    synchronized (user.device().lock) {
      if (!settled) {
        onSettled.add(action);
        return;
      }
    }
    action.run();
  }

  /** Called when the copy is done. */
  @Override
  public @Nullable RuntimeException failure() {
    RuntimeException known = failure;
    return known == null ? outcome.failure() : known;
  }

  private HostClock clock() {
    return user.driver.clock();
  }
}
