package dev.stretto.route;

import dev.stretto.driver.DriverException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * How a device is let go of, step by step and without blocking whoever closes it: first what uses
 * its memory ends, then its resources are released, at last the driver's device is closed.
 */
final class Closing {
  /**
   * How long a thread may be given to finish an access of pinned memory before it is looked again.
   */
  private static final long ACCESS_NANOS = 100_000;

  /** For how long a process that ends waits to hear how the work of closed devices has ended. */
  private static final long VERDICT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Closed devices whose work is not over. */
  private static final AtomicInteger PENDING = new AtomicInteger();

  private final DeviceRuntime engine;

  Closing(DeviceRuntime engine) {
    this.engine = engine;
  }

  /**
   * Begins.
   *
   * @param queues the streams
   * @param transfers staged copies that are under way
   * @param accesses to pinned memory
   */
  void begin(List<StreamQueue> queues, List<Staged> transfers, List<Arena> accesses) {
    int _ = PENDING.incrementAndGet();
    Countdown idle =
        new Countdown(
            queues.size() + transfers.size() + accesses.size() + 1, this::releaseResources);
    accesses.forEach(access -> endAccess(access, idle));
    transfers.forEach(transfer -> transfer.whenSettled(idle));
    for (StreamQueue queue : queues) {
      queue.whenDestroyed(idle);
      queue.close();
    }
    idle.run();
  }

  /**
   * The process ends: a program that closes its device and returns would never hear of a failure of
   * the last work, for nothing waits for that.
   */
  static void awaitVerdicts() {
    long begin = System.nanoTime();
    while ((PENDING.get() > 0 || !ProgramLog.isWritten())
        && System.nanoTime() - begin < VERDICT_NANOS) {
      LockSupport.parkNanos(ACCESS_NANOS);
    }
  }

  /** Ends the program's access to pinned memory, as soon as no thread is in the middle of one. */
  private void endAccess(Arena access, Runnable ended) {
    try {
      access.close();
    } catch (IllegalStateException e) {
      if (access.scope().isAlive()) {
        engine
            .device()
            .hostWork()
            .submitBlocking(
                () -> {
                  LockSupport.parkNanos(ACCESS_NANOS);
                  endAccess(access, ended);
                });
        return;
      }
    }
    ended.run();
  }

  private void releaseResources() {
    try {
      engine.device().askForTheLastTime();
    } finally {
      int _ = PENDING.decrementAndGet();
    }
    engine.slots().release();
    engine.smallSlots().release();
    List<Resource> open = engine.resources().beginReleasing();
    Countdown gone =
        new Countdown(
            open.size() + 1, () -> engine.device().hostWork().submitBlocking(this::closeDriver));
    for (Resource resource : open) {
      resource.whenReleased(gone);
      resource.closeAfterLastUse();
    }
    gone.run();
  }

  private void closeDriver() {
    if (!engine.device().awaitCalls()) {
      engine.device().hostWork().submitBlocking(this::closeDriver);
      return;
    }
    engine.pinned().trim();
    if (engine.device().isUsable()) {
      release("records of failed checks", () -> engine.faultRecords().release());
      release("an event", engine.device()::endProbe);
    }
    engine.timedEvents().destroyAll();
    engine.watch().stop();
    engine.device().open().remove(engine.device());
    if (!engine.device().hostWork().stop()) {
      return; // a thread still touches memory that would go: better kept than freed
    }
    try {
      engine.driver().close();
    } catch (DriverException e) {
      engine.device().report("the device could not be given back", e);
    }
  }

  private void release(String what, Runnable call) {
    try {
      call.run();
    } catch (DriverException e) {
      engine.device().report(what + " could not be given back", e);
    }
  }
}
