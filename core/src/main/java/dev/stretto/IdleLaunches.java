package dev.stretto;

import dev.stretto.fault.LaunchException;
import dev.stretto.kernel.KernelReference;
import dev.stretto.route.DeviceRuntime;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The launches of one loaded kernel that no thread has at the moment. A launch that was not
 * prepared takes one, sets its arguments, and puts it back, so that it allocates nothing.
 */
final class IdleLaunches {
  /** How many threads may launch a kernel at the same time without making new launches. */
  private static final int PLACES = 16;

  private final DeviceRuntime engine;
  private final AtomicReferenceArray<@Nullable RepeatedLaunch> idle =
      new AtomicReferenceArray<>(PLACES);
  private final AtomicInteger made = new AtomicInteger();

  IdleLaunches(DeviceRuntime engine) {
    this.engine = engine;
  }

  /**
   * {@return a launch of this shape, which only the caller has until it puts it back}
   *
   * @param loaded the kernel
   * @param method the method that it was compiled from, or null
   * @param constants the values that it was compiled for
   * @throws dev.stretto.fault.LaunchException if the shape asks for more than the device or the
   *     kernel has
   */
  RepeatedLaunch take(
      LoadedKernel loaded, Grid grid, @Nullable KernelReference method, List<Object> constants) {
    int first = first();
    for (int i = 0; i < PLACES; i++) {
      int place = (first + i) & (PLACES - 1);
      RepeatedLaunch launch = idle.getAcquire(place);
      if (launch != null
          && launch.launch().hasShape(grid)
          && idle.compareAndSet(place, launch, null)) {
        return launch;
      }
    }
    // A copy, because a grid that goes nowhere else is never really made where this is inlined.
    return reshaped(loaded, grid.withSharedBytes(grid.sharedBytes()), method, constants);
  }

  /**
   * A launch of a shape that none has. While there are few, it is a new one, so that a program may
   * take turns with some shapes.
   */
  private RepeatedLaunch reshaped(
      LoadedKernel loaded, Grid grid, @Nullable KernelReference method, List<Object> constants) {
    if (made.get() < PLACES && made.incrementAndGet() <= PLACES) {
      return make(loaded, grid, false, method, constants);
    }
    for (int i = 0; i < PLACES; i++) {
      RepeatedLaunch launch = idle.getAndSet(i, null);
      if (launch != null) {
        boolean fits = false;
        try {
          launch.launch().reshape(grid);
          fits = true;
          return launch;
        } finally {
          if (!fits) {
            launch.putBack();
          }
        }
      }
    }
    return make(loaded, grid, true, method, constants);
  }

  private RepeatedLaunch make(
      LoadedKernel loaded,
      Grid grid,
      boolean lent,
      @Nullable KernelReference method,
      List<Object> constants) {
    Launch launch;
    try {
      launch = new Launch(engine, loaded, grid, !lent);
    } catch (LaunchException e) {
      if (!lent) {
        made.decrementAndGet();
      }
      throw e;
    }
    return new RepeatedLaunch(launch, this, lent, method, constants);
  }

  /** Puts back a launch that was enqueued or refused. */
  void putBack(RepeatedLaunch launch) {
    int first = first();
    for (int i = 0; i < PLACES; i++) {
      if (idle.compareAndSet((first + i) & (PLACES - 1), null, launch)) {
        return;
      }
    }
    made.decrementAndGet(); // every place was taken as it was looked at
  }

  /** Threads begin at different places to avoid contention. */
  private static int first() {
    return (int) Thread.currentThread().threadId();
  }
}
