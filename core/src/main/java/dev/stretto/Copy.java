package dev.stretto;

import dev.stretto.route.Transfer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A copy that was enqueued on a stream. Both its ends stay valid until it is done, whatever is
 * closed meanwhile; until then the source must not be written and the destination must be neither
 * read nor written.
 *
 * <p>Copies of at most 64 KiB may be told of together: awaiting one may take until up to 63 small
 * copies right behind it on its stream are done too. It never takes until anything else behind it
 * is done.
 */
public final class Copy implements Awaitable {
  private final Stream stream;
  private final Route route;
  private final long sequence;
  private final @Nullable Transfer transfer;

  // A copy is as large as the 32 bytes that an operation may allocate: no further fields.
  Copy(Stream stream, Route route, long sequence, @Nullable Transfer transfer) {
    this.stream = stream;
    this.route = route;
    this.sequence = sequence;
    this.transfer = transfer;
  }

  /** {@return the way that the copy takes, and why} */
  public Route route() {
    return route;
  }

  /** {@return the stream that the copy was enqueued on} */
  public Stream stream() {
    return stream;
  }

  /**
   * {@return whether the copy is done; asks without blocking}
   *
   * @throws dev.stretto.fault.CopyFailedException if the copy failed
   */
  @Override
  public boolean isDone() {
    boolean done = Point.isDone(stream.queue(), sequence);
    if (done) {
      throwFailure();
    }
    return done;
  }

  @Override
  public void await() {
    Point.await(stream.queue(), sequence, Long.MAX_VALUE);
    throwFailure();
  }

  @Override
  public boolean await(Duration atMost) {
    boolean done = Point.await(stream.queue(), sequence, Point.deadline(atMost));
    if (done) {
      throwFailure();
    }
    return done;
  }

  @Override
  public CompletableFuture<Void> toCompletableFuture() {
    return Point.future(stream.queue(), sequence, this::failure);
  }

  private @Nullable RuntimeException failure() {
    Transfer staged = transfer;
    RuntimeException failure = staged == null ? null : staged.failure();
    return failure == null ? stream.queue().failureOf(sequence) : failure;
  }

  private void throwFailure() {
    RuntimeException failure = failure();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String toString() {
    return "copy " + sequence + " of " + stream + " (" + route.kind() + ")";
  }
}
