package dev.stretto.driver.virtual;

import static dev.stretto.driver.DriverDevice.DEFAULT_POOL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.stretto.driver.DriverException;
import dev.stretto.driver.PoolAttribute;
import org.junit.jupiter.api.Test;

/** Memory that is allocated and freed in the order of streams, at the level of the driver. */
class PoolTest {
  private static final int BYTES = 1000;

  @Test
  void memoryIsPoisonedWhenItIsAllocatedAndItsAddressIsNotGivenOutAgain() {
    try (Rig rig = new Rig("")) {
      long stream = rig.stream();
      long address = rig.device.allocateAsync(BYTES, DEFAULT_POOL, stream);
      rig.await(stream);
      assertThat(rig.bytes(address, BYTES)).isEqualTo(Rig.pattern(Poison.FRESH, BYTES));
      rig.device.freeAsync(address, stream);
      assertThat(rig.device.allocateAsync(BYTES, DEFAULT_POOL, stream)).isNotEqualTo(address);
    }
  }

  @Test
  void touchingMemoryBeforeItsStreamHasComeToItLosesTheDeviceWithTheReason() {
    try (Rig rig = new Rig("")) {
      long stream = rig.stream();
      long other = rig.stream();
      try (Gate gate = new Gate(rig, stream)) {
        long address = rig.device.allocateAsync(BYTES, DEFAULT_POOL, stream);
        rig.device.fill(address, 1, 1, BYTES, other);
        DriverException e = catchThrowableOfType(DriverException.class, () -> rig.await(other));
        assertThat(e.kind()).isEqualTo(DriverException.Kind.LOST);
        assertThat(e)
            .hasMessageContaining("1000 bytes")
            .hasMessageContaining("used before they are allocated")
            .hasMessageContaining("have to wait for an event");
      }
    }
  }

  @Test
  void aKernelThatTouchesMemoryTooEarlyLosesTheDevice() {
    try (Rig rig = new Rig("")) {
      long stream = rig.stream();
      long other = rig.stream();
      try (Gate gate = new Gate(rig, stream)) {
        long address = rig.device.allocateAsync(BYTES, DEFAULT_POOL, stream);
        rig.launch(rig.kernel((first, last, parameters, memory) -> memory.at(address), 0), other);
        assertThatThrownBy(() -> rig.await(other))
            .hasMessageContaining("before they are allocated");
      }
    }
  }

  @Test
  void touchingMemoryAfterAStreamHasFreedItLosesTheDevice() {
    try (Rig rig = new Rig("")) {
      long stream = rig.stream();
      long other = rig.stream();
      long address = rig.device.allocate(BYTES);
      try (Gate gate = new Gate(rig, other)) {
        rig.device.fill(address, 1, 1, BYTES, other);
        rig.device.freeAsync(address, stream);
        rig.await(stream);
      }
      assertThatThrownBy(() -> rig.await(other)).hasMessageContaining("no live allocation");
    }
  }

  @Test
  void whatIsToBeFreedCanNeitherBeFreedNorNamedAgain() {
    try (Rig rig = new Rig("seed=1")) {
      long stream = rig.stream();
      long address = rig.device.allocateAsync(BYTES, DEFAULT_POOL, stream);
      rig.device.fill(address, 1, 1, BYTES, stream);
      assertThatThrownBy(() -> rig.device.free(address))
          .hasMessageContaining("used before they are allocated");
      rig.device.freeAsync(address, stream);
      assertThatThrownBy(() -> rig.device.freeAsync(address, stream))
          .hasMessageContaining("freed in the order of stream");
      assertThatThrownBy(() -> rig.device.free(address))
          .hasMessageContaining("freed in the order of stream");
      assertThatThrownBy(() -> rig.device.fill(address, 1, 1, BYTES, stream))
          .hasMessageContaining("freed in the order of stream");
      rig.await(stream);
      assertThatThrownBy(() -> rig.device.freeAsync(address, stream))
          .hasMessageContaining("no allocation begins");
      assertThat(rig.driver.live(0).allocations()).isZero();
    }
  }

  @Test
  void theBooksFollowTheStream() {
    try (Rig rig = new Rig("seed=2")) {
      long stream = rig.stream();
      long address = rig.device.allocateAsync(1 << 20, DEFAULT_POOL, stream);
      assertThat(rig.device.poolAttribute(DEFAULT_POOL, PoolAttribute.USED)).isEqualTo(1 << 20);
      rig.device.freeAsync(address, stream);
      assertThat(rig.device.poolAttribute(DEFAULT_POOL, PoolAttribute.USED)).isEqualTo(1 << 20);
      rig.await(stream);
      assertThat(rig.device.poolAttribute(DEFAULT_POOL, PoolAttribute.USED)).isZero();
      assertThat(rig.device.poolAttribute(DEFAULT_POOL, PoolAttribute.RESERVED)).isEqualTo(1 << 20);
      assertThat(rig.device.poolAttribute(DEFAULT_POOL, PoolAttribute.PEAK_USED))
          .isEqualTo(1 << 20);
      rig.device.trimPool(DEFAULT_POOL, 1000);
      assertThat(rig.device.poolAttribute(DEFAULT_POOL, PoolAttribute.RESERVED)).isEqualTo(1000);
      assertThatThrownBy(() -> rig.device.poolAttribute(DEFAULT_POOL, PoolAttribute.USED, 0))
          .hasMessageContaining("can only be read");
      assertThatThrownBy(() -> rig.device.poolAttribute(DEFAULT_POOL, PoolAttribute.PEAK_USED, 1))
          .hasMessageContaining("only to 0");
    }
  }

  @Test
  void allocatingAndFreeingTakeTheHostsTimeAndNoneOfTheDevices() {
    try (Rig rig = new Rig("seed=3")) {
      long stream = rig.stream();
      long before = rig.device.clock().now();
      rig.device.freeAsync(rig.device.allocateAsync(BYTES, DEFAULT_POOL, stream), stream);
      long called = rig.device.clock().now();
      assertThat(called).isGreaterThan(before).isLessThan(before + 100_000);
      assertThat(rig.device.eventNanos(rig.record(stream))).isLessThan(called + 100_000);
    }
  }

  @Test
  void closingWithMemoryThatIsStillToBeAllocatedOrFreedGivesItBack() {
    Rig rig = new Rig("seed=4");
    long stream = rig.stream();
    long address = rig.device.allocateAsync(BYTES, DEFAULT_POOL, stream);
    long _ = rig.device.allocateAsync(BYTES, DEFAULT_POOL, stream);
    rig.device.freeAsync(address, stream);
    rig.close();
    assertThat(rig.driver.live(0)).isEqualTo(LiveCounts.NONE);
  }
}
