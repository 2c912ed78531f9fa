package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.settings.Settings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The queues of one device on which somebody waits for something: the watch looks at each, and when
 * all were looked at has one of them hand over some of what it has held back. Those whose turn that
 * was go behind the others. Guarded by the driver's lock.
 */
final class PolledStreams {
  /**
   * For how long streams can be impossible to ask how far they are, before the device counts as
   * lost.
   */
  private static final long PATIENCE_NANOS =
      TimeUnit.MILLISECONDS.toNanos(Settings.PATIENCE_MILLIS.value());

  /** The same in attempts, on a seeded device, where no time passes. */
  private static final int MOST_TROUBLES = 1000;

  /** How often in a row operations that are held back make way for completions that are told. */
  private static final int MOST_PUT_OFF = 3;

  private final DeviceState device;

  /** Has the thread that watches look again. */
  private final Runnable wake;

  private final LinkedHashSet<StreamQueue> queues = new LinkedHashSet<>();
  private int troubles;
  private long troubledSince;
  private int putOff;

  PolledStreams(DeviceState device, Runnable wake) {
    this.device = device;
    this.wake = wake;
  }

  /** Has a queue looked at until nothing waits for it, unless the device is lost. */
  void watch(StreamQueue queue) {
    if (!device.isUsable()) {
      return;
    }
    if (queues.add(queue)) {
      wake.run();
    }
    Stepper stepper = device.stepper();
    if (stepper != null) {
      stepper.lookSoon(queue);
    }
  }

  void clear() {
    queues.forEach(this::lookNoMore);
    queues.clear();
  }

  private void lookNoMore(StreamQueue queue) {
    Stepper stepper = device.stepper();
    if (stepper != null) {
      stepper.lookNoMore(queue);
    }
  }

  /** {@return the queues to look at, as they are now} */
  List<StreamQueue> all() {
    synchronized (device.lock) {
      return List.copyOf(queues);
    }
  }

  /** {@return whether there is any queue to look at} */
  boolean isAny() {
    synchronized (device.lock) {
      return !queues.isEmpty();
    }
  }

  /**
   * Looks at a queue, if it is still here, and collects what is due.
   *
   * @return whether it is worth another look though nothing new happens on it
   */
  boolean look(StreamQueue queue, List<Runnable> due) {
    synchronized (device.lock) {
      if (!queues.contains(queue)) {
        return false;
      }
      try {
        if (!queue.handover.advance(due)) {
          queues.remove(queue);
          lookNoMore(queue);
        }
        troubles = 0;
        return queue.completion.lacksMark();
      } catch (Throwable e) { // an Error too: whoever waits would never be woken
        trouble(queue, e);
        return device.isUsable();
      }
    }
  }

  /**
   * Has one of the queues hand over some of what it has held back; the others' turns come after
   * later looks. Where somebody was told of a completion just now, more may be about to come, and
   * it is put off, but not for ever, and not if the device may soon be done with all that it has.
   *
   * @param told whether somebody was told of a completion since the last call
   * @return whether there was such a queue
   */
  boolean handOver(boolean told) {
    if (device.driver().clock().isModelled()) {
      return false; // a look hands over all, there
    }
    synchronized (device.lock) {
      putOff = told ? putOff + 1 : 0;
      boolean hurriedOnly = putOff % (MOST_PUT_OFF + 1) != 0;
      for (StreamQueue queue : queues) {
        if (hurriedOnly ? queue.handover.isHurried() : queue.handover.isDueToGoOn()) {
          handOver(queue);
          return true; // the queues are not gone through any further, now that their order changed
        }
      }
      return false;
    }
  }

  private void handOver(StreamQueue queue) {
    try {
      if (queues.remove(queue)) {
        queues.add(queue); // behind the others
      }
      queue.handover.handOverSome();
    } catch (Throwable e) {
      trouble(queue, e);
    }
  }

  /**
   * A stream cannot say how far it is. That is tried again, for {@link #PATIENCE_NANOS}: whatever
   * it is, those who wait must not wait for ever.
   */
  private void trouble(StreamQueue queue, Throwable e) {
    Loss.kept(e);
    if (!device.isUsable()) {
      clear(); // raised() has woken everyone
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

  /** {@return whether the last look failed, so that the next one need not come soon} */
  boolean isTroubled() {
    synchronized (device.lock) {
      return troubles > 0;
    }
  }

  private static RuntimeException failure(StreamQueue queue, Throwable e) {
    return e instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(
            queue.fullTitle() + " could not be asked how far it is: " + e, e);
  }
}
