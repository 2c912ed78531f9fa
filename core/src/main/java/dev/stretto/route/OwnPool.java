package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.NoMemoryPoolException;
import java.util.HashMap;
import java.util.Map;

/**
 * A pool of the program's own. Its blocks hold it: closed, it is destroyed when all of them are
 * freed, and their frees are done. Before that, another device might still be using a block, and
 * destroying the pool ends the access of other devices.
 */
public final class OwnPool extends Resource {
  private final DeviceRuntime engine;
  private final long handle;
  private final long maxBytes;

  /** The last free on each stream; guarded by the map itself. */
  private final Map<Completion, Long> frees = new HashMap<>();

  private OwnPool(DeviceRuntime engine, long handle, long maxBytes) {
    this.engine = engine;
    this.handle = handle;
    this.maxBytes = maxBytes;
  }

  /**
   * {@return a new pool}
   *
   * @param engine the device
   * @param maxBytes the most bytes that it may have, at least 1
   * @throws NoMemoryPoolException if the driver has no such pools
   */
  public static OwnPool create(DeviceRuntime engine, long maxBytes) {
    engine.requireUsable();
    return engine.call(
        () -> {
          OwnPool pool = new OwnPool(engine, handle(engine, maxBytes), maxBytes);
          if (!engine.resources().adopt(pool)) {
            boolean _ = pool.closeAfterLastUse();
            throw engine.device().closedException();
          }
          return pool;
        });
  }

  private static long handle(DeviceRuntime engine, long maxBytes) {
    try {
      return engine.driver().createPool(maxBytes);
    } catch (DriverException e) {
      if (e.kind() == DriverException.Kind.INVALID) {
        throw new NoMemoryPoolException(engine.name() + ": " + e.getMessage(), e);
      }
      throw e;
    }
  }

  /** {@return the device} */
  public DeviceRuntime engine() {
    return engine;
  }

  /** {@return the most bytes that it may have} */
  public long maxBytes() {
    return maxBytes;
  }

  /**
   * {@return what a question to the driver about the pool is answered}
   *
   * @param question gets the driver and the pool's handle
   * @throws ClosedException if the pool or the device is closed
   */
  public <T> T ask(Question<T> question) {
    requireHeld();
    try {
      return engine.call(() -> question.ask(engine.driver(), handle));
    } finally {
      letGo();
    }
  }

  /** Keeps the pool for a call that uses it, until {@link #letGo}. */
  void requireHeld() {
    engine.requireUsable();
    if (!isOpen() || !hold()) {
      throw new ClosedException(describe() + " is closed");
    }
  }

  long handle() {
    return handle;
  }

  /** Notes that a stream frees a block of this pool. */
  void freedOn(Completion stream, long sequence) {
    synchronized (frees) {
      frees.merge(stream, sequence, Math::max);
    }
  }

  @Override
  public String describe() {
    return "the memory pool of at most " + maxBytes + " bytes on " + engine.name();
  }

  @Override
  protected void release() {
    Map<Completion, Long> last;
    synchronized (frees) {
      last = Map.copyOf(frees);
    }
    Countdown done =
        new Countdown(
            last.size() + 1, () -> engine.device().hostWork().submitBlocking(this::destroy));
    last.forEach((stream, sequence) -> stream.whenDone(sequence, done));
    done.run();
  }

  private void destroy() {
    try {
      if (!engine.isLost()) {
        engine.driver().destroyPool(handle);
      }
    } catch (DriverException e) {
      engine.device().report(describe() + " could not be destroyed", e);
    } finally {
      engine.resources().released(this);
      gone();
    }
  }

  /** A question to the driver about a pool. */
  @FunctionalInterface
  public interface Question<T> {
    /**
     * {@return the answer}
     *
     * @param driver the device at the driver
     * @param pool the pool's handle
     */
    T ask(DriverDevice driver, long pool);
  }
}
