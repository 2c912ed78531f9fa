package dev.stretto.route;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A future of a seeded device, which advances only while a thread waits. This future makes it
 * advance while a thread waits for the future or for one that depends on it.
 */
final class SteppingFuture<T> extends CompletableFuture<T> {
  private static final long PAUSE_NANOS = 50_000;

  private final DeviceState device;

  /** The stream and the point to which the future belongs, if any. */
  private final @Nullable StreamQueue queue;

  private final long sequence;

  SteppingFuture(DeviceState device) {
    this(device, null, 0);
  }

  SteppingFuture(DeviceState device, @Nullable StreamQueue queue, long sequence) {
    this.device = device;
    this.queue = queue;
    this.sequence = sequence;
  }

  @Override
  public <U> CompletableFuture<U> newIncompleteFuture() {
    return new SteppingFuture<>(device);
  }

  @Override
  public boolean isDone() {
    return device.open().questions().ask(this, 0, super::isDone, device::stepOnce, device.lock);
  }

  @Override
  public T join() {
    step(Long.MAX_VALUE);
    return super.join();
  }

  @Override
  public T get() throws InterruptedException, ExecutionException {
    step(Long.MAX_VALUE);
    return super.get();
  }

  @Override
  public T get(long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    long deadline = Deadline.in(unit.toNanos(timeout));
    step(deadline);
    long left = deadline == Deadline.NEVER ? deadline : deadline - System.nanoTime();
    return super.get(Math.max(0, left), TimeUnit.NANOSECONDS);
  }

  private void step(long deadline) {
    StreamQueue awaited = queue;
    if (awaited == null || super.isDone()) {
      stepUntilDone(deadline);
      return;
    }
    OwnTurn turn = OwnTurn.waits(awaited, sequence, deadline != Long.MAX_VALUE);
    try {
      OwnTurn.isArranged(turn); // since the future exists
      stepUntilDone(deadline);
    } finally {
      OwnTurn.waited(turn);
    }
  }

  private void stepUntilDone(long deadline) {
    while (!super.isDone() && !Thread.currentThread().isInterrupted()) {
      if (deadline != Long.MAX_VALUE && System.nanoTime() >= deadline) {
        return;
      }
      if (!device.stepOnce(deadline)) {
        LockSupport.parkNanos(
            this, PAUSE_NANOS); // stages that depend on the device run on other threads
      }
    }
  }
}
