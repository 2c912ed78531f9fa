package dev.stretto.route;

import dev.stretto.driver.Cooperation;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets a seeded driver go on if it would stand still for ever. For example, a program that waits
 * for a latch which its callback counts down awaits nothing from the device, so nothing would ever
 * count it down. If the devices have work, but no thread has used them for a second, and every
 * thread that has used them waits for something else, a thread of Stretto steps them until one of
 * those threads goes on. This is logged once, because from then on the seed alone no longer decides
 * the order. A running thread may still come to an await, so it prevents this; a sleeping thread
 * does so for ten seconds.
 *
 * <p>If all devices of the driver are closed, no thread will await anything, and they are run to
 * their end.
 *
 * <p>If the program has a future of a device, a thread may wait for another future that depends on
 * it ({@link CompletableFuture#allOf}). Then the devices are stepped soon and without a message.
 */
final class Standstill {
  private static final long LOOK_NANOS = 10_000_000;
  private static final long FUTURE_NANOS = 30_000_000;
  private static final long PATIENCE_NANOS = 1_000_000_000;
  private static final long SLEEP_NANOS = 10_000_000_000L;

  /** How long the devices are stepped before the waiting threads are checked again. */
  private static final long BETWEEN_LOOKS_NANOS = 50_000;

  /** The instances for drivers with open devices; one thread serves all of them. */
  private static final Set<Standstill> ALL = ConcurrentHashMap.newKeySet();

  private final OpenDevices open;
  private final AtomicInteger futures = new AtomicInteger();
  private final AtomicBoolean told = new AtomicBoolean();
  private final AtomicBoolean goingOn = new AtomicBoolean();

  /** The use since which the last look has found all threads waiting; -1 if it has not. */
  private long waitingSince = -1;

  Standstill(OpenDevices open) {
    this.open = open;
  }

  /** Notes that a seeded device was opened. */
  void watch() {
    if (ALL.add(this)) {
      Watcher.start();
    }
  }

  /** Notes that the program has a future of a device. */
  void expects(CompletableFuture<?> future) {
    int _ = futures.incrementAndGet();
    CompletableFuture<?> _ = future.whenComplete((_, _) -> futures.decrementAndGet());
  }

  /** Whether there are devices to watch. */
  private boolean isNeeded() {
    return !open.all().isEmpty();
  }

  private void look() {
    DeviceState device = device();
    Cooperation devices = device == null ? null : device.cooperation();
    if (device == null || devices == null || goingOn.get() || !devices.canStep()) {
      return;
    }
    if (open.all().stream().allMatch(DeviceState::isClosed)) {
      start(device, device::finishIfClosed); // no thread will await them any more
      return;
    }
    Cooperation.Use use = devices.use();
    long idle = System.nanoTime() - use.nanos();
    boolean soon = futures.get() > 0;
    if (idle < (soon ? FUTURE_NANOS : PATIENCE_NANOS) || open.lock().isSteppedElsewhere()) {
      return;
    }
    boolean allWait = use.threads().stream().allMatch(thread -> waits(thread, idle));
    boolean waitedBefore = waitingSince == use.count();
    waitingSince = allWait ? use.count() : -1;
    if (allWait && !waitedBefore) {
      return; // one look may meet a thread in the middle of something
    }
    if (!soon || idle >= PATIENCE_NANOS) {
      tell(device, allWait);
    }
    if (allWait) {
      start(device, () -> goOn(device, devices));
    }
  }

  private void start(DeviceState device, Runnable body) {
    if (goingOn.compareAndSet(false, true)) {
      Thread _ =
          Thread.ofPlatform()
              .daemon()
              .inheritInheritableThreadLocals(false)
              .name("stretto-standstill " + device.name())
              .start(
                  () -> {
                    try {
                      body.run();
                    } finally {
                      goingOn.set(false);
                    }
                  });
    }
  }

  private void tell(DeviceState device, boolean allWait) {
    if (told.compareAndSet(false, true)) {
      ProgramLog.warn(
          device.name()
              + " is seeded and has work, but nobody has awaited any of it for a second: "
              + (allWait
                  ? "all threads that use it wait for something else, so it goes on by itself, and"
                      + " the seed alone no longer decides the order. Await an event, a copy or a"
                      + " stream, and the order is the same on every run"
                  : "it stands still until a thread does, or until all threads that use it wait for"
                      + " something else"),
          null);
    }
  }

  private @Nullable DeviceState device() {
    return open.all().stream().findFirst().orElse(null);
  }

  /** Whether a thread presumably does not go on by itself. */
  static boolean waits(Thread thread, long idle) {
    return switch (thread.getState()) {
      case WAITING, BLOCKED, TERMINATED -> true;
      case TIMED_WAITING ->
          idle >= SLEEP_NANOS
              || (!sleeps(thread) && thread.getState() != Thread.State.RUNNABLE); // still
      case NEW, RUNNABLE -> false;
    };
  }

  private static boolean sleeps(Thread thread) {
    return Stream.of(thread.getStackTrace())
        .limit(4)
        .anyMatch(
            frame ->
                frame.getMethodName().startsWith("sleep")
                    && frame.getClassName().startsWith("java.lang."));
  }

  /** Steps until another thread uses the devices, or goes on otherwise. */
  private static void goOn(DeviceState device, Cooperation devices) {
    devices.disregardThisThread();
    long uses = devices.use().count();
    long looked = System.nanoTime();
    while (device.stepOnce() && devices.use().count() == uses) {
      if (System.nanoTime() - looked > BETWEEN_LOOKS_NANOS) {
        Cooperation.Use use = devices.use();
        long idle = System.nanoTime() - use.nanos();
        if (!use.threads().stream().allMatch(thread -> waits(thread, idle))) {
          return;
        }
        looked = System.nanoTime();
      }
    }
  }

  /** The thread that serves all drivers; it ends when there is nothing to watch. */
  private static final class Watcher {
    private static final AtomicBoolean RUNS = new AtomicBoolean();

    static void start() {
      if (RUNS.compareAndSet(false, true)) {
        Thread _ =
            Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name("stretto-standstill")
                .start(Watcher::run);
      }
    }

    private static void run() {
      while (true) {
        LockSupport.parkNanos(Standstill.class, LOOK_NANOS);
        for (Standstill each : List.copyOf(ALL)) {
          if (each.isNeeded()) {
            look(each);
          } else if (ALL.remove(each) && each.isNeeded()) {
            ALL.add(each); // a device was opened at this very moment
          }
        }
        if (ALL.isEmpty()) {
          RUNS.set(false);
          if (ALL.isEmpty() || !RUNS.compareAndSet(false, true)) {
            return;
          }
        }
      }
    }

    private static void look(Standstill each) {
      try {
        each.look();
      } catch (RuntimeException e) {
        ProgramLog.error("a seeded device could not be checked for a standstill", e);
      }
    }
  }
}
