package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PinnedMemoryTest {
  @Test
  void pinnedMemoryIsPageAlignedAndZero() {
    try (Rig rig = new Rig("")) {
      long address = rig.device.allocatePinned(10_001);
      assertThat(address % 4096).isZero();
      assertThat(Rig.view(address, 10_001).toArray(ValueLayout.JAVA_BYTE))
          .isEqualTo(new byte[10_001]);
    }
  }

  @Test
  void pinningTooMuchSaysHowMuchIsLeft() {
    try (Rig rig = new Rig("pinned=8192")) {
      long address = rig.device.allocatePinned(4096);
      DriverException e =
          catchThrowableOfType(DriverException.class, () -> rig.device.allocatePinned(4097));
      assertThat(e.kind()).isEqualTo(DriverException.Kind.OUT_OF_HOST_MEMORY);
      assertThat(e).hasMessageContaining("4097 bytes are requested, 4096 of 8192");
      rig.device.freePinned(address);
      rig.device.freePinned(rig.device.allocatePinned(8192));
    }
  }

  @Test
  void freeingWhatIsNotPinnedIsRefused() {
    try (Rig rig = new Rig("");
        Arena arena = Arena.ofConfined()) {
      long address = rig.device.allocatePinned(64);
      rig.device.freePinned(address);
      assertThatThrownBy(() -> rig.device.freePinned(address))
          .isInstanceOf(DriverException.class)
          .hasMessageContaining("does not begin a pinned range");
      long mine = arena.allocate(64).address();
      rig.device.registerHost(mine, 64);
      assertThatThrownBy(() -> rig.device.freePinned(mine))
          .hasMessageContaining("begins another kind of pinned range");
    }
  }

  @Test
  void registeringTwiceOrOverlappingIsRefusedAsCudaDoes() {
    try (Rig rig = new Rig("");
        Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(1000).address();
      rig.device.registerHost(address + 100, 100);
      for (long[] range : new long[][] {{100, 100}, {199, 1}, {0, 101}, {0, 1000}, {150, 10}}) {
        DriverException e =
            catchThrowableOfType(
                DriverException.class, () -> rig.device.registerHost(address + range[0], range[1]));
        assertThat(e.code()).isEqualTo(712);
        assertThat(e).hasMessageContaining("HOST_MEMORY_ALREADY_REGISTERED");
      }
      rig.device.registerHost(address, 100);
      rig.device.registerHost(address + 200, 100);
      assertThat(rig.driver.live(0).registered()).isEqualTo(3);
    }
  }

  @Test
  void unregisteringWhatIsNotRegisteredIsRefusedAsCudaDoes() {
    try (Rig rig = new Rig("");
        Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(1000).address();
      assertThat(
              catchThrowableOfType(DriverException.class, () -> rig.device.unregisterHost(address))
                  .code())
          .isEqualTo(713);
      rig.device.registerHost(address, 1000);
      rig.device.unregisterHost(address);
      rig.device.registerHost(address, 1000);
    }
  }

  @Test
  @Timeout(value = 20, unit = TimeUnit.SECONDS)
  void aCopyOfPinnedMemoryDoesNotBlock() {
    try (Rig rig = new Rig("");
        Arena arena = Arena.ofShared()) {
      long device = rig.device.allocate(1 << 20);
      MemorySegment mine = arena.allocate(1 << 20).fill((byte) 5);
      long stream = rig.stream();
      rig.device.registerHost(mine.address(), 1 << 20);
      try (Gate gate = new Gate(rig, stream)) {
        rig.toDevice(device, mine.address(), 1 << 20, stream);
        rig.toHost(mine.address(), device, 1 << 20, stream);
        long event = rig.record(stream);
        assertThat(rig.device.isDone(event)).isFalse();
        gate.open();
        rig.device.awaitEvent(event);
      }
      assertThat(rig.bytes(device, 1)).containsExactly(5);
      rig.device.unregisterHost(mine.address());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=3"})
  void freeingPinnedMemoryUnderAnEnqueuedCopyLosesTheDevice(String config) {
    try (Rig rig = new Rig(config)) {
      long device = rig.device.allocate(64);
      long host = rig.pinned(64, 1);
      long stream = rig.stream();
      try (Gate gate = new Gate(rig, stream)) {
        rig.toDevice(device, host, 64, stream);
        rig.device.freePinned(host);
        gate.open();
      }
      assertThatThrownBy(() -> rig.await(stream))
          .hasMessageContaining("were freed or unregistered while a copy of them was enqueued");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=3"})
  void memoryThatIsRegisteredAsReadOnlyIsNeverWritten(String config) {
    try (Rig rig = new Rig(config);
        Arena arena = Arena.ofShared()) {
      MemorySegment mine = arena.allocate(8192, 4096).fill((byte) 5);
      long host = mine.address();
      long device = rig.device.allocate(8192);
      long stream = rig.stream();
      rig.device.registerReadOnly(host, 4096);
      rig.toDevice(device, host, 4096, stream);
      rig.await(stream);
      assertThat(rig.bytes(device, 4096)).containsOnly(5);
      for (long[] range : new long[][] {{0, 4096}, {4095, 1}, {0, 8192}, {4000, 4000}}) {
        assertThatThrownBy(() -> rig.toHost(host + range[0], device, range[1], stream))
            .isInstanceOf(DriverException.class)
            .hasMessageContaining("4096 bytes at")
            .hasMessageContaining("registered as read-only");
      }
      assertThatThrownBy(() -> rig.device.writeValue(host + 8, 1, 8, stream))
          .isInstanceOf(DriverException.class)
          .hasMessageContaining("registered as read-only");
      rig.toHost(host + 4096, device, 4096, stream);
      rig.await(stream);
      assertThat(rig.driver.live(0).registered()).isOne();
      rig.device.unregisterHost(host);
      rig.device.registerHost(host, 4096);
      rig.toHost(host, device, 4096, stream);
      rig.await(stream);
      rig.device.unregisterHost(host);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=3"})
  void memoryThatBecomesReadOnlyUnderAnEnqueuedCopyLosesTheDevice(String config) {
    try (Rig rig = new Rig(config);
        Arena arena = Arena.ofShared()) {
      long host = arena.allocate(64, 64).address();
      long device = rig.device.allocate(64);
      long stream = rig.stream();
      rig.device.registerHost(host, 64);
      try (Gate gate = new Gate(rig, stream)) {
        rig.toHost(host, device, 64, stream);
        rig.device.unregisterHost(host);
        rig.device.registerReadOnly(host, 64);
        gate.open();
      }
      assertThatThrownBy(() -> rig.await(stream))
          .hasMessageContaining("were registered as read-only while a copy to them was enqueued");
    }
  }

  @Test
  void memoryPinnedThroughOneDeviceIsPinnedForAll() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("2,seed=1"));
    try (var first = driver.open(0);
        var second = driver.open(1)) {
      long host = first.allocatePinned(1 << 20);
      long device = second.allocate(1 << 20);
      long stream = second.createStream(0);
      second.copy(host, device, 1 << 20, CopyKind.DEVICE_TO_HOST, stream);
      long event = second.createEvent(false);
      second.recordEvent(event, stream);
      // On the pageable path the call itself would have waited for the copy.
      assertThat(second.isDone(event)).isFalse();
      second.awaitEvent(event);
    }
  }
}
