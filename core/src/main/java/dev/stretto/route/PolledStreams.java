package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.settings.Settings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The queues of one device on which somebody waits. The poller polls each of them, and after each
 * round lets one of them hand over some of the operations that it has held back; that one then goes
 * to the end of the list. Guarded by the driver's lock.
 */
final class PolledStreams {
  /** How long streams may fail to report their progress before the device counts as lost. */
  private static final long PATIENCE_NANOS =
      TimeUnit.MILLISECONDS.toNanos(Settings.PATIENCE_MILLIS.value());

  /** The same in attempts, for a seeded device, where no time passes. */
  private static final int MOST_TROUBLES = 1000;

  /** How often in a row held-back operations make way for completions. */
  private static final int MOST_PUT_OFF = 3;

  private final DeviceState device;

  /** Wakes the polling thread. */
  private final Runnable wake;

  private final LinkedHashSet<StreamQueue> queues = new LinkedHashSet<>();

  /** The same queues; null after a change. Most rounds then take the lock once for each queue. */
  private volatile @Nullable List<StreamQueue> snapshot = List.of();

  /** Whether a poll since the last handover has met a queue that holds operations back. */
  private boolean anyFull;

  private int troubles;
  private long troubledSince;
  private int putOff;

  PolledStreams(DeviceState device, Runnable wake) {
    this.device = device;
    this.wake = wake;
  }

  /** Has a queue polled until nothing waits on it, unless the device is lost. */
  void watch(StreamQueue queue) {
    if (!device.isUsable()) {
      return;
    }
    if (queues.add(queue)) {
      snapshot = null;
      wake.run();
    }
    Stepper stepper = device.stepper();
    if (stepper != null) {
      stepper.lookSoon(queue);
    }
  }

  /**
   * Abandons everything that waits on a queue, after the device was lost. A queue may be here that
   * is not among the device's any more: its stream was closed when all was done, and those who wait
   * would have been told in the next round.
   */
  void abandon(List<Runnable> due) {
    queues.forEach(queue -> queue.handover.abandon(due));
    clear();
  }

  private void clear() {
    queues.forEach(this::lookNoMore);
    queues.clear();
    snapshot = null;
  }

  private void lookNoMore(StreamQueue queue) {
    Stepper stepper = device.stepper();
    if (stepper != null) {
      stepper.lookNoMore(queue);
    }
  }

  /** {@return a snapshot of the queues to poll} */
  List<StreamQueue> all() {
    List<StreamQueue> known = snapshot;
    if (known == null) {
      synchronized (device.lock) {
        known = List.copyOf(queues);
        snapshot = known;
      }
    }
    return known;
  }

  /** {@return whether there is any queue to poll} */
  boolean isAny() {
    return !all().isEmpty();
  }

  /**
   * Polls a queue, if it is still in the list, and collects the actions that are due.
   *
   * @return whether it has to be polled again even if nothing new happens on it
   */
  boolean look(StreamQueue queue, List<Runnable> due) {
    synchronized (device.lock) {
      if (!queues.contains(queue)) {
        return false;
      }
      try {
        if (!queue.handover.advance(due)) {
          queues.remove(queue);
          snapshot = null;
          lookNoMore(queue);
        }
        anyFull |= queue.handover.isDriverFull();
        troubles = 0;
        return queue.completion.lacksMark();
      } catch (Throwable e) { // even an Error: otherwise waiting threads would never be woken
        trouble(queue, e);
        return device.isUsable();
      }
    }
  }

  /**
   * Lets one of the queues hand over some of the operations that it has held back; the others
   * follow after later polls. If a completion was reported just now, more may be about to come.
   * Then the handover is put off, but not for ever, and not if the device may soon run out of work.
   *
   * @param told whether a completion was reported since the last call
   * @return whether there was such a queue
   */
  boolean handOver(boolean told) {
    if (device.driver().clock().isModelled() || !anyFull) {
      return false; // with modelled time, each poll hands everything over
    }
    anyFull = false;
    synchronized (device.lock) {
      putOff = told ? putOff + 1 : 0;
      boolean hurriedOnly = putOff % (MOST_PUT_OFF + 1) != 0;
      for (StreamQueue queue : queues) {
        if (hurriedOnly ? queue.handover.isHurried() : queue.handover.isDueToGoOn()) {
          handOver(queue);
          return true; // the iteration ends here because the order of the queues has changed
        }
      }
      return false;
    }
  }

  private void handOver(StreamQueue queue) {
    try {
      if (queues.remove(queue)) {
        snapshot = null;
        queues.add(queue); // at the end of the list
      }
      queue.handover.handOverSome();
    } catch (Throwable e) {
      trouble(queue, e);
    }
  }

  /**
   * Handles a stream that failed to report its progress. It is asked again for {@link
   * #PATIENCE_NANOS}; after that the device counts as lost, so that no thread waits for ever.
   */
  private void trouble(StreamQueue queue, Throwable e) {
    Loss.kept(e);
    if (!device.isUsable()) {
      clear(); // raised() has woken all waiting threads
      return;
    }
    long now = System.nanoTime();
    if (troubles == 0) {
      troubledSince = now;
      queue.failures.add(queue.lastIssued(), failure(queue, e), Failures.Sort.WATCH);
    }
    troubles++;
    boolean goneOnTooLong =
        device.cooperation() != null
            ? troubles > MOST_TROUBLES // no time passes there
            : now - troubledSince > PATIENCE_NANOS;
    if (goneOnTooLong) {
      int code = e instanceof DriverException driverException ? driverException.code() : 0;
      DriverException _ =
          device.lose(
              new DriverException(
                  DriverException.Kind.LOST,
                  code,
                  "it has not reported any progress for %d s, in %d attempts: %s"
                      .formatted((now - troubledSince) / 1_000_000_000, troubles, e.getMessage())));
    }
  }

  /** {@return whether the last poll failed, so that the next one need not come soon} */
  boolean isTroubled() {
    synchronized (device.lock) {
      return troubles > 0;
    }
  }

  private static RuntimeException failure(StreamQueue queue, Throwable e) {
    return e instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(queue.fullTitle() + " could not report its progress: " + e, e);
  }
}
