package dev.stretto;

import dev.stretto.diagnosis.Rule;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.DeadlockException;
import dev.stretto.observe.BlockingCall;
import dev.stretto.observe.Observers;
import dev.stretto.route.CompletionPoller;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.PinnedBlock;
import dev.stretto.route.PinnedLeases;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of pinned buffers of one size, pinned once and lent many times. The number never
 * grows: a producer that is faster than the copies finds no buffer left, and so has to keep their
 * pace.
 *
 * <p>A buffer is lent again only after the last copy that uses it. Requests are served in their
 * order. Any thread may request a buffer.
 *
 * <pre>{@code
 * try (PinnedBuffers buffers = device.pinnedBuffers(4 << 20, 3)) {
 *   while (source.hasMore()) {
 *     try (PinnedBuffer buffer = buffers.awaitLease()) {
 *       source.read(buffer.memory());
 *       stream.copy(buffer.memory(), array);
 *     } // given back; lent again after that copy
 *   }
 * }
 * }</pre>
 */
public final class PinnedBuffers implements AutoCloseable {
  private static final long PAUSE_NANOS = 50_000;
  private static final Object ANYBODY = new Object();

  private final DeviceRuntime engine;
  private final PinnedLeases leases;

  /** The holder of each buffer; {@link #ANYBODY} if it is unknown. */
  private final Map<PinnedBlock, Object> holders = new ConcurrentHashMap<>();

  private final long bytesEach;
  private final int count;
  private final Leaks leaks;
  private final Leaks.Watched watched;

  PinnedBuffers(DeviceRuntime engine, long bytesEach, int count, Leaks leaks, Observers observers) {
    if (bytesEach < 1 || count < 1) {
      throw new IllegalArgumentException(
          count + " pinned buffers of " + bytesEach + " bytes each: both have to be 1 or more");
    }
    this.engine = engine;
    this.bytesEach = bytesEach;
    this.count = count;
    this.leaks = leaks;
    try (BlockingCall _ = observers.calling(Rule.PINNING, bytesEach * count)) {
      this.leases = PinnedLeases.open(engine.pinned(), bytesEach, count);
    }
    this.watched = leaks.watch(this, buffers -> buffers + " of " + buffers.engine.name());
  }

  /** {@return the number of buffers, lent or not} */
  public int count() {
    return count;
  }

  /** {@return the size of each buffer in bytes} */
  public long bytesEach() {
    return bytesEach;
  }

  /** {@return how many buffers could be lent at this moment} */
  public int available() {
    return leases.available();
  }

  /**
   * {@return a buffer if one is free and no other request is waiting} Does not block.
   *
   * @throws ClosedException if this object or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Optional<PinnedBuffer> tryLease() {
    CompletionPoller watch = engine.watch();
    if (watch.isStepped()) {
      boolean _ = watch.ask(this, 0, () -> available() > 0);
    }
    return Optional.ofNullable(leases.tryLend()).map(this::ownBuffer);
  }

  /**
   * {@return a future that completes with a buffer as soon as one is free} Does not block. The
   * future fails with {@link ClosedException} if this object or the device is closed before, and
   * with {@link dev.stretto.fault.DeviceLostException} if the device is lost. If the future is
   * cancelled, its buffer goes to the next request.
   *
   * @throws ClosedException if this object or the device is closed
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public CompletableFuture<PinnedBuffer> lease() {
    CompletionPoller watch = engine.watch();
    CompletableFuture<PinnedBuffer> future = watch.future();
    leases.lend(
        new PinnedLeases.Taker() {
          @Override
          public void lent(PinnedBlock block) {
            watch.complete(future, () -> settle(future, block));
          }

          @Override
          public void refused(RuntimeException why) {
            watch.complete(future, () -> future.completeExceptionally(why));
          }
        });
    return future;
  }

  private void settle(CompletableFuture<PinnedBuffer> future, PinnedBlock block) {
    PinnedBuffer buffer;
    try {
      buffer = buffer(block, ANYBODY);
    } catch (RuntimeException e) {
      boolean _ = future.completeExceptionally(e);
      return;
    }
    if (!future.complete(buffer)) {
      buffer.close();
    }
  }

  /**
   * Waits until a buffer is free. A virtual thread releases its carrier meanwhile. On a seeded
   * device, if the calling thread itself holds all buffers, an exception reports that the wait
   * would never end.
   *
   * @return the buffer
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws DeadlockException on a seeded device, if the calling thread holds all buffers
   * @throws ClosedException if this object or the device is closed before or during the wait
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public PinnedBuffer awaitLease() {
    return await(Long.MAX_VALUE).orElseThrow();
  }

  /**
   * Waits until a buffer is free, but no longer than the given time.
   *
   * @param atMost the longest time to wait
   * @return the buffer, or empty if none became free in that time
   * @throws dev.stretto.fault.AwaitInterruptedException if the thread is interrupted before or
   *     during the wait
   * @throws ClosedException if this object or the device is closed before or during the wait
   * @throws dev.stretto.fault.DeviceLostException if the device is lost
   */
  public Optional<PinnedBuffer> awaitLease(Duration atMost) {
    return await(Point.deadline(atMost));
  }

