package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.RouteException;
import java.util.List;

/**
 * How one stream waits for another: in the driver, where both are of one; else the host passes the
 * news on.
 */
final class StreamWaits {
  private StreamWaits() {}

  /**
   * Makes all later operations of a stream wait for a point of another.
   *
   * @param queue the one that waits
   * @param other the one that is waited for
   * @param point the point's sequence number
   */
  static void enqueue(StreamQueue queue, StreamQueue other, long point) {
    if (other == queue) {
      synchronized (queue.engine.lock) {
        queue.requireOpen();
      }
      return;
    }
    // Asked before this queue's lock is taken: the other driver's may not be taken under it.
    List<Transfer> arriving = other.arrivingBefore(point);
    long nanos = other.arrivalNanos(point);
    List<Failures.Failed> failed = other.untold(point);
    boolean kin = other.engine.lock == queue.engine.lock;
    enqueue(queue, other, point, arriving, failed, nanos, kin);
    if (other.toHost.owes()) {
      queue.toHost.waitsFor(queue.lastIssued(), other.toHost, point);
    }
  }

  private static void enqueue(
      StreamQueue queue,
      StreamQueue other,
      long point,
      List<Transfer> arriving,
      List<Failures.Failed> failed,
      long nanos,
      boolean kin) {
    synchronized (queue.engine.lock) {
      queue.requireOpen();
      queue.arrivals.note(queue.issued + 1, nanos);
      boolean timeCounts = queue.driver.clock().isModelled() && kin;
      if (!timeCounts && other.isKnownDone(point) && (arriving.isEmpty() || kin)) {
        queue.inherit(failed, queue.issued + 1);
        if (!arriving.isEmpty()) {
          alsoArriving(queue, arriving);
          queue.enqueue(null, null, false, () -> {});
        }
        return;
      }
      if (!queue.deferrable && (!kin || !other.isHandedOver(point))) {
        throw new RouteException(
            queue.describeForeign()
                + " cannot wait for an event that is still held back behind a staged copy"
                + " or a callback, or that belongs to another driver: await the event, or use"
                + " device.stream()");
      }
      if (!kin) {
        enqueueForStranger(queue, other, point);
        return;
      }
      alsoArriving(queue, arriving);
      long sequence = queue.begin(null, null);
      if (queue.isDirect() && other.isHandedOver(point)) {
        try {
          queue.markCopies();
          make(queue, other, point, sequence);
        } finally {
          queue.handedOver(sequence, false);
        }
        return;
      }
      queue.pendingWait(sequence, other, point);
      queue.submitOrDefer(
          sequence,
          false,
          () -> {
            if (other.isHandedOver(point)) {
              make(queue, other, point, sequence);
            } else {
              queue.hold("a wait for an event that was not recorded");
              other.whenHandedOver(point, () -> handedOver(queue, other, point, sequence));
            }
          });
    }
  }

  /** What is on its way to host memory for the other stream is so for this one too. */
  private static void alsoArriving(StreamQueue queue, List<Transfer> arriving) {
    if (!arriving.isEmpty()) {
      arriving.forEach(transfer -> queue.arrivals.add(transfer, queue.issued + 1));
    }
  }

  /** What was waited for is with the driver now. */
  private static void handedOver(StreamQueue queue, StreamQueue other, long point, long sequence) {
    synchronized (queue.engine.lock) {
      try {
        if (queue.engine.isUsable()) {
          make(queue, other, point, sequence);
        }
      } catch (RuntimeException e) {
        queue.fail(sequence, e);
      } finally {
        queue.resume(sequence, false);
      }
    }
  }

  /** Has the driver make a stream wait for all that another of the driver's holds. */
  static void makeForAll(StreamQueue queue, StreamQueue other) {
    queue.markCopies();
    if (!other.isKnownDone(other.submitted)) {
      other.ensureMarked(other.submitted);
      make(queue, other, other.submitted);
    }
  }

  /** Has the driver make a stream wait for a point of another that was handed over. */
  private static void make(StreamQueue queue, StreamQueue other, long point, long sequence) {
    make(queue, other, point);
    queue.inherit(other.untold(point), sequence);
    if (other.engine != queue.engine) {
      queue.crosses(sequence, other, point);
    }
  }

  static void make(StreamQueue queue, StreamQueue other, long point) {
    if (other.completed >= point) {
      // Where time is modelled, it may be over for the host and not yet for the model.
      if (queue.driver.clock().isModelled() && other.marks.remembers(point)) {
        makeForMark(queue, other, point);
      }
      return;
    }
    other.engine.requireNotLost();
    other.ensureMarked(point);
    makeForMark(queue, other, point);
  }

  private static void makeForMark(StreamQueue queue, StreamQueue other, long point) {
    try {
      queue.driver.waitEvent(queue.handle, other.marks.event(other.marks.indexFor(point)));
    } catch (DriverException e) {
      throw queue.engine.raised(e, other.engine);
    }
  }

  /** A stream of another driver knows nothing of this one's events: the host passes the news on. */
  private static void enqueueForStranger(StreamQueue queue, StreamQueue other, long point) {
    Engine engine = queue.engine;
    queue.pendingWait(queue.issued + 1, other, point);
    long _ =
        queue.enqueueHolding(
            null,
            null,
            sequence -> {
              queue.hold("a wait for an event of another driver");
              engine.lock.awaitStranger(other.engine);
              engine.later(
                  () ->
                      other.whenReached(
                          point, () -> strangerArrived(queue, other, point, sequence)));
            });
  }

  private static void strangerArrived(
      StreamQueue queue, StreamQueue other, long point, long sequence) {
    Engine engine = queue.engine;
    List<Failures.Failed> failed = other.untold(point); // before this lock: it is under another
    synchronized (engine.lock) {
      queue.inherit(failed, sequence);
      if (other.engine.isLost()) {
        try {
          other.engine.requireNotLost();
        } catch (RuntimeException e) {
          queue.fail(sequence, e);
        }
      }
      queue.resume(sequence, false);
    }
    engine.lock.strangerArrived(other.engine);
  }
}
