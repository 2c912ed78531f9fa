package dev.stretto.route;

import dev.stretto.fault.ClosedException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One opening of a stream. A default or adopted stream can be open several times; each opening is
 * closed by itself, and all of them share the queue.
 */
public class OpenStream {
  private final DeviceRuntime engine;
  private final StreamQueue queue;
  private final AtomicBoolean closed = new AtomicBoolean();

  /**
   * An opening.
   *
   * @param engine the opening of the device through which the stream was opened
   * @param queue what is enqueued
   */
  public OpenStream(DeviceRuntime engine, StreamQueue queue) {
    this.engine = engine;
    this.queue = queue;
  }

  /** {@return the opening of the device through which the stream was opened} */
  public final DeviceRuntime engine() {
    return engine;
  }

  /** {@return what is enqueued} */
  public final StreamQueue queue() {
    return queue;
  }

  /** {@return whether more can be enqueued} */
  public final boolean isOpen() {
    return !closed.get() && queue.isOpen() && !engine.isClosed();
  }

  /**
   * Refuses what the calling thread cannot enqueue.
   *
   * @throws ClosedException if this opening is closed
   * @throws IllegalStateException if the stream belongs to another thread
   */
  public final void requireUsable() {
    if (closed.get()) {
      throw new ClosedException("the stream is closed: nothing more can be enqueued on " + this);
    }
    Thread owner = queue.owner();
    if (owner != null && !owner.equals(Thread.currentThread())) {
      throw new IllegalStateException(
          this + " belongs to " + owner + " and cannot be used by " + Thread.currentThread());
    }
  }

  /**
   * Records an event that knows its time.
   *
   * @throws ClosedException if this opening or the device is closed
   */
  public final TimedMark recordTimed() {
    requireUsable();
    return TimedMark.record(this);
  }

  /** Ends this opening. What was enqueued still happens. Does not block. */
  public final void leave() {
    if (closed.compareAndSet(false, true)) {
      engine.streams().leave(queue);
    }
  }

  @Override
  public final String toString() {
    return queue.fullTitle();
  }
}
