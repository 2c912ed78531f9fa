package dev.stretto.route;

import org.jspecify.annotations.Nullable;

/**
 * A point of a stream that knows when it was reached, for recordings of many operations: the end of
 * one operation can be the beginning of the next. Each user gives it back.
 *
 * <p>A driver's event goes where the stream's last operation went. Behind a copy that is a copy
 * engine, where the event waits for the copies of all other streams in that direction, and the
 * stream's next operation waits for it, though it may need another engine. So the beginning of an
 * operation behind a copy is told by an event of a stream of its own, which happens at once.
 */
public final class Stamp {
  private final DeviceRuntime engine;
  private final StreamQueue queue;
  private final long sequence;
  private final long event;
  private final long hostNanos;

  /** The end of the operation before it, which may come later; null if this is no {@link #now}. */
  private final @Nullable Stamp before;

  private double nanos = Double.NaN;

  /** Guarded by this object. */
  private int users = 1;

  private Stamp(
      DeviceRuntime engine, StreamQueue queue, long sequence, long event, @Nullable Stamp before) {
    this.before = before;
    this.engine = engine;
    this.queue = queue;
    this.sequence = sequence;
    this.event = event;
    this.hostNanos = System.nanoTime();
  }

  /**
   * {@return the point of a stream after all that was enqueued} Unlike a {@link TimedMark} it is no
   * mark of the stream's progress: who awaits something does not await it.
   *
   * @throws dev.stretto.fault.ClosedException if the stream or the device is closed
   */
  public static Stamp record(OpenStream stream) {
    DeviceRuntime engine = stream.engine();
    StreamQueue queue = stream.queue();
    long event = engine.timedEvents().create();
    boolean isRecorded = false;
    try {
      long sequence = queue.stamp(event);
      isRecorded = true;
      return new Stamp(engine, queue, sequence, event, null);
    } finally {
      if (!isRecorded) {
        engine.timedEvents().giveBack(event);
      }
    }
  }

  /**
   * {@return now, or the end of the stream's last operation if that comes later} If a call of the
   * driver for the stream follows, its operation begins no more than a few microseconds later,
   * unless it waits for an engine.
   *
   * @param before that end, which {@link #hasOnlyMarksBehind}; this stamp gives it back
   * @throws dev.stretto.fault.ClosedException if the device is closed
   */
  public static Stamp now(Stamp before) {
    DeviceRuntime engine = before.engine;
    boolean isRecorded = false;
    try {
      Stamp now =
          new Stamp(engine, before.queue, before.sequence, engine.timedEvents().now(), before);
      isRecorded = true;
      return now;
    } finally {
      if (!isRecorded) {
        before.giveBack();
      }
    }
  }

  /** {@return when it was recorded, by {@link System#nanoTime()}} */
  public long hostNanos() {
    return hostNanos;
  }

  /** {@return the same stamp, for another user} */
  public synchronized Stamp share() {
    users++;
    return this;
  }

  /** Ends the use of one user. */
  public void giveBack() {
    synchronized (this) {
      if (--users > 0) {
        return;
      }
    }
    if (before != null) {
      before.giveBack();
    }
    if (Double.isNaN(nanos) && before != null) {
      engine.timedEvents().destroy(event);
    } else if (Double.isNaN(nanos)) {
      engine.timedEvents().giveBackAfter(queue, sequence, event);
    } else {
      engine.timedEvents().giveBack(event);
    }
  }

  /** {@return whether nothing was enqueued behind it, and nothing can be but by Stretto} */
  public boolean isLast() {
    return queue.isLast(sequence);
  }

  /** {@return whether it is with the driver, and nothing is behind it but marks} */
  public boolean hasOnlyMarksBehind() {
    return queue.hasOnlyMarksBehind(sequence);
  }

  /** {@return whether it was reached, on a device with a clock of its own} */
  public boolean isReached() {
    return queue.isWithDriver(sequence) && engine.timedEvents().hasHappened(event);
  }

  /** {@return whether it can have been reached} */
  public boolean isWithDriver() {
    return queue.isWithDriver(sequence);
  }

  /** {@return when it was reached, in the time of the model} */
  public long modelledNanos() {
    return engine.timedEvents().modelledNanos(event);
  }

  /** {@return whether the calling thread's time has come to it, in the time of the model} */
  public boolean hasPassed() {
    return engine.driver().clock().hasPassed(event);
  }

  /** {@return the stream on which it was recorded} */
  public StreamQueue queue() {
    return queue;
  }

  /** {@return the number of the last operation before it} */
  public long sequence() {
    return sequence;
  }

  /** {@return the driver's event} */
  public long event() {
    return event;
  }

  /**
   * {@return the nanoseconds to it from an event before it; not a number if it was not reached}
   *
   * @param event a driver's event of the same device, which is with the driver
   */
  public double nanosAfter(long event) {
    return engine.timedEvents().elapsedNanosIfOver(event, this.event);
  }

  /** {@return when it was reached, as it was noted; not a number if it was not} */
  public double nanos() {
    return nanos;
  }

  /** Notes when it was reached, so that its next user does not have to ask. */
  public void noteNanos(double reached) {
    Stamp earlier = before;
    // Not if that is not known.
    nanos = earlier != null && earlier.nanos > reached ? earlier.nanos : reached;
  }
}
