package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.settings.Settings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The queues of one device on which somebody waits for something: the watch looks at each, and when
 * all were looked at has one of them hand over some of what it has held back. Those whose turn that
 * was go behind the others. Guarded by the engine's lock.
 */
final class Watched {
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

  private final Engine engine;
  private final LinkedHashSet<StreamQueue> queues = new LinkedHashSet<>();
  private int troubles;
  private long troubledSince;
  private int putOff;

  Watched(Engine engine) {
    this.engine = engine;
  }

  /** {@return whether the queue was not there before} None is added of a device that is lost. */
  boolean add(StreamQueue queue) {
    return engine.isUsable() && queues.add(queue);
  }

  void clear() {
    queues.forEach(engine.watch()::lookNoMore);
    queues.clear();
  }

  /** {@return the queues to look at, as they are now} */
  List<StreamQueue> all() {
    synchronized (engine.lock) {
      return List.copyOf(queues);
    }
  }

  /** {@return whether there is any queue to look at} */
  boolean isAny() {
    synchronized (engine.lock) {
      return !queues.isEmpty();
    }
  }

  /**
   * Looks at a queue, if it is still here, and collects what is due.
   *
   * @return whether it is worth another look though nothing new happens on it
   */
  boolean look(StreamQueue queue, List<Runnable> due) {
    synchronized (engine.lock) {
      if (!queues.contains(queue)) {
        return false;
      }
      try {
        if (!queue.advance(due)) {
          queues.remove(queue);
          engine.watch().lookNoMore(queue);
        }
        troubles = 0;
        return queue.unmarked;
      } catch (Throwable e) { // an Error too: whoever waits would never be woken
        trouble(queue, e);
        return engine.isUsable();
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
    if (engine.driver().clock().isModelled()) {
      return false; // a look hands over all, there
    }
    synchronized (engine.lock) {
      putOff = told ? putOff + 1 : 0;
      boolean hurriedOnly = putOff % (MOST_PUT_OFF + 1) != 0;
      for (StreamQueue queue : queues) {
        if (hurriedOnly ? queue.isHurried() : queue.isDueToGoOn()) {
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
      queue.handOverSome();
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
    if (!engine.isUsable()) {
      clear(); // raised() has woken everyone
      return;
    }
    long now = System.nanoTime();
    if (troubles == 0) {
      troubledSince = now;
      queue.fail(queue.lastIssued(), failure(queue, e), Failures.Sort.WATCH);
    }
    troubles++;
    boolean goneOnTooLong =
        engine.cooperation() != null
            ? troubles > MOST_TROUBLES // no time passes there
            : now - troubledSince > PATIENCE_NANOS;
    if (goneOnTooLong) {
      int code = e instanceof DriverException driverException ? driverException.code() : 0;
      DriverException _ =
          engine.lose(
              new DriverException(
                  DriverException.Kind.LOST,
                  code,
                  "it has not reported any progress for %d s, in %d attempts: %s"
                      .formatted((now - troubledSince) / 1_000_000_000, troubles, e.getMessage())));
    }
  }

  /** {@return whether the last look failed, so that the next one need not come soon} */
  boolean isTroubled() {
    synchronized (engine.lock) {
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