  private Optional<PinnedBuffer> await(long deadline) {
    while (true) {
      try {
        return await(new Waiting(), deadline);
      } catch (DeadlockException e) {
        // A seeded device knows its own work only, not that other threads hold buffers.
        if (deadline == Long.MAX_VALUE && areHeldByThisThread()) {
          throw e;
        }
        if (System.nanoTime() >= deadline) {
          return Optional.empty();
        }
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
  }

  private Optional<PinnedBuffer> await(Waiting waiting, long deadline) {
    try {
      boolean _ = engine.watch().await(waiting::begin, deadline);
    } catch (RuntimeException e) {
      PinnedBlock late = waiting.end();
      if (late != null) {
        boolean _ = late.closeAfterLastUse();
      }
      throw e;
    }
    PinnedBlock lent = waiting.end();
    RuntimeException refusal = waiting.refusal.get();
    if (refusal != null) {
      throw refusal;
    }
    return Optional.ofNullable(lent).map(this::ownBuffer);
  }

  /** Whether only the calling thread could give a buffer back. */
  private boolean areHeldByThisThread() {
    return holders.size() == count
        && holders.values().stream().allMatch(Thread.currentThread()::equals);
  }

  /** A thread that waits for a buffer. */
  private final class Waiting implements PinnedLeases.Taker {
    final AtomicReference<@Nullable RuntimeException> refusal = new AtomicReference<>();
    private @Nullable PinnedBlock lent;
    private @Nullable Runnable bell;
    private boolean over;

    /** Joins the queue of requests, and returns the action that leaves it. */
    Runnable begin(Runnable ring) {
      bell = ring;
      leases.lend(this);
      return () -> leases.forget(this);
    }

    /**
     * Ends the wait and returns the lent buffer, if any; a buffer that comes later goes to the next
     * request.
     */
    synchronized @Nullable PinnedBlock end() {
      over = true;
      return lent;
    }

    @Override
    public void lent(PinnedBlock block) {
      if (take(block)) {
        ring();
      } else {
        boolean _ = block.closeAfterLastUse();
      }
    }

    private synchronized boolean take(PinnedBlock block) {
      if (!over) {
        lent = block;
      }
      return !over;
    }

    @Override
    public void refused(RuntimeException why) {
      refusal.set(why);
      ring();
    }

    private void ring() {
      Runnable ring = bell;
      if (ring != null) {
        ring.run();
      }
    }
  }

  private PinnedBuffer ownBuffer(PinnedBlock block) {
    return buffer(block, Thread.currentThread());
  }

  private PinnedBuffer buffer(PinnedBlock block, Object holder) {
    holders.put(block, holder);
    try {
      return new PinnedBuffer(this, engine, block, leaks);
    } catch (RuntimeException e) {
      givenBack(block);
      throw e;
    }
  }

  /** Called when a buffer was closed, or could not be lent after all. */
  void givenBack(PinnedBlock block) {
    holders.remove(block);
  }

  /** {@return whether buffers can still be lent} */
  public boolean isOpen() {
    return leases.isOpen() && !engine.isClosed();
  }

  /**
   * Ends the lending. Buffers that are lent stay valid until they are closed, and are unpinned
   * after the last copy that uses them. Waiting requests are refused. Does not block. Closing it
   * again has no further effect.
   */
  @Override
  public void close() {
    boolean _ = leases.closeAfterLastUse();
    watched.closed();
    engine.finishIfClosed();
  }

  @Override
  public String toString() {
    return count + " pinned buffers of " + bytesEach + " bytes each";
  }
}
