package dev.stretto;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.PoolAttribute;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.NoMemoryPoolException;
import dev.stretto.route.DeviceRuntime;
import dev.stretto.route.OwnPool;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The pool from which a device's memory comes: its size, how much free memory it keeps, and which
 * memory it may reuse. All arrays of one opening of a device, those of {@code
 * device.allocateFloats} and those of {@code stream.allocateFloats}, come from one pool, which
 * belongs to that opening alone. A program may have more pools, each with a largest size: {@link
 * LimitedPool}.
 *
 * <p>No method waits for enqueued work. Every method throws {@link ClosedException} if the device
 * is closed, and {@link dev.stretto.fault.DeviceLostException} if it is lost. CUDA Driver API,
 * "Stream Ordered Memory Allocator".
 *
 * <p>On a virtual device the pool only does bookkeeping: no address is used twice, so that freed
 * memory stays recognizable, and freed memory can always be allocated again.
 */
public sealed class MemoryPool permits LimitedPool {
  private final DeviceRuntime engine;

  MemoryPool(DeviceRuntime engine) {
    this.engine = engine;
  }

  /** Refuses a device without pools. */
  static void require(DeviceRuntime engine) {
    engine.requireUsable();
    if (!engine.driver().hasPool()) {
      throw new NoMemoryPoolException(
          engine.name()
              + " has no memory pools, so nothing can be allocated or freed in the order of a"
              + " stream: use device.allocateFloats and its like, and close the arrays");
    }
  }

  /** {@return how much memory is allocated and how much the pool has, now and at its peak} */
  public final PoolUse use() {
    return ask(
        (driver, pool) -> {
          long used = driver.poolAttribute(pool, PoolAttribute.USED);
          long reserved = driver.poolAttribute(pool, PoolAttribute.RESERVED);
          return new PoolUse(
              used,
              Math.max(used, driver.poolAttribute(pool, PoolAttribute.PEAK_USED)),
              reserved,
              Math.max(reserved, driver.poolAttribute(pool, PoolAttribute.PEAK_RESERVED)));
        });
  }

  /** Resets the peaks of {@link #use()} to the current values. */
  public final void resetPeaks() {
    set(PoolAttribute.PEAK_USED, 0);
    set(PoolAttribute.PEAK_RESERVED, 0);
  }

  /** {@return how many free bytes the pool may keep; 256 MiB by default} */
  public final long releaseThreshold() {
    return ask((driver, pool) -> driver.poolAttribute(pool, PoolAttribute.RELEASE_THRESHOLD));
  }

  /**
   * Sets how many free bytes the pool may keep. Free memory beyond that goes back to the device: on
   * a GPU when the host next waits for work of the device, on a virtual device with the next free.
   * Allocating new memory takes much longer than reusing memory that the pool has kept.
   *
   * @param bytes 0 or more; {@link Long#MAX_VALUE} to keep everything
   * @throws IllegalArgumentException if it is negative
   */
  public final void releaseThreshold(long bytes) {
    requireCount(bytes);
    set(PoolAttribute.RELEASE_THRESHOLD, bytes);
  }

  /**
   * {@return whether the pool may reuse memory in a certain way}
   *
   * @param way the way of reuse
   */
  public final boolean allows(PoolReuse way) {
    Objects.requireNonNull(way, "way");
    return ask((driver, pool) -> driver.poolAttribute(pool, attribute(way))) != 0;
  }

  /**
   * Sets whether the pool may reuse memory in a certain way.
   *
   * @param way the way of reuse
   * @param allowed whether this way is allowed
   */
  public final void allow(PoolReuse way, boolean allowed) {
    Objects.requireNonNull(way, "way");
    set(attribute(way), allowed ? 1 : 0);
  }

  /**
   * Returns free memory of the pool to the device. This call does not wait for frees that are still
   * enqueued on a stream: their memory stays in the pool. CUDA also keeps memory whose free is
   * complete until a call of the driver has made the host wait for that free, and Stretto makes no
   * such call; so on a GPU this may return nothing (H200, driver 580.159).
   *
   * @param keepBytes how much the pool may still have, including allocated memory; 0 or more
   * @throws IllegalArgumentException if it is negative
   */
  public final void trimTo(long keepBytes) {
    requireCount(keepBytes);
    int _ =
        ask(
            (driver, pool) -> {
              driver.trimPool(pool, keepBytes);
              return 0;
            });
  }

  private static void requireCount(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException(bytes + " bytes: has to be 0 or more");
    }
  }

  private static PoolAttribute attribute(PoolReuse way) {
    return switch (way) {
      case FOLLOW_EVENTS -> PoolAttribute.FOLLOW_EVENTS;
      case OPPORTUNISTIC -> PoolAttribute.OPPORTUNISTIC;
      case INTERNAL_DEPENDENCIES -> PoolAttribute.INTERNAL_DEPENDENCIES;
    };
  }

  private void set(PoolAttribute attribute, long value) {
    int _ =
        ask(
            (driver, pool) -> {
              driver.poolAttribute(pool, attribute, value);
              return 0;
            });
  }

  /** {@return what the driver answers} */
  <T> T ask(OwnPool.Question<T> question) {
    engine.requireUsable();
    return engine.call(() -> question.ask(engine.driver(), DriverDevice.DEFAULT_POOL));
  }

  /** {@return the pool, if it is the program's own; null if it is the device's} */
  @Nullable OwnPool own() {
    return null;
  }

  final DeviceRuntime engine() {
    return engine;
  }

  @Override
  public String toString() {
    return "memory pool of " + engine.name();
  }
}
