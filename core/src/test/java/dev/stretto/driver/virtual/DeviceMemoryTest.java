package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverException;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceMemoryTest {
  @Test
  void freshMemoryIsPoisoned() {
    try (Rig rig = new Rig("")) {
      long address = rig.device.allocate(100_001);
      assertThat(rig.bytes(address, 100_001)).isEqualTo(Rig.pattern(Poison.FRESH, 100_001));
    }
  }

  @Test
  void whatIsNotWrittenStaysPoisoned() {
    try (Rig rig = new Rig("")) {
      long bytes = 3 << 20;
      long address = rig.device.allocate(bytes);
      long stream = rig.stream();
      rig.device.fill(address + (1 << 20) + 2, 0, 1, 10, stream);
      rig.await(stream);
      byte[] expected = Rig.pattern(Poison.FRESH, (int) bytes);
      Arrays.fill(expected, (1 << 20) + 2, (1 << 20) + 12, (byte) 0);
      assertThat(rig.bytes(address, (int) bytes)).isEqualTo(expected);
    }
  }

  @Test
  void poisonIsNotANumberInEveryFormat() {
    int twice = (Poison.FRESH & 0xFFFF) * 0x10001;
    assertThat(Float.intBitsToFloat(twice)).isNaN();
    assertThat(Double.longBitsToDouble(((long) twice << 32) | Integer.toUnsignedLong(twice)))
        .isNaN();
    assertThat(Float.float16ToFloat(Poison.FRESH)).isNaN();
    assertThat(Float.intBitsToFloat(Poison.FRESH << 16)).as("bf16").isNaN();
  }

  @Test
  void memoryThatARunningKernelReachedStaysUntilItEndsThoughItIsFreed() {
    try (Rig rig = new Rig("seed=1")) {
      long address = rig.device.allocate(16);
      long stream = rig.stream();
      int[] seen = new int[2];
      long kernel =
          rig.kernel(
              (first, last, parameters, memory) -> {
                var segment = memory.at(address);
                seen[0] = segment.get(ValueLayout.JAVA_INT, 0);
                rig.device.free(address);
                // The launch still holds it, so this reads memory that is there.
                seen[1] = segment.get(ValueLayout.JAVA_INT, 0);
              },
              0);
      rig.launch(kernel, stream);
      rig.await(stream);
      assertThat(seen).containsExactly(0x7FF57FF5, 0x7FF57FF5);
      assertThat(rig.driver.live(0).allocations()).isZero();
    }
  }

  @Test
  void runningOutSaysWhatWasAskedForAndWhatIsFree() {
    try (Rig rig = new Rig("memory=1048576")) {
      rig.device.allocate(1 << 19);
      DriverException e =
          catchThrowableOfType(DriverException.class, () -> rig.device.allocate((1 << 19) + 1));
      assertThat(e.kind()).isEqualTo(DriverException.Kind.OUT_OF_MEMORY);
      assertThat(e.code()).isEqualTo(2);
      assertThat(e)
          .hasMessageContaining("524289 bytes are requested")
          .hasMessageContaining("524288 of the 1048576 bytes of virtual device 0 are free");
      assertThat(rig.device.freeBytes()).isEqualTo(1 << 19);
    }
  }

  @Test
  void allOfTheMemoryCanBeAllocated() {
    try (Rig rig = new Rig("memory=1048576")) {
      long address = rig.device.allocate(1 << 20);
      assertThat(rig.device.freeBytes()).isZero();
      rig.device.free(address);
      assertThat(rig.device.freeBytes()).isEqualTo(1 << 20);
    }
  }

  @Test
  @Timeout(20)
  void tenThousandRoundsOfAGibibyteTakeSeconds() {
    try (Rig rig = new Rig("memory=2147483648")) {
      for (int i = 0; i < 10_000; i++) {
        rig.device.free(rig.device.allocate(1L << 30));
      }
      assertThat(rig.device.freeBytes()).isEqualTo(1L << 31);
    }
  }

  @Test
  void addressesAreAlignedAndNoneOfTheHosts() {
    try (Rig rig = new Rig("")) {
      for (int i = 1; i < 2000; i += 77) {
        long address = rig.device.allocate(i);
        assertThat(address % 256).isZero();
        // Neither 48- nor 57-bit addresses, nor these with the top byte ignored, reach it.
        assertThat(address >>> 48 & 0xFF).isNotZero();
        assertThat(address).isGreaterThan(1L << 57);
      }
    }
  }

  @Test
  void aHostAddressWhereADeviceAddressBelongsIsSaidToBeOne() {
    try (Rig rig = new Rig("")) {
      long host = rig.pinned(64, 1);
      long device = rig.device.allocate(64);
      long stream = rig.stream();
      assertThatThrownBy(() -> rig.toDevice(host, host, 64, stream))
          .hasMessageContaining("is a host address; a device address is needed here");
      assertThatThrownBy(() -> rig.toDevice(device, device, 64, stream))
          .hasMessageContaining("is a device address; a host address is needed here");
      assertThatThrownBy(() -> rig.toHost(host, 0, 64, stream))
          .hasMessageContaining("host address");
    }
  }

  @Test
  void anotherDevicesAddressIsSaidToBeOne() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse("2"));
    try (var first = driver.open(0);
        var second = driver.open(1)) {
      long address = second.allocate(64);
      long stream = first.createStream(0);
      assertThatThrownBy(() -> first.fill(address, 0, 1, 64, stream))
          .hasMessageContaining("is an address of virtual device 1; this is device 0");
    }
  }

  @Test
  void aCopyPastTheEndIsRefusedWithTheNumbers() {
    try (Rig rig = new Rig("")) {
      long host = rig.pinned(128, 1);
      long device = rig.device.allocate(100);
      long stream = rig.stream();
      DriverException e =
          catchThrowableOfType(
              DriverException.class, () -> rig.toDevice(device + 1, host, 100, stream));
      assertThat(e.kind()).isEqualTo(DriverException.Kind.INVALID);
      assertThat(e).hasMessageContaining("100 bytes at").hasMessageContaining("end 1 bytes past");
      rig.toDevice(device + 1, host, 99, stream);
      rig.await(stream);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=3"})
  void usingFreedMemoryInEnqueuedWorkLosesTheDevice(String config) {
    try (Rig rig = new Rig(config)) {
      long device = rig.device.allocate(64);
      long host = rig.pinned(64, 1);
      long stream = rig.stream();
      Gate gate = new Gate(rig, stream);
      rig.toDevice(device, host, 64, stream);
      rig.device.free(device);
      gate.open();
      DriverException e = catchThrowableOfType(DriverException.class, () -> rig.await(stream));
      assertThat(e.kind()).isEqualTo(DriverException.Kind.LOST);
      assertThat(e.code()).isEqualTo(700);
      assertThat(e).hasMessageContaining("it was freed or never allocated");
    }
  }

  @Test
  void freeingTwiceIsRefused() {
    try (Rig rig = new Rig("")) {
      long device = rig.device.allocate(64);
      rig.device.free(device);
      assertThatThrownBy(() -> rig.device.free(device))
          .hasMessageContaining("no allocation begins at");
    }
  }

  @Test
  void rowsAreCopiedAndTheGapsBetweenThemAreNot() {
    try (Rig rig = new Rig("")) {
      long device = rig.device.allocate(64);
      long host = rig.pinned(64, 7);
      long stream = rig.stream();
      rig.device.fill(device, 1, 1, 64, stream);
      rig.device.copy2D(device, 16, host, 20, 10, 3, CopyKind.HOST_TO_DEVICE, stream);
      rig.await(stream);
      byte[] bytes = rig.bytes(device, 64);
      for (int i = 0; i < 64; i++) {
        assertThat(bytes[i]).as("byte %d", i).isEqualTo((byte) (i % 16 < 10 && i < 48 ? 7 : 1));
      }
    }
  }

  @Test
  void fillsRepeatElementsOfEverySize() {
    try (Rig rig = new Rig("")) {
      long device = rig.device.allocate(80_000);
      long stream = rig.stream();
      for (int size : new int[] {1, 2, 4, 8}) {
        rig.device.fill(device, 0x1122_3344_5566_7788L, size, 80_000 / size, stream);
        rig.await(stream);
        byte[] bytes = rig.bytes(device, 80_000);
        for (int i = 0; i < bytes.length; i++) {
          assertThat(bytes[i]).isEqualTo((byte) (0x1122_3344_5566_7788L >> (8 * (i % size))));
        }
      }
      assertThatThrownBy(() -> rig.device.fill(device + 2, 0, 4, 1, stream))
          .hasMessageContaining("not aligned");
      assertThatThrownBy(() -> rig.device.fill(device, 0, 3, 1, stream))
          .hasMessageContaining("elements of 3 bytes");
    }
  }
}
