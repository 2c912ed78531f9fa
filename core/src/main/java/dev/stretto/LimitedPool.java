package dev.stretto;

import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OwnPool;
import org.jspecify.annotations.Nullable;

/**
 * A memory pool of the program's own, with a largest size: {@link Device#memoryPool(long)}. {@code
 * stream.allocateFloats(pool, length)} and its like allocate out of it, in the order of the stream,
 * and closing such an array frees it to the pool. So one part of a program cannot take memory that
 * another part relies on, and its arrays do not lie between those of others.
 *
 * <p>An allocation that would make the pool larger than {@link #maxBytes()} is refused with {@link
 * dev.stretto.fault.OutOfDeviceMemoryException}, and nothing is enqueued. Memory counts until the
 * stream has reached its free; for the stream that frees it, and for streams that wait for that
 * one, it counts as free at once. The memory is taken from the device when it is needed, not in
 * advance. Its threshold is 256 MiB at first, or its largest size, if that is less.
 *
 * <p>Any thread may use the pool. On a GPU it is one of the driver's, {@code cuMemPoolCreate} with
 * {@code maxSize}, rounded up to 2 MiB; an allocation may be refused a little earlier there,
 * because free memory of the pool may be in pieces that are too small. CUDA Driver API, "Stream
 * Ordered Memory Allocator".
 */
public final class LimitedPool extends MemoryPool implements AutoCloseable {
  private final OwnPool pool;
  private final Leaks.Watched watched;

  LimitedPool(OwnPool pool, Leaks leaks) {
    super(pool.engine());
    this.pool = pool;
    this.watched = leaks.watch(this, LimitedPool::toString);
  }

  /** Refuses a pool that the device cannot have. */
  static void requirePossible(DeviceRuntime engine, long maxBytes) {
    MemoryPool.require(engine);
    long all = engine.driver().properties().totalBytes();
    if (maxBytes < 1 || maxBytes > all) {
      throw new IllegalArgumentException(
          "a memory pool of at most %d bytes: %s has %d bytes, so 1 to %d are possible"
              .formatted(maxBytes, engine.name(), all, all));
    }
  }

  /** {@return the most bytes that the pool may have} */
  public long maxBytes() {
    return pool.maxBytes();
  }

  /** {@return whether neither the pool nor its device was closed} */
  public boolean isOpen() {
    return pool.isOpen() && !pool.engine().isClosed();
  }

  /**
   * Ends allocations out of the pool. Its arrays remain valid until they are closed; the pool's
   * memory goes back to the device when the last of them is freed. Does not block. Closing it again
   * has no further effect.
   */
  @Override
  public void close() {
    boolean _ = pool.closeAfterLastUse();
    watched.closed();
    pool.engine().finishIfClosed();
  }

  @Override
  <T> T ask(OwnPool.Question<T> question) {
    return pool.ask(question);
  }

  @Override
  @Nullable OwnPool own() {
    return pool;
  }

  @Override
  public String toString() {
    return "memory pool of at most " + pool.maxBytes() + " bytes of " + pool.engine().name();
  }
}
