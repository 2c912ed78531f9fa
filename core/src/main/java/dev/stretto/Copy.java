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
 * A copy that was enqueued on a stream. Both its ends stay valid until it is done, even if their
 * owner is closed meanwhile. Until then, do not write the source, and neither read nor write the
 * destination.
 *
 * <p>Small copies, of at most 64 KiB, or 4 MiB within a device, are reported in groups: {@code
 * await()} may also wait for up to 63 small copies and fills enqueued directly after it on its
 * stream. It never waits for any other operation enqueued after it.
 */
public final class Copy implements Awaitable {
  private final Stream stream;
  private final Way way;
  private final long sequence;
  private final @Nullable Outcome outcome;

  // A copy takes exactly the 32 bytes that an operation may allocate: add no fields.
  Copy(Stream stream, Way way, long sequence, @Nullable Outcome outcome) {
    this.stream = stream;
    this.way = way;
    this.sequence = sequence;
    this.outcome = outcome;
  }

  /**
   * {@return the route that the copy takes, and the reason}
   *
   * <p>If no memory can be pinned when it is the turn of a copy between devices that was to be
   * staged through pinned memory, the driver stages it instead, and the route says so.
   */
  public Route route() {
    Way taken = way();
    if (taken == Way.INLINE) {
      stream.queue().learnedThatItHasRead(sequence);
    }
    return Route.of(taken);
  }

  Way way() {
    return BetweenDevices.way(way, outcome);
  }

  long sequence() {
    return sequence;
  }

  /**
   * {@return how long host threads have moved the bytes of the copy so far, added over all of them}
   * Only those of a {@linkplain Route.Kind#STAGED staged} copy to or from the device do; of other
   * copies, zero. It includes reading and writing a file, and waiting for its disk; on virtual
   * devices, without {@code real-time}, it is modelled.
   */
  public Duration hostTime() {
    return outcome == null ? Duration.ZERO : Duration.ofNanos(outcome.hostNanos());
  }

  /** {@return the stream that the copy was enqueued on} */
  public Stream stream() {
    return stream;
  }

  /**
   * {@return whether the copy is done} Does not block.
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
   * If the copy consists of several operations, whether the last one has delivered its bytes.
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
    boolean arrived = there && own.arrivalQueue() != null; // the route may have changed meanwhile
    if (arrived) {
      stream.queue().askProcesses(sequence);
      stream.queue().learned(sequence);
    }
    return arrived;
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
    return "copy " + sequence + " of " + stream + " (" + Route.of(way()).kind() + ")";
  }
}
