package dev.stretto.route;

import dev.stretto.fault.DeadlockException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The program's code that holds a stream, on the thread that runs it: a callback, a step of a flow,
 * a call of another library. Operations after it cannot happen before it returns. So if it waits
 * for one of them, the wait would never end, and is refused.
 *
 * <p>The operations after it are known without asking the driver. Operations after a held one have
 * not been handed over, so every stream that waits for one of them is held too, by a wait that
 * {@link StreamWaits} has noted. And a stream that a callback holds comes after everything that the
 * callback awaits.
 */
public final class OwnTurn {
  private static final AtomicInteger UNDER_WAY = new AtomicInteger();
  private static final ThreadLocal<@Nullable OwnTurn> OF_THREAD = new ThreadLocal<>();

  private final StreamQueue queue;
  private final long sequence;
  private final String advice;
  private final @Nullable DriverLock beside;
  private final @Nullable OwnTurn outer;
  private final BooleanSupplier isAboutToGoOn;
  private volatile @Nullable Point awaited;
  private boolean arranged;

  /** A point of a stream. */
  private record Point(StreamQueue queue, long sequence) {}

  /** A wait of one stream for another that has not been handed to the driver. */
  record Link(long sequence, StreamQueue other, long point) {}

  private OwnTurn(
      StreamQueue queue,
      long sequence,
      String advice,
      @Nullable DriverLock beside,
      @Nullable OwnTurn outer) {
    this.queue = queue;
    this.sequence = sequence;
    this.advice = advice;
    this.beside = beside;
    this.isAboutToGoOn = beside == null ? OwnTurn::isNeverAsked : this::isAboutToGoOn;
    this.outer = outer;
  }

  /**
   * Notes that the calling thread begins to run the program's code, which holds a stream.
   *
   * @param sequence the number of the operation that holds the stream
   * @param advice what to write instead of awaiting the stream, as a clause
   * @param beside the lock of a seeded driver that goes on without this thread, or null
   */
  static OwnTurn begin(
      StreamQueue queue, long sequence, String advice, @Nullable DriverLock beside) {
    OwnTurn turn = new OwnTurn(queue, sequence, advice, beside, OF_THREAD.get());
    OF_THREAD.set(turn);
    UNDER_WAY.incrementAndGet();
    queue.turn = turn;
    return turn;
  }

  /** Notes that the program's code has returned. */
  void end() {
    queue.turn = null;
    UNDER_WAY.decrementAndGet();
    OF_THREAD.set(outer); // null is not removed: the next turn would allocate a new entry
  }

  /** {@return the code that the calling thread runs while it holds a stream, or null} */
  private static @Nullable OwnTurn ofThread() {
    return UNDER_WAY.get() == 0 ? null : OF_THREAD.get();
  }

  /**
   * Notes that the calling thread is about to wait for a point that is not reached yet.
   *
   * @param queue the stream
   * @param point the point's number
   * @param timed whether it waits for a limited time
   * @return the argument of {@link #waited}, or null
   * @throws DeadlockException if the point cannot be reached before this thread has gone on
   */
  public static @Nullable OwnTurn waits(StreamQueue queue, long point, boolean timed) {
    OwnTurn turn = ofThread();
    if (turn == null) {
      return null;
    }
    if (turn.awaited != null) { // something that this thread does while it waits waits too
      turn.requireAnEnd(queue, point, timed);
      return null;
    }
    if (!timed) {
      turn.awaited =
          new Point(
              queue,
              point); // before this thread checks: another one may do the same at this moment
    }
    try {
      turn.requireAnEnd(queue, point, timed);
    } catch (DeadlockException e) {
      turn.awaited = null;
      throw e;
    }
    return turn;
  }

  /**
   * Notes that the calling thread will be woken when the point is reached, by any thread that
   * reaches it. From here on the calling thread counts as waiting.
   *
   * @param turn of {@link #waits}
   */
  public static void isArranged(@Nullable OwnTurn turn) {
    if (turn != null
        && turn.beside != null
        && turn.awaited != null) { // a timed wait ends by itself
      turn.arranged = true;
      turn.beside.waitsElsewhere(turn.isAboutToGoOn);
    }
  }

  /**
   * Notes that the wait is over.
   *
   * @param turn of {@link #waits}
   */
  public static void waited(@Nullable OwnTurn turn) {
    if (turn != null) {
      DriverLock lock = turn.beside;
      if (lock != null && turn.arranged) {
        lock.waitedElsewhere(turn.isAboutToGoOn);
        turn.arranged = false;
      }
      turn.awaited = null;
    }
  }

  /** {@return whether what the thread waits for has happened} */
  private static boolean isNeverAsked() {
    throw new IllegalStateException("only a seeded driver asks");
  }

  private boolean isAboutToGoOn() {
    Point point = awaited;
    return point != null && point.queue.isKnownReached(point.sequence);
  }

  private void requireAnEnd(StreamQueue from, long point, boolean timed) {
    Map<StreamQueue, Long> seen = new HashMap<>();
    Deque<Point> open = new ArrayDeque<>();
    open.add(new Point(from, point));
    for (Point next = open.poll(); next != null; next = open.poll()) {
      if (next.queue == queue && next.sequence >= sequence) {
        throw refusal(from);
      }
      if (seen.getOrDefault(next.queue, -1L) < next.sequence) {
        seen.put(next.queue, next.sequence);
        open.addAll(comesAfter(next, timed));
      }
    }
  }

  /** {@return what has to happen before a point is reached, as far as the host holds it back} */
  private List<Point> comesAfter(Point point, boolean timed) {
    List<Point> before = new ArrayList<>();
    for (Link link : point.queue.pendingWaits(point.sequence)) {
      before.add(new Point(link.other, link.point));
    }
    OwnTurn there = point.queue.turn;
    Point awaitedThere = timed || there == null ? null : there.awaited;
    if (there != null && awaitedThere != null && there.sequence <= point.sequence) {
      before.add(awaitedThere);
    }
    return before;
  }

  private DeadlockException refusal(StreamQueue awaited) {
    return new DeadlockException(
        "the work awaited on "
            + awaited.device.name()
            + " can never happen, because it "
            + (awaited == queue ? "comes after" : "waits on another stream for work after")
            + " the code that awaits it, and that code holds back %s until it returns: "
                .formatted(queue.fullTitle())
            + advice);
  }
}
