package dev.stretto;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.PoolAttribute;
import dev.stretto.fault.ClosedException;
import dev.stretto.route.DeviceRuntime;
import java.util.Objects;
import java.util.function.Function;

/**
 * The pool from which a device's memory comes: how much it has and keeps, and what it may reuse.
 * All arrays of one opening of a device, those of {@code device.allocateFloats} and those of {@code
 * stream.allocateFloats}, come from one pool, which belongs to that opening alone.
 *
 * <p>Nothing here waits for enqueued work. Every method throws {@link ClosedException} if the
 * device is closed, and {@link dev.stretto.fault.DeviceLostException} if it is lost. CUDA Driver
 * API, "Stream Ordered Memory Allocator".
 *
 * <p>On a virtual device the pool is a matter of bookkeeping: no address is given out twice, so
 * that what was freed stays recognizable, and freed memory can always be had again.
 */
public final class MemoryPool {
  private final DeviceRuntime engine;

  MemoryPool(DeviceRuntime engine) {
    this.engine = engine;
  }

  /** {@return how much memory is allocated and how much the pool has, now and at most} */
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

  /** Has the highest numbers of {@link #use()} begin anew with what they are now. */
  public void resetPeaks() {
    set(PoolAttribute.PEAK_USED, 0);
    set(PoolAttribute.PEAK_RESERVED, 0);
  }

  /** {@return how many bytes the pool may keep while they are free; 256 MiB unless set} */
  public long releaseThreshold() {
    return ask(driver -> driver.poolAttribute(PoolAttribute.RELEASE_THRESHOLD));
  }

  /**
   * Sets how much the pool may have while it is free. What is beyond that goes back to the device
   * when the host next waits for something on a GPU, and with the next free on a virtual device;
   * getting memory anew takes much longer than reusing what is kept.
   *
   * @param bytes 0 or more; {@link Long#MAX_VALUE} to keep everything
   * @throws IllegalArgumentException if it is negative
   */
  public void releaseThreshold(long bytes) {
    requireCount(bytes);
    set(PoolAttribute.RELEASE_THRESHOLD, bytes);
  }

  /**
   * {@return whether memory may be reused in a way}
   *
   * @param way which
   */
  public boolean allows(PoolReuse way) {
    Objects.requireNonNull(way, "way");
    return ask(driver -> driver.poolAttribute(attribute(way))) != 0;
  }

  /**
   * Sets whether memory may be reused in a way.
   *
   * @param way which
   * @param allowed whether it may
   */
  public void allow(PoolReuse way, boolean allowed) {
    Objects.requireNonNull(way, "way");
    set(attribute(way), allowed ? 1 : 0);
  }

  /**
   * Gives memory that the pool keeps and that is free back to the device. What waits for its free
   * in the order of a stream is not waited for: it stays. CUDA also keeps what was freed and done
   * with until some call of the driver has made the host wait for that, and Stretto makes none; so
   * on a GPU this may give nothing back (H200, driver 580.159).
   *
   * @param keepBytes how much the pool may still have, what is allocated included; 0 or more
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
