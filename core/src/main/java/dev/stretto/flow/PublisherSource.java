package dev.stretto.flow;

import dev.stretto.driver.HostBytes;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.Flow.Publisher;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that a publisher delivers. A few buffers are requested ahead, and another one for each
 * that was read.
 */
final class PublisherSource implements Source, Subscriber<ByteBuffer> {
  /** How many buffers are requested and not yet read at a time. */
  static final int AHEAD = 4;

  private final Publisher<? extends ByteBuffer> publisher;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<ByteBuffer> arrived = new ArrayDeque<>();
  private @Nullable Subscription subscription;
  private @Nullable Throwable failure;
  private boolean subscribed;
  private boolean complete;
  private boolean closed;

  /**
   * @param publisher the first read subscribes to it
   */
  PublisherSource(Publisher<? extends ByteBuffer> publisher) {
    this.publisher = publisher;
  }

  @Override
  public long size() {
    return -1;
  }

  @Override
  public boolean isPositional() {
    return false;
  }

  @Override
  public long read(long position, MemorySegment into) {
    Objects.requireNonNull(into, "into");
    subscribeOnce();
    long read = 0;
    while (read < into.byteSize()) {
      ByteBuffer buffer = next(position + read);
      if (buffer == null) {
        break;
      }
      int bytes = (int) Math.min(buffer.remaining(), into.byteSize() - read);
      HostBytes.copy(MemorySegment.ofBuffer(buffer), 0, into, read, bytes);
      buffer.position(buffer.position() + bytes);
      read += bytes;
      askForMore(buffer);
    }
    return read;
  }

  private void subscribeOnce() {
    if (!subscribed) {
      subscribed = true; // reads come one after the other
      publisher.subscribe(this);
    }
  }

  /** The buffer to read from, or null at the end. */
  private @Nullable ByteBuffer next(long position) {
    lock.lock();
    try {
      while (arrived.isEmpty() && !complete && failure == null && !closed) {
        changed.awaitUninterruptibly();
      }
      if (closed) {
        throw new FlowException("the flow was stopped after " + position + " bytes of a publisher");
      }
      if (arrived.isEmpty() && failure != null) {
        throw new FlowException(
            "the publisher failed after " + position + " bytes: " + failure, failure);
      }
      return arrived.peek();
    } finally {
      lock.unlock();
    }
  }

  private void askForMore(ByteBuffer buffer) {
    Subscription from;
    lock.lock();
    try {
      if (buffer.hasRemaining()) {
        return;
      }
      ByteBuffer _ = arrived.remove();
      from = complete || failure != null ? null : subscription;
    } finally {
      lock.unlock();
    }
    if (from != null) {
      from.request(1); // may deliver it immediately
    }
  }

  // --- signals of the publisher
  // ------------------------------------------------------------------------------------------------

  @Override
  public void onSubscribe(Subscription from) {
    requireSignal(from, "subscription");
    boolean refuse;
    lock.lock();
    try {
      refuse = closed || subscription != null;
      if (!refuse) {
        subscription = from;
      }
    } finally {
      lock.unlock();
    }
    if (refuse) {
      from.cancel();
      return;
    }
    try {
      from.request(AHEAD);
    } catch (Throwable e) { // otherwise nothing would ever come
      fail(e);
      throw e;
    }
  }

  /** Throws at the publisher for a null, and fails the flow, which would wait forever otherwise. */
  private void requireSignal(@Nullable Object signal, String what) {
    try {
      Objects.requireNonNull(signal, what);
    } catch (NullPointerException e) {
      fail(e);
      throw e;
    }
  }

  @Override
  public void onNext(ByteBuffer buffer) {
    requireSignal(buffer, "buffer");
    lock.lock();
    try {
      if (!closed) {
        arrived.add(buffer.slice());
        changed.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onError(Throwable cause) {
    requireSignal(cause, "cause");
    fail(cause);
  }

  private void fail(Throwable cause) {
    lock.lock();
    try {
      failure = failure == null ? cause : failure;
      subscription = null;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onComplete() {
    lock.lock();
    try {
      complete = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  // --- the end
  // ----------------------------------------------------------------------------------------------------------------

  @Override
  public void stop() {
    close();
  }

  @Override
  public void close() {
    Subscription from;
    lock.lock();
    try {
      from = complete || failure != null ? null : subscription;
      subscription = null;
      closed = true;
      arrived.clear();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    if (from != null) {
      from.cancel();
    }
  }
}
