package dev.stretto.flow;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The end of a flow. A thread that waits for it advances the flow's seeded devices, and is refused
 * if the flow waits for that thread.
 */
final class FlowFuture extends CompletableFuture<FlowReport> {
  private final Flow flow;

  FlowFuture(Flow flow) {
    this.flow = flow;
  }

  /** A dependent future may be completed by something else. */
  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new CompletableFuture<>();
  }

  @Override
  public FlowReport join() {
    if (!isDone()) {
      try {
        flow.advanceUntilDone(this, Long.MAX_VALUE + System.nanoTime());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt(); // join() does not handle it
      }
    }
    return super.join();
  }

  @Override
  public FlowReport get() throws InterruptedException, ExecutionException {
    if (!isDone()) {
      flow.advanceUntilDone(this, Long.MAX_VALUE + System.nanoTime());
    }
    return super.get();
  }

  @Override
  public FlowReport get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    long deadline = System.nanoTime() + unit.toNanos(timeout);
    if (!isDone()) {
      flow.advanceUntilDone(this, deadline);
    }
    return super.get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
  }
}
