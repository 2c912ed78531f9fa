package dev.stretto.route;

import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The timed driver events of one device. Those that are given back after they have happened are
 * used again, since the driver takes longer to create one than to record it.
 */
public final class TimedEvents {
  private static final int MOST_SPARE = 1 << 12;
  private static final int NOT_READY = 600;

  private final DeviceState device;

  private final Set<Long> existing = ConcurrentHashMap.newKeySet();

  /**
   * A thread that asks the driver for an event's time holds the read lock; one that destroys an
   * event holds the write lock. So no event goes while it is asked for. Threads that create events
   * and give them back need neither: a thread that enqueues does not wait for one that reads. Taken
   * after the device's lock, if both are.
   */
  private final ReentrantReadWriteLock lives = new ReentrantReadWriteLock();

  /** Guards the events to spare. No driver is called under it. */
  private final Object lock = new Object();

  private long[] spare = new long[64];
  private int spares;

  /** A stream on which nothing but {@link #now} is recorded. Guarded by the device's lock. */
  private OptionalLong clock = OptionalLong.empty();

  TimedEvents(DeviceState device) {
    this.device = device;
  }

  /** {@return an event; {@link #destroy} or {@link #giveBack} gives it back} */
  public long create() {
    synchronized (lock) {
      if (spares > 0) {
        return spare[--spares];
      }
    }
    synchronized (device.lock) {
      device.requireUsable();
      try {
        long event = device.driver().createEvent(true);
        existing.add(event);
        return event;
      } catch (DriverException e) {
        throw device.raised(e);
      }
    }
  }

  /**
   * {@return an event that happens at once, whatever the device's streams do} {@link #destroy} or
   * {@link #giveBack} gives it back.
   */
  long now() {
    long event = create();
    boolean isRecorded = false;
    synchronized (device.lock) {
      try {
        device.requireUsable();
        if (clock.isEmpty()) {
          clock = OptionalLong.of(device.driver().createStream(0));
        }
        device.driver().recordEvent(event, clock.getAsLong());
        isRecorded = true;
        return event;
      } catch (DriverException e) {
        throw device.raised(e);
      } finally {
        if (!isRecorded) {
          giveBack(event);
        }
      }
    }
  }

  /**
   * Destroys an event. Remaining events are destroyed with the device.
   *
   * @param event an event of {@link #create}
   */
  public void destroy(long event) {
    synchronized (device.lock) {
      lives.writeLock().lock();
      try {
        if (existing.remove(event) && device.isUsable()) {
          device.driver().destroyEvent(event);
        }
      } catch (DriverException e) {
        device.report("an event could not be released", e);
      } finally {
        lives.writeLock().unlock();
      }
    }
  }

  /**
   * Gives an event back that has happened, and that only Stretto knows.
   *
   * @param event an event of {@link #create}
   */
  void giveBack(long event) {
    synchronized (lock) {
      if (spares < MOST_SPARE && existing.contains(event)) {
        if (spares == spare.length) {
          spare = Arrays.copyOf(spare, 2 * spares);
        }
        spare[spares++] = event;
        return;
      }
    }
    destroy(event);
  }

  /**
   * Destroys an event once it has been recorded.
   *
   * @param queue the stream that records it
   * @param sequence the number of the operation that records it
   * @param event an event of {@link #create}
   */
  public void destroyAfter(StreamQueue queue, long sequence, long event) {
    synchronized (device.lock) {
      if (queue.completion.isHandedOver(sequence) || !device.isUsable()) {
        destroy(event);
      } else {
        queue.completion.whenHandedOver(sequence, () -> destroy(event));
      }
    }
  }

  /**
   * Gives an event back if it has happened, and destroys it once it has been recorded otherwise.
   */
  void giveBackAfter(StreamQueue queue, long sequence, long event) {
    if (queue.isKnownDone(sequence)) {
      giveBack(event);
    } else {
      destroyAfter(queue, sequence, event);
    }
  }

  void destroyAll() {
    synchronized (device.lock) {
      synchronized (lock) {
        spares = 0;
      }
      List.copyOf(existing).forEach(this::destroy);
      if (clock.isPresent() && device.isUsable()) {
        try {
          device.driver().destroyStream(clock.getAsLong());
        } catch (DriverException e) {
          device.report("a stream could not be released", e);
        }
      }
      clock = OptionalLong.empty();
    }
  }

  /**
   * {@return when an event that was recorded happens, in the time of the model}
   *
   * @param event an event of {@link #create}
   * @throws ClosedException if it was destroyed
   */
  long modelledNanos(long event) {
    synchronized (device.lock) {
      device.requireUsable();
      if (!existing.contains(event)) {
        throw new ClosedException("the event is closed: it no longer knows when it happened");
      }
      try {
        return device.driver().eventNanos(event);
      } catch (DriverException e) {
        throw device.raised(e);
      }
    }
  }

  /**
   * {@return the time from one event to another in nanoseconds} Without the device's lock, so that
   * whoever reads many of them holds nobody up.
   *
   * @param start the earlier event
   * @param end the later event
   * @throws ClosedException if one of them was destroyed
   */
  public double elapsedNanos(long start, long end) {
    device.requireUsable();
    try {
      return elapsed(start, end);
    } catch (DriverException e) {
      throw raised(e);
    }
  }

  /**
   * {@return as {@link #elapsedNanos}; not a number if the later event has not happened yet} A
   * driver tells this in a tenth of the time that it takes to tell whether an event has happened,
   * and holds up no thread that enqueues.
   */
  double elapsedNanosIfOver(long start, long end) {
    device.requireUsable();
    try {
      return elapsed(start, end);
    } catch (DriverException e) {
      if (e.code() == NOT_READY) {
        return Double.NaN;
      }
      throw raised(e);
    }
  }

  private double elapsed(long start, long end) {
    lives.readLock().lock();
    try {
      if (!existing.contains(start) || !existing.contains(end)) {
        throw new ClosedException(
            "one of the two events is closed: it no longer knows when it happened");
      }
      return device.driver().elapsedNanos(start, end);
    } finally {
      lives.readLock().unlock();
    }
  }

  /** {@return whether an event that was recorded has happened} Without the device's lock, too. */
  boolean hasHappened(long event) {
    device.requireUsable();
    try {
      return isOver(event);
    } catch (DriverException e) {
      throw raised(e); // takes the device's lock, so it must not be called under the other one
    }
  }

  private boolean isOver(long event) {
    lives.readLock().lock();
    try {
      return !existing.contains(event) || device.driver().isDone(event);
    } finally {
      lives.readLock().unlock();
    }
  }

  private RuntimeException raised(DriverException e) {
    synchronized (device.lock) {
      return device.raised(e);
    }
  }
}
