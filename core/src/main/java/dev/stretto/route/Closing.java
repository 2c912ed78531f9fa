package dev.stretto.route;

import dev.stretto.driver.DriverException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Closes a device step by step, without blocking the caller: first the work that uses its memory
 * ends, then its resources are released, and finally the driver's device is closed.
 */
final class Closing {
  /** How long a thread has to finish an access to pinned memory before the next check. */
  private static final long ACCESS_NANOS = 100_000;

  /** How long an ending process waits for the outcome of the work of closed devices. */
  private static final long VERDICT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many closed devices have work that is not over. */
  private static final AtomicInteger PENDING = new AtomicInteger();

  private final DeviceRuntime engine;

  Closing(DeviceRuntime engine) {
    this.engine = engine;
  }

  /**
   * Begins.
   *
   * @param queues the streams
   * @param transfers the staged copies in flight
   * @param accesses the arenas that give access to pinned memory
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
   * Waits for the outcome of the work of closed devices when the process ends. A program that
   * closes its device and returns would otherwise never learn that its last work failed.
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
      release("events of staged copies", engine::releaseFeeders);
      engine.streams().spares().release();
    }
    engine.timedEvents().destroyAll();
    engine.watch().stop();
    engine.device().open().remove(engine.device());
    if (!engine.device().hostWork().stop()) {
      return; // a thread still accesses the memory: better to keep it than to free it
    }
    try {
      engine.driver().close();
    } catch (DriverException e) {
      engine.device().report("the device could not be released", e);
    }
  }

  private void release(String what, Runnable call) {
    try {
      call.run();
    } catch (DriverException e) {
      engine.device().report(what + " could not be released", e);
    }
  }
}
