package dev.stretto;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Work on a device whose end can be awaited. Awaiting parks the calling thread; a virtual thread
 * releases its carrier meanwhile. One thread of the library polls for all threads that await.
 *
 * <p>Neither an interrupt nor a timeout stops the work or releases its memory: they only end the
 * wait.
 */
public sealed interface Awaitable permits Batch, Copy, Event, Stream, Tasks {
  /**
   * {@return whether the work is done} Does not block. On a seeded device the call does not advance
   * any work, unless a thousand calls in a row have returned false.
   *
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before the work was done
   */
  boolean isDone();

  /**
   * Waits until the work is done.
   *
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before the work was done
   * @throws dev.stretto.fault.CopyFailedException if it is a copy that failed because its host
   *     memory went away during the copy
   * @throws dev.stretto.fault.DeadlockException if the calling thread runs a callback, and the work
   *     comes after that callback
   * @throws RuntimeException the exception of a callback, if its event is awaited; also an earlier
   *     failure on the same stream that no other call has thrown yet, once
   */
  void await();

  /**
   * Waits until the work is done, but no longer than the given time.
   *
   * @param atMost the longest time to wait
   * @return whether the work is done
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before the work was done
   * @throws dev.stretto.fault.CopyFailedException if it is a copy that failed because its host
   *     memory went away during the copy
   * @throws dev.stretto.fault.DeadlockException if the calling thread runs a callback, and the work
   *     comes after that callback
   * @throws RuntimeException the exception of a callback, if its event is awaited; also an earlier
   *     failure on the same stream that no other call has thrown yet, once
   */
  boolean await(Duration atMost);

  /**
   * {@return a future that completes when the work is done, or exceptionally with the exception
   * that {@link #await()} would throw}
   *
   * <p>A callback that waits for the future of work that comes after the callback gets a {@link
   * dev.stretto.fault.DeadlockException}. Cancelling the future does not stop the work. Stages that
   * depend on the future run on the common pool unless they name another executor.
   */
  CompletableFuture<Void> toCompletableFuture();
}
