package dev.stretto;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.PoolAttribute;
import dev.stretto.fault.ClosedException;
import dev.stretto.route.DeviceRuntime;
import java.util.Objects;
import java.util.function.Function;

/**
 * The pool from which a device's memory comes: its size, how much free memory it keeps, and which
 * memory it may reuse. All arrays of one opening of a device, those of {@code
 * device.allocateFloats} and those of {@code stream.allocateFloats}, come from one pool, which
 * belongs to that opening alone.
 *
 * <p>No method waits for enqueued work. Every method throws {@link ClosedException} if the device
 * is closed, and {@link dev.stretto.fault.DeviceLostException} if it is lost. CUDA Driver API,
 * "Stream Ordered Memory Allocator".
 *
 * <p>On a virtual device the pool only does bookkeeping: no address is used twice, so that freed
 * memory stays recognizable, and freed memory can always be allocated again.
 */
public final class MemoryPool {
  private final DeviceRuntime engine;

  MemoryPool(DeviceRuntime engine) {
    this.engine = engine;
  }

  /** {@return how much memory is allocated and how much the pool has, now and at its peak} */
  public PoolUse use() {
    return ask(
        driver -> {
          long used = driver.poolAttribute(PoolAttribute.USED);
          long reserved = driver.poolAttribute(PoolAttribute.RESERVED);
          return new PoolUse(
              used,
              Math.max(used, driver.poolAttribute(PoolAttribute.PEAK_USED)),
              reserved,
              Math.max(reserved, driver.poolAttribute(PoolAttribute.PEAK_RESERVED)));
        });
  }

  /** Resets the peaks of {@link #use()} to the current values. */
  public void resetPeaks() {
    set(PoolAttribute.PEAK_USED, 0);
    set(PoolAttribute.PEAK_RESERVED, 0);
  }

  /** {@return how many free bytes the pool may keep; 256 MiB by default} */
  public long releaseThreshold() {
    return ask(driver -> driver.poolAttribute(PoolAttribute.RELEASE_THRESHOLD));
  }

  /**
   * Sets how many free bytes the pool may keep. Free memory beyond that goes back to the device: on
   * a GPU when the host next waits for work of the device, on a virtual device with the next free.
   * Allocating new memory takes much longer than reusing memory that the pool has kept.
   *
   * @param bytes 0 or more; {@link Long#MAX_VALUE} to keep everything
   * @throws IllegalArgumentException if it is negative
   */
  public void releaseThreshold(long bytes) {
    requireCount(bytes);
    set(PoolAttribute.RELEASE_THRESHOLD, bytes);
  }

  /**
   * {@return whether the pool may reuse memory in a certain way}
   *
   * @param way the way of reuse
   */
  public boolean allows(PoolReuse way) {
    Objects.requireNonNull(way, "way");
    return ask(driver -> driver.poolAttribute(attribute(way))) != 0;
  }

  /**
   * Sets whether the pool may reuse memory in a certain way.
   *
   * @param way the way of reuse
   * @param allowed whether this way is allowed
   */
  public void allow(PoolReuse way, boolean allowed) {
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
  public void trimTo(long keepBytes) {
    requireCount(keepBytes);
    int _ =
        ask(
            driver -> {
              driver.trimPool(keepBytes);
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
            driver -> {
              driver.poolAttribute(attribute, value);
              return 0;
            });
  }

  private <T> T ask(Function<DriverDevice, T> question) {
    engine.requireUsable();
    return engine.call(() -> question.apply(engine.driver()));
  }

  @Override
  public String toString() {
    return "memory pool of " + engine.name();
  }
}
