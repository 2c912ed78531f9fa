package dev.stretto.route;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A future of a point of a stream. A wait that would never end is refused, as for the point itself.
 * Futures that depend on it are ordinary ones, because something else may complete them.
 */
final class PointFuture extends CompletableFuture<Void> {
  private final StreamQueue queue;
  private final long sequence;
  private volatile boolean endsInTime;

  PointFuture(StreamQueue queue, long sequence) {
    this.queue = queue;
    this.sequence = sequence;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  @Override
  public CompletableFuture<Void> orTimeout(long timeout, TimeUnit unit) {
    endsInTime = true;
    return super.orTimeout(timeout, unit);
  }

  @Override
  @SuppressWarnings("VoidUsed") // the value is passed on unchanged
  public CompletableFuture<Void> completeOnTimeout(Void value, long timeout, TimeUnit unit) {
    endsInTime = true;
    return super.completeOnTimeout(value, timeout, unit);
  }

  @Override
  public Void join() {
    OwnTurn turn = waits(false);
    try {
      return super.join();
    } finally {
      OwnTurn.waited(turn);
    }
  }

  @Override
  public Void get() throws InterruptedException, ExecutionException {
    OwnTurn turn = waits(false);
    try {
      return super.get();
    } finally {
      OwnTurn.waited(turn);
    }
  }

  @Override
  public Void get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    OwnTurn turn = waits(true);
    try {
      return super.get(timeout, unit);
    } finally {
      OwnTurn.waited(turn);
    }
  }

  private @Nullable OwnTurn waits(boolean timed) {
    return isDone() || endsInTime ? null : OwnTurn.waits(queue, sequence, timed);
  }
}
