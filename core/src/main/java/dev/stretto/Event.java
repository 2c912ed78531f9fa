package dev.stretto;

import dev.stretto.observe.Wait;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A point of a stream: it stands for everything that was enqueued on the stream before. Events
 * order streams ({@link Stream#waitFor}), can be queried and awaited, and cost little: an event
 * made by {@link Stream#record()} holds no resource and need not be closed. To measure time, use
 * {@link Stream#recordTimed()}.
 *
 * <p>Fills of at most 4 MiB are reported in groups, as small copies are (see {@link Copy}):
 * awaiting one may also wait for small copies and fills enqueued directly after it.
 */
public sealed class Event implements Awaitable
    permits Event.OfCallback, Event.BehindCallback, TimedEvent {
  private final Stream stream;
  private final long sequence;

  Event(Stream stream, long sequence) {
    this.stream = stream;
    this.sequence = sequence;
  }

  /** {@return the stream that the event was recorded on} */
  public final Stream stream() {
    return stream;
  }

  final long sequence() {
    return sequence;
  }

  @Override
  public final boolean isDone() {
    return Point.isDone(stream.queue(), sequence);
  }

  @Override
  public final void await() {
    boolean _ = await(Long.MAX_VALUE);
  }

  @Override
  public final boolean await(Duration atMost) {
    return await(Point.deadline(atMost));
  }

  private boolean await(long deadline) {
    Wait wait = Wait.begin(stream.observers(), stream.queue(), sequence);
    boolean done = Point.await(stream.queue(), sequence, deadline);
    Wait.end(wait, done);
    RuntimeException failure = done ? failure() : null;
    if (failure != null) {
      throw failure;
    }
    return done;
  }

  /**
   * The failure of an earlier operation, if any. An event that was recorded directly after an
   * operation has that operation's number, but is not that operation.
   */
  @Nullable RuntimeException failure() {
    return stream.queue().failureBehind(sequence);
  }

  @Override
  public final CompletableFuture<Void> toCompletableFuture() {
    return Point.future(stream.queue(), sequence, this::failure);
  }

  @Override
  public final String toString() {
    return "event " + sequence + " of " + stream;
  }

  /** The end of a callback: awaiting it reports what the callback threw. */
  static final class OfCallback extends Event {
    OfCallback(Stream stream, long sequence) {
      super(stream, sequence);
    }

    @Override
    @Nullable RuntimeException failure() {
      return stream().queue().failureUpTo(sequence());
    }
  }

  /** A point behind a callback: awaiting it reports what the callback threw. */
  static final class BehindCallback extends Event {
    private final long callback;

    BehindCallback(Stream stream, long sequence, long callback) {
      super(stream, sequence);
      this.callback = callback;
    }

    @Override
    @Nullable RuntimeException failure() {
      return stream().queue().failureUpTo(callback);
    }
  }
}
