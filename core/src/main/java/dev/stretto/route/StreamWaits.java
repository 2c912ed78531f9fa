package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.RouteException;
import dev.stretto.order.Order;
import dev.stretto.order.StreamClock;
import java.util.List;

/**
 * How one stream waits for another. If both belong to one driver, the driver makes the wait;
 * otherwise the host does.
 */
public final class StreamWaits {
  private StreamWaits() {}

  /**
   * Makes all later operations of a stream wait for a point of another.
   *
   * @param queue the stream that waits
   * @param other the stream that it waits for
   * @param point the point's sequence number
   */
  public static void enqueue(StreamQueue queue, StreamQueue other, long point) {
    if (other == queue) {
      synchronized (queue.device.lock) {
        queue.handover.requireOpen();
      }
      return;
    }
    // Asked before this queue's lock is taken, because the other driver's lock may not be taken
    // while it is held.
    List<Arrival> arriving = other.completion.arrivingBefore(point);
    long nanos = other.completion.arrivalNanos(point);
    List<Failures.Failed> failed = other.failures.untold(point);
    boolean kin = other.device.lock == queue.device.lock;
    enqueue(queue, other, point, arriving, failed, nanos, kin);
    queue.processWaits.inherit(other.processWaits, point, queue.lastIssued());
    noteOrder(queue, other, point);
    if (other.toHost.owes()) {
      queue.toHost.waitsFor(queue.lastIssued(), other.toHost, point);
    }
  }

  /** An event of this stream that is recorded from now on is another one than before the wait. */
  private static void noteOrder(StreamQueue queue, StreamQueue other, long point) {
    StreamClock clock = queue.clock;
    if (clock == null) {
      return;
    }
    Order order = Order.ofProcess();
    long sequence = queue.handover.enqueue(null, null, false, () -> {});
    StreamClock waitedFor = other.clock;
    if (waitedFor == null) {
      order.waitsForStranger(clock, sequence);
    } else {
      order.waits(clock, sequence, waitedFor, point);
    }
  }

  private static void enqueue(
      StreamQueue queue,
      StreamQueue other,
      long point,
      List<Arrival> arriving,
      List<Failures.Failed> failed,
      long nanos,
      boolean kin) {
    synchronized (queue.device.lock) {
      queue.handover.requireOpen();
      queue.arrivals.note(queue.completion.issued() + 1, nanos);
      boolean timeCounts = queue.driver.clock().isModelled() && kin;
      if (!timeCounts && other.completion.isKnownDone(point) && (arriving.isEmpty() || kin)) {
        queue.failures.inherit(failed, queue.completion.issued() + 1);
        if (!arriving.isEmpty()) {
          alsoArriving(queue, arriving);
          queue.handover.enqueue(null, null, false, () -> {});
        }
        return;
      }
      if (!queue.deferrable && (!kin || !other.completion.isHandedOver(point))) {
        throw new RouteException(
            queue.describeForeign()
                + " cannot wait for an event that is still held back by a staged copy or a"
                + " callback, or that belongs to another driver: await the event, or use"
                + " device.stream()");
      }
      if (!kin) {
        enqueueForStranger(queue, other, point);
        return;
      }
      alsoArriving(queue, arriving);
      long sequence = queue.handover.begin(null, null);
      if (queue.handover.isDirect() && other.completion.isHandedOver(point)) {
        try {
          queue.handover.markCopies();
          make(queue, other, point, sequence);
        } finally {
          queue.handover.handedOver(sequence, false);
        }
        return;
      }
      queue.pendingWait(sequence, other, point);
      queue.handover.submitOrDefer(
          sequence,
          false,
          () -> {
            if (other.completion.isHandedOver(point)) {
              make(queue, other, point, sequence);
            } else {
              queue.handover.hold("a wait for an event that was not recorded");
              other.completion.whenHandedOver(
                  point, () -> handedOver(queue, other, point, sequence));
            }
          });
    }
  }

  /** Makes this stream also wait for copies that are to arrive in host memory for the other one. */
  private static void alsoArriving(StreamQueue queue, List<Arrival> arriving) {
    if (!arriving.isEmpty()) {
      long next = queue.completion.issued() + 1;
      for (Arrival arrival : arriving) {
        queue.arrivals.add(arrival, next);
        arrival.passFailureTo(queue.failures, next);
      }
    }
  }

  /** Notes that the awaited point has been handed to the driver. */
  private static void handedOver(StreamQueue queue, StreamQueue other, long point, long sequence) {
    synchronized (queue.device.lock) {
      try {
        if (queue.device.isUsable()) {
          make(queue, other, point, sequence);
        }
      } catch (RuntimeException e) {
        queue.failures.add(sequence, e);
      } finally {
        queue.handover.resume(sequence, false);
      }
    }
  }

  /** Makes the driver's stream wait for everything that another stream of the driver holds. */
  static void makeForAll(StreamQueue queue, StreamQueue other) {
    queue.handover.markCopies();
    long last = other.completion.submitted();
    if (!other.completion.isKnownDone(last)) {
      other.completion.ensureMarked(last);
      make(queue, other.completion, last);
    }
  }

  /** Makes the driver's stream wait for a point of another one that was handed over. */
  private static void make(StreamQueue queue, StreamQueue other, long point, long sequence) {
    make(queue, other.completion, point);
    queue.failures.inherit(other.failures.untold(point), sequence);
    if (other.device != queue.device) {
      queue.completion.crosses(sequence, other.completion, point);
    }
  }

  /** Makes the driver's stream wait for a point of another one that was handed over. */
  static void make(StreamQueue queue, Completion other, long point) {
    if (other.completed() >= point) {
      // If time is modelled, the point may be over for the host but not yet for the model.
      if (queue.driver.clock().isModelled() && other.remembers(point)) {
        makeForMark(queue, other, point);
      }
      return;
    }
    other.device().requireNotLost();
    other.ensureMarked(point);
    makeForMark(queue, other, point);
  }

  private static void makeForMark(StreamQueue queue, Completion other, long point) {
    try {
      queue.driver.waitEvent(queue.handle, other.eventOf(point));
    } catch (DriverException e) {
      throw queue.device.raised(e, other.device());
    }
  }

  /** Drivers know nothing about each other's events, so the host makes the wait. */
  private static void enqueueForStranger(StreamQueue queue, StreamQueue other, long point) {
    DeviceState device = queue.device;
    queue.pendingWait(queue.completion.issued() + 1, other, point);
    long _ =
        queue.handover.enqueueHolding(
            null,
            null,
            sequence -> {
              queue.handover.hold("a wait for an event of another driver");
              device.lock.awaitStranger(other.device.stepsOfStranger());
              device.later(
                  () ->
                      other.completion.whenReached(
                          point, () -> strangerArrived(queue, other, point, sequence)));
            });
  }

  private static void strangerArrived(
      StreamQueue queue, StreamQueue other, long point, long sequence) {
    DeviceState device = queue.device;
    List<Failures.Failed> failed =
        other.failures.untold(
            point); // before this lock is taken, because these are guarded by another one
    synchronized (device.lock) {
      queue.failures.inherit(failed, sequence);
      if (other.device.isLost()) {
        try {
          other.device.requireNotLost();
        } catch (RuntimeException e) {
          queue.failures.add(sequence, e);
        }
      }
      queue.handover.resume(sequence, false);
    }
    device.lock.strangerArrived(other.device.stepsOfStranger());
  }
}
