package dev.stretto;

import dev.stretto.fault.DeviceLostException;
import dev.stretto.observe.Wait;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Copies that were enqueued on a stream together ({@link Stream#copyAll(List)}). It is done when
 * all of them are. Each is also a {@link Copy}, which may be done sooner and reports its own route.
 */
public final class Batch implements Awaitable {
  private final Stream stream;
  private final List<Copy> copies;
  private final boolean areOne;
  private final long sequence;

  /**
   * Creates a batch that was enqueued.
   *
   * @param areOne whether the copies are one operation, so that they fail together
   */
  Batch(Stream stream, List<Copy> copies, boolean areOne, long sequence) {
    this.stream = stream;
    this.copies = copies;
    this.areOne = areOne;
    this.sequence = sequence;
  }

  /** {@return the stream that the copies were enqueued on} */
  public Stream stream() {
    return stream;
  }

  /** {@return the copies, in the order of the given list} */
  public List<Copy> copies() {
    return copies;
  }

  /** {@return the route of each copy, with the reason, in the order of the given list} */
  public List<Route> routes() {
    return copies.stream().map(Copy::route).toList();
  }

  /**
   * {@return whether all copies are done} Does not block.
   *
   * @throws dev.stretto.fault.CopyFailedException if a copy failed
   */
  @Override
  public boolean isDone() {
    return orFailure(Point.isDone(stream.queue(), sequence));
  }

  /**
   * Waits until all copies are done.
   *
   * @throws dev.stretto.fault.CopyFailedException if a copy failed; the other copies are complete
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws dev.stretto.fault.DeviceLostException if a device was lost before the copies were done
   */
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
    boolean done = Point.await(stream.queue(), sequence, deadline);
    Wait.end(wait, done);
    return orFailure(done);
  }

  private boolean orFailure(boolean done) {
    RuntimeException failure = done ? failure() : null;
    if (failure != null) {
      throw failure;
    }
    return done;
  }

  @Override
  public CompletableFuture<Void> toCompletableFuture() {
    return Point.future(stream.queue(), sequence, this::failure);
  }

  /**
   * The first failure in the list, if any; the failures of the other copies are suppressed
   * exceptions of it.
   */
  private @Nullable RuntimeException failure() {
    if (areOne) {
      return copies.getFirst().failure();
    }
    RuntimeException first = null;
    for (Copy copy : copies) {
      RuntimeException failure = copy.failure();
      if (first == null) {
        first = failure;
      } else if (failure != null && !isPartOf(first, failure)) {
        first.addSuppressed(failure);
      }
    }
    return first;
  }

  /**
   * Whether a failure was reported before or is the same one: copies that go to the driver together
   * share their failure.
   */
  private static boolean isPartOf(RuntimeException first, RuntimeException failure) {
    return first.equals(failure)
        || failure instanceof DeviceLostException
        || Arrays.asList(first.getSuppressed()).contains(failure);
  }

  @Override
  public String toString() {
    return "batch of " + copies.size() + " copies of " + stream;
  }
}
