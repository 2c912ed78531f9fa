package dev.stretto.driver.virtual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageableCopyTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3"})
  void aSourceMayBeOverwrittenWhenTheCallReturns(String config) {
    try (Rig rig = new Rig(config);
        Arena arena = Arena.ofConfined()) {
      for (int bytes : new int[] {100, 64 << 10, 1 << 20}) {
        long device = rig.device.allocate(bytes);
        long stream = rig.stream();
        MemorySegment source = arena.allocate(bytes).fill((byte) 3);
        rig.toDevice(device, source.address(), bytes, stream);
        source.fill((byte) 9);
        rig.device.copyPageable(device, source.fill((byte) 4), CopyKind.HOST_TO_DEVICE, stream);
        source.fill((byte) 9);
        rig.await(stream);
        assertThat(rig.bytes(device, bytes)).containsOnly(4);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3"})
  void aDestinationIsWrittenWhenTheCallReturns(String config) {
    try (Rig rig = new Rig(config);
        Arena arena = Arena.ofConfined()) {
      long device = rig.device.allocate(1 << 20);
      long stream = rig.stream();
      rig.device.fill(device, 6, 1, 1 << 20, stream);
      MemorySegment destination = arena.allocate(1 << 20);
      rig.device.copyPageable(device, destination, CopyKind.DEVICE_TO_HOST, stream);
      assertThat(destination.toArray(ValueLayout.JAVA_BYTE)).containsOnly(6);
      destination.fill((byte) 0);
      rig.toHost(destination.address(), device, 1 << 20, stream);
      assertThat(destination.toArray(ValueLayout.JAVA_BYTE)).containsOnly(6);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {0, DriverDevice.LEGACY_STREAM, DriverDevice.PER_THREAD_STREAM})
  @Timeout(20)
  void aLargeSourceIsReadOnlyWhenTheStreamHasDoneAllBefore(long handle) throws Exception {
    int bytes = (64 << 10) + 1;
    try (Rig rig = new Rig("");
        Arena arena = Arena.ofShared()) {
      long device = rig.device.allocate(bytes);
      MemorySegment source = arena.allocate(bytes).fill((byte) 3);
      AtomicBoolean returned = new AtomicBoolean();
      AtomicReference<Gate> gate = new AtomicReference<>();
      CountDownLatch begun = new CountDownLatch(1);
      Thread copying =
          Thread.ofPlatform()
              .start(
                  () -> {
                    long stream = handle == 0 ? rig.stream() : handle;
                    gate.set(new Gate(rig, stream));
                    begun.countDown();
                    rig.device.copyPageable(device, source, CopyKind.HOST_TO_DEVICE, stream);
                    returned.set(true);
                  });
      begun.await();
      while (copying.getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }
      assertThat(returned).isFalse();
      source.fill((byte) 4);
      gate.get().open();
      copying.join();
      assertThat(rig.bytes(device, bytes)).containsOnly(4);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1", "seed=2", "seed=3", "seed=4"})
  void whatWasBeforeALargeCopyOnItsStreamIsDoneWhenTheCallReturns(String config) {
    int bytes = (64 << 10) + 1;
    try (Rig rig = new Rig(config);
        Arena arena = Arena.ofConfined()) {
      MemorySegment source = arena.allocate(bytes).fill((byte) 3);
      for (long stream :
          new long[] {rig.stream(), rig.device.createBlockingStream(0), 1, 2, rig.stream()}) {
        long device = rig.device.allocate(bytes);
        long before = rig.pinned(bytes, 0);
        rig.device.fill(device, 6, 1, bytes, stream);
        rig.toHost(before, device, bytes, stream);
        rig.device.copyPageable(device, source, CopyKind.HOST_TO_DEVICE, stream);
        assertThat(Rig.view(before, bytes).toArray(ValueLayout.JAVA_BYTE)).containsOnly(6);
        assertThat(rig.bytes(device, bytes)).hasSize(bytes);
        rig.await(stream);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "seed=1"})
  void rowsTravelTheSameWay(String config) {
    try (Rig rig = new Rig(config);
        Arena arena = Arena.ofConfined()) {
      long device = rig.device.allocate(64);
      long stream = rig.stream();
      rig.device.fill(device, 1, 1, 64, stream);
      MemorySegment host = arena.allocate(64).fill((byte) 7);
      rig.device.copy2D(device, 16, host.address(), 20, 10, 3, CopyKind.HOST_TO_DEVICE, stream);
      host.fill((byte) 0);
      rig.device.copy2D(host.address(), 12, device, 16, 12, 4, CopyKind.DEVICE_TO_HOST, stream);
      for (int i = 0; i < 48; i++) {
        assertThat(host.get(ValueLayout.JAVA_BYTE, i))
            .as("byte %d", i)
            .isEqualTo((byte) (i % 12 < 10 && i < 36 ? 7 : 1));
      }
    }
  }

  @Test
  void partlyPinnedMemoryGoesThePageableWay() {
    try (Rig rig = new Rig("");
        Arena arena = Arena.ofShared()) {
      long device = rig.device.allocate(256 << 10);
      MemorySegment host = arena.allocate(256 << 10);
      rig.device.registerHost(host.address(), 128 << 10);
      long stream = rig.stream();
      rig.device.fill(device, 6, 1, 256 << 10, stream);
      rig.toHost(host.address(), device, 256 << 10, stream);
      assertThat(host.toArray(ValueLayout.JAVA_BYTE)).containsOnly(6);
    }
  }

  @Test
  void aSegmentKeepsItsOwnRules() {
    try (Rig rig = new Rig("")) {
      long device = rig.device.allocate(64);
      long stream = rig.stream();
      MemorySegment closed;
      try (Arena arena = Arena.ofConfined()) {
        closed = arena.allocate(64);
        MemorySegment readOnly = closed.asReadOnly();
        assertThatThrownBy(
                () -> rig.device.copyPageable(device, readOnly, CopyKind.DEVICE_TO_HOST, stream))
            .hasMessageContaining("read-only");
      }
      assertThatThrownBy(
              () -> rig.device.copyPageable(device, closed, CopyKind.HOST_TO_DEVICE, stream))
          .isInstanceOf(IllegalStateException.class);
      assertThatThrownBy(
              () ->
                  rig.device.copyPageable(
                      device, MemorySegment.ofArray(new byte[64]), CopyKind.HOST_TO_DEVICE, stream))
          .hasMessageContaining("native memory");
    }
  }
}
