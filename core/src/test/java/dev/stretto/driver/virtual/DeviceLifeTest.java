package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class DeviceLifeTest {
  @Test
  void openingsOfOneOrdinalAreOneDevice() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("memory=4096"));
    DriverDevice one = driver.open(0);
    DriverDevice two = driver.open(0);
    long address = one.allocate(4096);
    assertThat(two.freeBytes()).isZero();
    one.close();
    one.close();
    assertThatThrownBy(() -> one.allocate(1))
        .isInstanceOf(DriverException.class)
        .hasMessageContaining("this opening of virtual device 0 was closed");
    two.free(address);
    assertThat(driver.live(0).openings()).isEqualTo(1);
    two.close();
    assertThat(driver.live(0)).isEqualTo(LiveCounts.NONE);
  }

  @Test
  void whatIsHeldIsCounted() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("2"));
    try (DriverDevice other = driver.open(1);
        DriverDevice device = driver.open(0);
        Arena arena = Arena.ofConfined()) {
      other.allocate(1);
      device.allocate(1);
      device.allocatePinned(1);
      device.registerHost(arena.allocate(64).address(), 64);
      device.createStream(0);
      device.createStream(-9);
      device.createEvent(true);
      device.loadModule(Rig.PTX.getBytes(StandardCharsets.UTF_8));
      assertThat(driver.live(0)).isEqualTo(new LiveCounts(1, 1, 1, 1, 2, 1, 1, 0, 0));
      assertThat(driver.live(1)).isEqualTo(new LiveCounts(1, 1, 0, 0, 0, 0, 0, 0, 0));
    }
    assertThat(driver.live(0)).isEqualTo(LiveCounts.NONE);
    assertThat(driver.live(1)).isEqualTo(LiveCounts.NONE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1"})
  void closingDropsWhatIsEnqueuedAndFreesWhatIsLeft(String config) {
    Rig rig = new Rig(config);
    long stream = rig.stream();
    long device = rig.device.allocate(1 << 20);
    long host = rig.pinned(1 << 20, 1);
    for (int i = 0; i < 100; i++) {
      rig.toDevice(device, host, 1 << 20, stream);
    }
    rig.close();
    assertThat(rig.driver.live(0)).isEqualTo(LiveCounts.NONE);
    try (DriverDevice again = rig.driver.open(0)) {
      again.awaitEvent(again.createEvent(false));
    }
  }

  @Test
  void noThreadIsLeftWhenTheDeviceIsClosed() throws InterruptedException {
    Set<Thread> before = Thread.getAllStackTraces().keySet(); // of other tests' devices
    Rig rig = new Rig("");
    rig.device.onProgress(() -> {});
    long stream = rig.stream();
    long device = rig.device.allocate(64);
    rig.device.fill(device, 0, 1, 64, stream);
    rig.toDevice(device, rig.pinned(64, 1), 64, stream);
    rig.await(stream);
    long event = rig.record(stream);
    rig.device.awaitEvent(event);
    rig.close();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("stretto-virtual-") && !before.contains(thread)) {
        assertThat(thread.join(Duration.ofSeconds(5))).as(thread.getName()).isTrue();
      }
    }
  }

  @Test
  void listenersAreToldWhenAnEventIsDone() throws InterruptedException {
    try (Rig rig = new Rig("")) {
      Semaphore told = new Semaphore(0);
      Thread[] teller = new Thread[1];
      assertThat(
              rig.device.onProgress(
                  () -> {
                    teller[0] = Thread.currentThread();
                    told.release();
                  }))
          .isTrue();
      long stream = rig.stream();
      long device = rig.device.allocate(64);
      rig.device.fill(device, 0, 1, 64, stream);
      long event = rig.record(stream);
      assertThat(told.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
      assertThat(rig.device.isDone(event)).isTrue();
      told.drainPermits();
      // The stream is idle now, so that the record is done at once; the device's thread tells of it
      // all the same.
      rig.device.recordEvent(event, stream);
      assertThat(told.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
      assertThat(teller[0].getName()).startsWith("stretto-virtual-");
    }
  }

  @Test
  void listenersAreToldWhenTheDeviceIsLost() throws InterruptedException {
    try (Rig rig = new Rig("")) {
      Semaphore told = new Semaphore(0);
      rig.device.onProgress(told::release);
      long stream = rig.stream();
      rig.launch(
          rig.kernel(
              () -> {
                throw new IllegalStateException("astray");
              }),
          stream);
      assertThat(told.tryAcquire(5, TimeUnit.SECONDS)).isTrue();
    }
  }

  @Test
  void aSeededDeviceDoesNotTellOfProgress() {
    try (Rig rig = new Rig("seed=1")) {
      assertThat(rig.device.onProgress(() -> {})).isFalse();
      assertThat(rig.device.cooperation()).isPresent();
    }
  }

  @Test
  void anOrdinalThatIsNotThereIsRefused() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("2"));
    assertThatThrownBy(() -> driver.open(2))
        .hasMessageContaining("there is no virtual device 2; there are 2, numbered from 0");
    assertThatThrownBy(() -> driver.properties(-1)).isInstanceOf(DriverException.class);
  }
}
