package dev.stretto.route;

import dev.stretto.fault.ClosedException;
import java.lang.ref.Cleaner;
import java.util.OptionalLong;

/**
 * A point of a stream that knows when it was reached: a driver's event. It is given back when it is
 * closed or collected.
 */
public final class TimedMark implements AutoCloseable {
  private static final Cleaner CLEANER = Cleaner.create();

  private final OpenStream stream;
  private final long sequence;
  private final long handle;
  private final Cleaner.Cleanable cleanable;
  private volatile boolean open = true;

  /**
   * A mark.
   *
   * @param destroy gives the driver's event back; must not refer to the mark
   */
  TimedMark(OpenStream stream, long sequence, long handle, Runnable destroy) {
    this.stream = stream;
    this.sequence = sequence;
    this.handle = handle;
    this.cleanable = CLEANER.register(this, destroy);
  }

  private record Destroy(TimedEvents events, StreamQueue queue, long sequence, long handle)
      implements Runnable {
    @Override
    public void run() {
      events.destroyAfter(queue, sequence, handle);
    }
  }

  static TimedMark record(OpenStream stream) {
    TimedEvents events = stream.engine().timedEvents();
    long event = events.create();
    long sequence;
    try {
      sequence = stream.queue().record(event);
    } catch (RuntimeException e) {
      events.destroy(event);
      throw e;
    }
    return new TimedMark(
        stream, sequence, event, new Destroy(events, stream.queue(), sequence, event));
  }

  /** {@return the stream on which it was recorded} */
  public OpenStream stream() {
    return stream;
  }

  /** {@return the number of the last operation before it} */
  public long sequence() {
    return sequence;
  }

  /**
   * {@return when it is reached, in the time of the model; nothing on a device with a clock of its
   * own}
   *
   * @throws ClosedException if it is closed
   * @throws IllegalStateException if the driver has not recorded it yet
   */
  public OptionalLong modelledNanos() {
    if (!stream.engine().driver().clock().isModelled()) {
      return OptionalLong.empty();
    }
    if (!open) {
      throw new ClosedException(this + " is closed: it no longer knows when it happened");
    }
    if (!stream.queue().isWithDriver(sequence)) {
      throw new IllegalStateException(
          this + " is held back: what comes before it has not reached the driver yet");
    }
    return OptionalLong.of(stream.engine().timedEvents().modelledNanos(handle));
  }

  /** {@return whether it was not closed} */
  public boolean isOpen() {
    return open;
  }

  /**
   * {@return the driver's handle, for other libraries}
   *
   * @throws ClosedException if it is closed
   * @throws IllegalStateException if the driver has not recorded it yet
   */
  public long handle() {
    if (!open) {
      throw new ClosedException(this + " is closed: its handle is no longer valid");
    }
    if (!stream.queue().isWithDriver(sequence)) {
      throw new IllegalStateException(
          this
              + " is held back, so that the driver has not recorded it yet: have the other"
              + " library's stream wait by device.adoptStream(handle).waitFor(event) later, or"
              + " await what comes before");
    }
    stream.queue().heard(sequence); // as far as we know: the other library may await it
    return handle;
  }

  /**
   * {@return the nanoseconds from here to another mark, negative if that was reached before} Both
   * were reached.
   *
   * @throws IllegalArgumentException if the two are of two devices
   */
  public double nanosTo(TimedMark end) {
    if (stream.engine() != end.stream.engine()) {
      throw new IllegalArgumentException(
          this + " and " + end + " are of two devices, whose clocks cannot be compared");
    }
    return stream.engine().timedEvents().elapsedNanos(handle, end.handle);
  }

  /** Gives the driver's event back. Closing it again has no further effect. */
  @Override
  public void close() {
    open = false;
    cleanable.clean();
  }

  @Override
  public String toString() {
    return "event " + sequence + " of " + stream;
  }
}
