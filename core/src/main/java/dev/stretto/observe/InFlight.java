package dev.stretto.observe;

import dev.stretto.driver.HostClock;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.Loss;
import dev.stretto.route.StreamQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a device's work is not done, for who wants to know without taking part: nothing advances
 * by being asked, not even modelled time.
 */
final class InFlight {
  private InFlight() {}

  /** Whether anything of a device is. */
  static boolean any(DeviceRuntime engine) {
    return count(engine.streams().queues(), null) > 0;
  }

  /** Whether anything of a stream's device is that is on other streams. */
  static boolean besides(StreamQueue queue) {
    return count(queue.streamsOfDevice(), queue) > 0;
  }

  /** On how many streams of a device something is. */
  static int streams(DeviceRuntime engine) {
    return count(engine.streams().queues(), null);
  }

  /** Whether anything of a stream is. */
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
      return true; // the device is lost: whoever awaits it is told
    } finally {
      clock.set(now);
    }
  }

  /**
   * Whether an operation is known to be done, and was by the calling thread's time where that is
   * modelled: how fast a model computes says nothing about the program.
   */
  static boolean isKnownDone(StreamQueue queue, long sequence) {
    HostClock clock = queue.device().driver().clock();
    if (!queue.isKnownDone(sequence)) {
      return false;
    }
    try {
      return !clock.isModelled() || queue.doneNanos(sequence) <= clock.now();
    } catch (RuntimeException e) {
      Loss.kept(e);
      return true; // the device is lost: whoever awaits it is told
    }
  }

  private static boolean isDone(StreamQueue queue, long sequence) {
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
