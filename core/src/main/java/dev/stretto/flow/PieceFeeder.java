package dev.stretto.flow;

import dev.stretto.Copy;
import dev.stretto.Event;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Enqueues the pieces of all chunks of a device, on one thread and one stream: readers that all
 * enqueue for themselves would wait for each other at the device's lock, and be woken one by one,
 * which takes longer than what they do there. It watches for about as long as a piece takes to be
 * read; then it parks.
 */
final class PieceFeeder implements AutoCloseable {
  private static final long WATCH_NANOS = 100_000;
  private static final long NAP_NANOS = 20_000;

  /** A piece of a chunk, or the point behind the pieces of one. */
  static final class Piece {
    private final @Nullable MemorySegment from;
    private final @Nullable GlobalBytes to;
    private @Nullable Copy copy;
    private volatile @Nullable Event point;
    private volatile boolean isThere;

    private Piece(@Nullable MemorySegment from, @Nullable GlobalBytes to) {
      this.from = from;
      this.to = to;
    }
  }

  private final Stream stream;
  private final Consumer<Throwable> failing;
  private final ConcurrentLinkedQueue<Piece> given = new ConcurrentLinkedQueue<>();
  private final ArrayDeque<Piece> underWay = new ArrayDeque<>();
  private volatile @Nullable Thread parked;
  private volatile @Nullable Throwable failure;
  private volatile boolean isClosed;

  /**
   * @param stream on which pieces are copied
   * @param failing receives what ends the flow
   */
  PieceFeeder(Stream stream, Consumer<Throwable> failing) {
    this.stream = stream;
    this.failing = failing;
    ReaderThreads.run(this::run);
  }

  // --- what readers call -----------------------------------------------------------------------

  /** Gives a piece, whose memory must not change before it is there. */
  Piece give(MemorySegment from, GlobalBytes to) {
    return give(new Piece(from, to));
  }

  private Piece give(Piece piece) {
    given.add(piece);
    Thread sleeper = parked;
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
    return piece;
  }

  /** Waits until a piece is on the device. */
  void awaitThere(Piece piece) {
    for (long begin = System.nanoTime(); !piece.isThere; nap(begin)) {
      requireRunning();
    }
  }

  /** {@return the point behind all pieces that were given so far} */
  Event point() {
    Piece end = give(new Piece(null, null));
    Event point = end.point;
    for (long begin = System.nanoTime(); point == null; point = end.point) {
      requireRunning();
      nap(begin);
    }
    return point;
  }

  private static void nap(long begin) {
    if (System.nanoTime() - begin < WATCH_NANOS) {
      Thread.onSpinWait();
    } else {
      LockSupport.parkNanos(NAP_NANOS);
    }
  }

  private void requireRunning() {
    Throwable cause = failure;
    if (cause != null) {
      throw new FlowException("a part of a chunk could not be copied: " + cause, cause);
    }
    if (isClosed) {
      throw new FlowException("the flow has ended while a chunk was read");
    }
  }

  // --- the thread ------------------------------------------------------------------------------

  private void run() {
    try {
      long lastWork = System.nanoTime();
      while (!isClosed) {
        Piece piece = given.poll();
        if (piece != null) {
          enqueue(piece);
        }
        boolean isAnyThere = lookAtFirst();
        if (piece != null || isAnyThere) {
          lastWork = System.nanoTime();
        } else if (System.nanoTime() - lastWork < WATCH_NANOS || !underWay.isEmpty()) {
          Thread.onSpinWait();
        } else {
          park();
        }
      }
    } catch (Throwable e) { // the device is lost or closed, or has no more memory
      failure = e;
      if (!isClosed) {
        failing.accept(e);
      }
    }
  }

  private void enqueue(Piece piece) {
    if (piece.from == null || piece.to == null) {
      piece.point = stream.record();
      return;
    }
    piece.copy = stream.copy(piece.from, piece.to);
    underWay.add(piece);
  }

  /** {@return whether the piece that was enqueued first is on the device} */
  private boolean lookAtFirst() {
    Piece first = underWay.peek();
    Copy copy = first == null ? null : first.copy;
    if (first == null || copy == null || !copy.isDone()) {
      return false;
    }
    copy.await(); // it is done: this throws if it failed
    underWay.remove();
    first.isThere = true;
    return true;
  }

  private void park() {
    parked = Thread.currentThread();
    if (given.isEmpty() && !isClosed) {
      LockSupport.park(this);
    }
    parked = null;
  }

  @Override
  public void close() {
    isClosed = true;
    Thread sleeper = parked;
    if (sleeper != null) {
      LockSupport.unpark(sleeper);
    }
  }
}
