package dev.stretto;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Work on a device whose end can be awaited. Awaiting parks the calling thread; a virtual thread
 * lets go of its carrier meanwhile. However many threads await, one thread of the library watches
 * for them.
 *
 * <p>Neither an interrupt nor a time-out stops the work or lets go of its memory: only the waiting
 * ends.
 */
public sealed interface Awaitable permits Batch, Copy, Event, Stream {
  /**
   * {@return whether the work is done; asks without blocking, and on a seeded device without
   * letting anything happen, unless it is asked a thousand times in vain}
   *
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before the work was done
   */
  boolean isDone();

  /**
   * Waits until the work is done.
   *
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     meanwhile
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before the work was done
   * @throws dev.stretto.fault.CopyFailedException if it is a copy that failed, for its host memory
   *     went away under it
   * @throws dev.stretto.fault.DeadlockException if the calling thread runs a callback, and the work
   *     comes after that callback
   * @throws RuntimeException what a callback threw, if its event is awaited; and what failed
   *     earlier on the same stream and has come out of no other call, once
   */
  void await();

  /**
   * Waits until the work is done, but not for longer than this.
   *
   * @param atMost how long
   * @return whether the work is done
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     meanwhile
   * @throws dev.stretto.fault.DeviceLostException if the device was lost before the work was done
   * @throws dev.stretto.fault.CopyFailedException if it is a copy that failed, for its host memory
   *     went away under it
   * @throws dev.stretto.fault.DeadlockException if the calling thread runs a callback, and the work
   *     comes after that callback
   * @throws RuntimeException what a callback threw, if its event is awaited; and what failed
   *     earlier on the same stream and has come out of no other call, once
   */
  boolean await(Duration atMost);

  /**
   * {@return a future that completes when the work is done, or exceptionally with what {@link
   * #await()} would throw}
   *
   * <p>To wait for the future in a callback that the work comes after throws a {@link
   * dev.stretto.fault.DeadlockException}. Cancelling the future does not stop the work. What
   * depends on the future runs on the common pool unless it says otherwise.
   */
  CompletableFuture<Void> toCompletableFuture();
}
