package dev.stretto.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Grid;
import dev.stretto.Stream;
import dev.stretto.driver.DeviceProperties;
import dev.stretto.driver.Driver;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.fault.DeviceLostException;
import dev.stretto.memory.GlobalInts;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A loss is found under the driver's lock, and asks what kernels have reported. A thread that makes
 * room for such reports must not be waited for then: it needs the lock itself.
 */
class LocksOfLossesTest {
  private static final long SECONDS = 20;

  /** Stops one thread where it pins memory, and loses the device in copies. */
  private static final class Stopping extends DriverTap {
    private final CountDownLatch pins = new CountDownLatch(1);
    private final CountDownLatch goesOn = new CountDownLatch(1);
    private volatile Thread stopped; // null: none yet
    private volatile boolean loses;

    Stopping(Driver driver) {
      super(driver);
    }

    @Override
    void before(Call call) {
      if (call == Call.ALLOCATE_PINNED && Thread.currentThread().equals(stopped)) {
        pins.countDown();
        awaitUninterruptibly(goesOn);
      }
      if (call == Call.COPY && loses) {
        throw new DriverException(Kind.LOST, 700, "injected into a copy");
      }
    }

    @Override
    DeviceTap tap(DriverDevice device) {
      return new NoVirtualDevice(device);
    }

    /** Kernels that run as Java report nothing by memory, so this has to be taken for a GPU. */
    private final class NoVirtualDevice extends DeviceTap {
      NoVirtualDevice(DriverDevice device) {
        super(device);
      }

      @Override
      public DeviceProperties properties() {
        return withDriver(super.properties(), "tapped");
      }
    }
  }

  @Test
  @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void aLossIsToldWhileAnotherThreadPinsRoomForReportsOfKernels() throws Exception {
    Stopping[] tap = new Stopping[1];
    Machine.Opened opened = new Machine("virtual").open(driver -> tap[0] = new Stopping(driver));
    Device device = opened.device();
    Stream stream = device.stream();
    GlobalInts array = device.allocateInts(100);
    MemorySegment host = device.pinnedArena().allocate(400, 4);
    CompletableFuture<Object> prepared = new CompletableFuture<>();
    Thread prepares =
        Thread.ofPlatform()
            .daemon()
            .unstarted(
                () -> {
                  try {
                    prepared.complete(
                        device.prepare(Grid.of(1, 32), MethodKernels::outOfBounds, array, 1));
                  } catch (RuntimeException e) {
                    prepared.complete(e);
                  }
                });
    tap[0].stopped = prepares;
    prepares.start();
    assertThat(tap[0].pins.await(SECONDS, TimeUnit.SECONDS)).isTrue();

    tap[0].loses = true;
    CompletableFuture<Object> copied = new CompletableFuture<>();
    Thread copies =
        Thread.ofPlatform()
            .daemon()
            .start(
                () -> {
                  try {
                    copied.complete(stream.copy(host, array));
                  } catch (RuntimeException e) {
                    copied.complete(e);
                  }
                });
    try {
      // It is told now, not when the driver has pinned the memory.
      copies.join(SECONDS * 1_000);
      assertThat(copied).isCompleted();
      assertThat(copied.join()).isInstanceOf(DeviceLostException.class);
      assertThat(device.isLost()).isTrue();
    } finally {
      tap[0].goesOn.countDown();
    }
    prepares.join(SECONDS * 1_000);
    assertThat(prepared).isCompleted();
    opened.close();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      if (!latch.await(2 * SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("nobody lets this thread go on");
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static DeviceProperties withDriver(DeviceProperties is, String driver) {
    return new DeviceProperties(
        is.name(),
        driver,
        is.ordinal(),
        is.driverVersion(),
        is.computeMajor(),
        is.computeMinor(),
        is.totalBytes(),
        is.multiprocessors(),
        is.warpSize(),
        is.maxThreadsPerBlock(),
        is.maxBlockX(),
        is.maxBlockY(),
        is.maxBlockZ(),
        is.maxGridX(),
        is.maxGridY(),
        is.maxGridZ(),
        is.sharedBytesPerBlock(),
        is.sharedBytesPerBlockOptIn(),
        is.registersPerBlock(),
        is.copyEngines(),
        is.clockKilohertz(),
        is.memoryClockKilohertz(),
        is.memoryBusBits(),
        is.l2Bytes(),
        is.pciBusId(),
        is.lowestPriority(),
        is.greatestPriority());
  }
}
