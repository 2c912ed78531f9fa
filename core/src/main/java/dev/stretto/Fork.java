package dev.stretto;

import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * A task of a {@link WorkScope} on its own virtual thread, and the task's outcome.
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

  /** Runs the task on the calling thread and returns the exception that it threw, if any. */
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
   * {@return the result of the task}
   *
   * @throws IllegalStateException if the task has not returned yet, if it threw an exception, which
   *     is then the cause, or if it returned null
   */
  public T result() {
    Ended<T> end = ended;
    if (end == null) {
      throw new IllegalStateException(
          "the fork is still running: call the scope's awaitAll() first");
    }
    T result = end.result();
    if (result == null) {
      throw new IllegalStateException(
          end.failure() == null ? "the task returned null" : "the fork failed: " + end.failure(),
          end.failure());
    }
    return result;
  }

  /** {@return the exception that the task threw, if any} */
  public Optional<Throwable> failure() {
    Ended<T> end = ended;
    return end == null ? Optional.empty() : Optional.ofNullable(end.failure());
  }
}
