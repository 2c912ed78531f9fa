package dev.stretto.observe;

import dev.stretto.driver.HostClock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Loss;
import dev.stretto.route.StreamQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Queries which work of a device is in flight, without side effects: a query advances nothing, not
 * even modelled time.
 */
final class InFlight {
  private InFlight() {}

  /** Whether a device has work in flight. */
  static boolean any(DeviceRuntime engine) {
    return count(engine.streams().queues(), null) > 0;
  }

  /** Whether other streams of a stream's device have work in flight. */
  static boolean besides(StreamQueue queue) {
    return count(queue.streamsOfDevice(), queue) > 0;
  }

  /** The number of a device's streams that have work in flight. */
  static int streams(DeviceRuntime engine) {
    return count(engine.streams().queues(), null);
  }

  /** Whether a stream has work in flight. */
  static boolean on(StreamQueue queue) {
    return !isDone(queue, queue.lastIssued());
  }

  /** Whether a point of a stream is reached. */
  static boolean isReached(StreamQueue queue, long sequence) {
    HostClock clock = queue.device().driver().clock();
    long now = clock.now();
    try {
      return queue.isSeenDone(sequence) && queue.hasArrived(sequence);
    } catch (RuntimeException e) {
      Loss.kept(e);
      return true; // the device is lost, which awaiting the operation reports
    } finally {
      clock.set(now);
    }
  }

  /**
   * Whether an operation is known to be done. If time is modelled, it must have been done by the
   * calling thread's modelled time, because the speed of the simulation says nothing about the
   * program.
   */
  static boolean isKnownDone(StreamQueue queue, long sequence) {
    if (!queue.isKnownDone(sequence)) {
      return false;
    }
    try {
      return queue.hasPassed(sequence);
    } catch (RuntimeException e) {
      Loss.kept(e);
      return true; // the device is lost, which awaiting the operation reports
    }
  }

  /** Whether an operation is done, as far as a mark or an idle stream tells. */
  static boolean isDone(StreamQueue queue, long sequence) {
    if (queue.isKnownDone(sequence)) {
      return true;
    }
    HostClock clock = queue.device().driver().clock();
    long now = clock.now();
    try {
      return queue.isSeenDone(sequence);
    } catch (RuntimeException e) {
      Loss.kept(e);
      return true;
    } finally {
      clock.set(now);
    }
  }

  private static int count(List<StreamQueue> queues, @Nullable StreamQueue but) {
    int busy = 0;
    for (StreamQueue queue : queues) {
      if (!queue.equals(but) && on(queue)) {
        busy++;
      }
    }
    return busy;
  }
}
