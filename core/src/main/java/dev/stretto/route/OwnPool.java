package dev.stretto.route;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.NoMemoryPoolException;
import dev.stretto.fault.NoSharingException;
import dev.stretto.process.Descriptors;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * A pool of the program's own. Its blocks hold it: closed, it is destroyed when all of them are
 * freed, and their frees are done. Before that, another device might still be using a block, and
 * destroying the pool ends the access of other devices.
 */
public final class OwnPool extends Resource {
  private final DeviceRuntime engine;
  private final long handle;
  private final long maxBytes;

  /** What opens the pool in other processes, open until it is destroyed; or none. */
  private final int descriptor;

  private final Kind kind;

  /** Whether the driver has refused to free some of its memory. */
  private volatile boolean keepsMemory;

  /** The last free on each stream; guarded by the map itself. */
  private final Map<Completion, Long> frees = new HashMap<>();

  /** Who uses it. */
  private enum Kind {
    OF_THIS_PROCESS("the memory pool of at most %d bytes on %s"),
    SHARED("the memory pool for other processes of at most %d bytes on %s"),
    OF_ANOTHER_PROCESS("the memory pool of another process of at most %d bytes on %s");

    final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private OwnPool(DeviceRuntime engine, long handle, long maxBytes, int descriptor, Kind kind) {
    this.engine = engine;
    this.handle = handle;
    this.maxBytes = maxBytes;
    this.descriptor = descriptor;
    this.kind = kind;
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
          long handle = handle(engine, maxBytes);
          return adopted(
              new OwnPool(engine, handle, maxBytes, Descriptors.NONE, Kind.OF_THIS_PROCESS));
        });
  }

  private static OwnPool adopted(OwnPool pool) {
    if (!pool.engine.resources().adopt(pool)) {
      boolean _ = pool.closeAfterLastUse();
      throw pool.engine.device().closedException();
    }
    return pool;
  }

  /**
   * {@return a new pool whose memory other processes can open}
   *
   * @param engine the device
   * @param maxBytes the most bytes that it may have, at least 1
   * @throws NoSharingException if the driver has no such pools
   */
  public static OwnPool createShared(DeviceRuntime engine, long maxBytes) {
    engine.requireUsable();
    return engine.call(
        () -> {
          DriverDevice driver = engine.driver();
          long handle = shared(engine, () -> driver.createSharedPool(maxBytes));
          int descriptor = Descriptors.NONE;
          boolean complete = false;
          try {
            descriptor = shared(engine, () -> driver.exportPool(handle));
            complete = true;
          } finally {
            if (!complete) {
              driver.destroyPool(handle);
            }
          }
          return adopted(new OwnPool(engine, handle, maxBytes, descriptor, Kind.SHARED));
        });
  }

  /**
   * {@return a pool of another process}
   *
   * @param engine the device
   * @param descriptor what has come over; it stays the caller's
   * @param maxBytes the most bytes that it may have
   * @throws NoSharingException if the driver refuses it
   */
  public static OwnPool open(DeviceRuntime engine, int descriptor, long maxBytes) {
    engine.requireUsable();
    return engine.call(
        () -> {
          long handle = shared(engine, () -> engine.driver().openPool(descriptor));
          return adopted(
              new OwnPool(engine, handle, maxBytes, Descriptors.NONE, Kind.OF_ANOTHER_PROCESS));
        });
  }

  /**
   * {@return what a call returns about memory for several processes}
   *
   * @throws NoSharingException if the driver refuses it
   */
  public static <T> T shared(DeviceRuntime engine, Supplier<T> call) {
    try {
      return call.get();
    } catch (DriverException e) {
      if (e.kind() == DriverException.Kind.LOST || e.kind() == DriverException.Kind.OUT_OF_MEMORY) {
        throw e;
      }
      throw new NoSharingException(
          "%s: the driver refuses to share memory with other processes: %s; use memory that is not shared, copied through the host, or another driver or container: what is shared needs the same IPC namespace, and may be switched off"
              .formatted(engine.name(), e.getMessage()),
          e);
    }
  }

  /** {@return what opens the pool in other processes, or none if they need none} */
  public int descriptor() {
    return descriptor;
  }

  /** {@return whether other processes can open its memory} */
  public boolean isShared() {
    return kind == Kind.SHARED;
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

  /** Notes that the driver has refused to free a block, which was reported. */
  void keepsMemory() {
    keepsMemory = true;
  }

  /** Notes that a stream frees a block of this pool. */
  void freedOn(Completion stream, long sequence) {
    synchronized (frees) {
      frees.merge(stream, sequence, Math::max);
    }
  }

  @Override
  public String describe() {
    return kind.words.formatted(maxBytes, engine.name());
  }

  @Override
  protected void release() {
    if (kind == Kind.OF_ANOTHER_PROCESS) {
      destroy(); // nothing was freed to it on a stream, and the other process waits for this
      return;
    }
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
      if (!keepsMemory || e.kind() != DriverException.Kind.INVALID) {
        engine.device().report(describe() + " could not be destroyed", e);
      } // else it follows from what was reported before
    } finally {
      Descriptors.close(descriptor);
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
