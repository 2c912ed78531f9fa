package dev.stretto;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A task of a {@link WorkScope} on a virtual thread of its own, and what came of it.
 *
 * @param <T> the type of its result
 */
public final class Fork<T> {
  private final Callable<? extends T> task;
  private volatile @Nullable Ended<T> ended;

  private record Ended<T>(@Nullable T result, @Nullable Throwable failure) {}

  Fork(Callable<? extends T> task) {
    this.task = task;
  }

  /** Runs the task on the calling thread, and gives what it threw, if anything. */
  @Nullable Throwable run() {
    try {
      ended = new Ended<>(task.call(), null);
      return null;
    } catch (Throwable e) {
      ended = new Ended<>(null, e);
      return e;
    }
  }

  /** {@return whether the task has returned or thrown} */
  public boolean isDone() {
    return ended != null;
  }

  /**
   * {@return what the task returned}
   *
   * @throws IllegalStateException if it has not returned yet, if it threw, which is the cause, or
   *     if it returned null
   */
  public T result() {
    Ended<T> end = ended;
    if (end == null) {
      throw new IllegalStateException(
          "the fork is still running: call the scope's awaitAll() before");
    }
    T result = end.result();
    if (result == null) {
      throw new IllegalStateException(
          end.failure() == null ? "the task returned null" : "the fork failed: " + end.failure(),
          end.failure());
    }
    return result;
  }

  /** {@return what the task threw, if it did} */
  public Optional<Throwable> failure() {
    Ended<T> end = ended;
    return end == null ? Optional.empty() : Optional.ofNullable(end.failure());
  }
}
