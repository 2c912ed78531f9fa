package dev.stretto;

import dev.stretto.enqueue.BetweenDevices;
import dev.stretto.observe.Wait;
import dev.stretto.route.Outcome;
import dev.stretto.route.StreamQueue;
import dev.stretto.route.Way;
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
  private final Way way;
  private final long sequence;
  private final @Nullable Outcome outcome;

  // A copy is as large as the 32 bytes that an operation may allocate: no further fields.
  Copy(Stream stream, Way way, long sequence, @Nullable Outcome outcome) {
    this.stream = stream;
    this.way = way;
    this.sequence = sequence;
    this.outcome = outcome;
  }

  /**
   * {@return the way that the copy takes, and why}
   *
   * <p>A copy between devices that was to be staged through pinned memory is staged by the driver
   * if, when its turn comes, no memory can be pinned; then it says so.
   */
  public Route route() {
    return Route.of(way());
  }

  Way way() {
    return BetweenDevices.way(way, outcome);
  }

  long sequence() {
    return sequence;
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
    boolean done = hasArrived(0) || Point.isDone(stream.queue(), sequence);
    if (done) {
      throwFailure();
    }
    return done;
  }

  @Override
  public void await() {
    boolean _ = await(Long.MAX_VALUE);
  }

  @Override
  public boolean await(Duration atMost) {
    return await(Point.deadline(atMost));
  }

  private boolean await(long deadline) {
    Wait wait = Wait.begin(stream.observers(), stream.queue(), sequence);
    stream.queue().heard(sequence);
    boolean done = hasArrived(deadline) || Point.await(stream.queue(), sequence, deadline);
    Wait.end(wait, done);
    if (done) {
      throwFailure();
    }
    return done;
  }

  /**
   * Where several operations make the copy, whether the last has brought its bytes.
   *
   * @param deadline how long to wait for it; 0 for not at all
   */
  private boolean hasArrived(long deadline) {
    Outcome own = outcome;
    StreamQueue queue = own == null ? null : own.arrivalQueue();
    if (own == null || queue == null) {
      return false;
    }
    long point = own.arrivalSequence();
    boolean there =
        deadline == 0 ? Point.isDone(queue, point) : Point.await(queue, point, deadline);
    return there && own.arrivalQueue() != null; // for it may have become another way meanwhile
  }

  @Override
  public CompletableFuture<Void> toCompletableFuture() {
    return Point.future(stream.queue(), sequence, this::failure);
  }

  @Nullable RuntimeException failure() {
    Outcome own = outcome;
    RuntimeException failure = own == null ? null : own.failure();
    if (failure == null) {
      return stream.queue().failureUpTo(sequence);
    }
    stream.queue().tell(sequence, failure);
    return failure;
  }

  private void throwFailure() {
    RuntimeException failure = failure();
    if (failure != null) {
      throw failure;
    }
  }

  @Override
  public String toString() {
    return "copy " + sequence + " of " + stream + " (" + route().kind() + ")";
  }
}
