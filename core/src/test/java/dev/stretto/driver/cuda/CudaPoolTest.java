package dev.stretto.driver.cuda;

import static dev.stretto.driver.DriverDevice.DEFAULT_POOL;
import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.driver.PoolAttribute;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Allocating and freeing in the order of a stream, and what can be asked of the pool. */
class CudaPoolTest extends OnFakeCuda {
  private static final long MIB = 1 << 20;

  private List<String> calls() {
    return fake.calls().stream().map(call -> call.substring(2)).toList();
  }

  @Test
  void thePoolOfADeviceMakesNoStreamWaitForAnother() {
    try (DriverDevice _ = driver.open(1)) {
      assertThat(calls()).contains("cuMemPoolSetAttribute 3 0");
    }
  }

  @Test
  void allocatingAndFreeingInAStreamsOrderAreOneCallEachAndWaitForNothing() {
    long stream = device.createStream(0);
    assertThat(calls()).isNotEmpty();

    long address = device.allocateAsync(1000, DEFAULT_POOL, stream);
    device.freeAsync(address, stream);

    assertThat(calls()).containsExactly("cuMemAllocFromPoolAsync 1000", "cuMemFreeAsync");
    assertThat(fake.live(FakeCuda.Kind.MEMORY)).isZero();
  }

  @Test
  void whatWasAllocatedForAllStreamsCanBeFreedInTheOrderOfOne() {
    long stream = device.createStream(0);
    long address = device.allocate(1000);
    device.freeAsync(address, stream);
    assertThat(fake.live(FakeCuda.Kind.MEMORY)).isZero();
    long ordered = device.allocateAsync(1000, DEFAULT_POOL, stream);
    device.free(ordered);
    assertThat(fake.live(FakeCuda.Kind.MEMORY)).isZero();
  }

  @Test
  void defaultStreamsAreThoseOfTheDevicesContext() {
    fake.makeCurrent(1);
    for (long stream : new long[] {DriverDevice.LEGACY_STREAM, DriverDevice.PER_THREAD_STREAM}) {
      long address = device.allocateAsync(1000, DEFAULT_POOL, stream);
      device.freeAsync(address, stream);
    }
    assertThat(fake.calls())
        .contains("0 cuMemAllocFromPoolAsync 1000", "0 cuMemFreeAsync")
        .noneMatch(call -> call.startsWith("1 cuMem"));
    assertThat(fake.current()).isEqualTo(1);
    assertThat(fake.depth()).isEqualTo(1);
  }

  @Test
  void memoryThatThePoolKeepsIsGivenBackBeforeAnAllocationFailsAndNoStreamIsWaitedFor() {
    long stream = device.createStream(0);
    device.freeAsync(device.allocateAsync(40 * MIB, DEFAULT_POOL, stream), stream);
    assertThat(calls()).isNotEmpty();

    long address = device.allocateAsync(50 * MIB, DEFAULT_POOL, stream);

    assertThat(address).isNotZero();
    assertThat(calls())
        .containsExactly(
            "cuMemAllocFromPoolAsync " + 50 * MIB,
            "cuMemPoolTrimTo 0",
            "cuMemAllocFromPoolAsync " + 50 * MIB);
    DriverException thrown =
        failure(Kind.OUT_OF_MEMORY, () -> device.allocateAsync(50 * MIB, DEFAULT_POOL, stream));
    assertThat(thrown)
        .hasMessageContaining("52428800 bytes were requested, 14680064 of 67108864 bytes are free");
  }

  @Test
  void wrongSizesAddressesAndStreamsAreRefused() {
    long stream = device.createStream(0);
    long address = device.allocateAsync(10, DEFAULT_POOL, stream);
    failure(Kind.INVALID, () -> device.allocateAsync(0, DEFAULT_POOL, stream));
    failure(Kind.INVALID, () -> device.allocateAsync(10, DEFAULT_POOL, 0));
    failure(Kind.INVALID, () -> device.allocateAsync(10, DEFAULT_POOL, 4096));
    failure(Kind.INVALID, () -> device.freeAsync(0, stream));
    failure(Kind.INVALID, () -> device.freeAsync(address + 1, stream));
    failure(Kind.INVALID, () -> device.freeAsync(address, 0));
    device.freeAsync(address, stream);
    failure(Kind.INVALID, () -> device.freeAsync(address, stream));
  }

  @Test
  void attributesAreReadAndSetByCudasNumbers() {
    long stream = device.createStream(0);
    long address = device.allocateAsync(5000, DEFAULT_POOL, stream);
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.USED)).isEqualTo(5000);
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.RESERVED)).isEqualTo(5000);
    device.freeAsync(address, stream);
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.USED)).isZero();
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.PEAK_USED)).isEqualTo(5000);
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.PEAK_RESERVED)).isEqualTo(5000);
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.RELEASE_THRESHOLD))
        .isEqualTo(256 * MIB);
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.FOLLOW_EVENTS)).isOne();
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.OPPORTUNISTIC)).isOne();
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.INTERNAL_DEPENDENCIES)).isZero();
    assertThat(calls()).isNotEmpty();

    device.poolAttribute(DEFAULT_POOL, PoolAttribute.PEAK_USED, 0);
    device.poolAttribute(DEFAULT_POOL, PoolAttribute.PEAK_RESERVED, 0);
    device.poolAttribute(DEFAULT_POOL, PoolAttribute.RELEASE_THRESHOLD, Long.MAX_VALUE);
    device.poolAttribute(DEFAULT_POOL, PoolAttribute.OPPORTUNISTIC, 0);
    device.trimPool(DEFAULT_POOL, 123);

    assertThat(calls())
        .containsExactly(
            "cuMemPoolSetAttribute 8 0",
            "cuMemPoolSetAttribute 6 0",
            "cuMemPoolSetAttribute 4 " + Long.MAX_VALUE,
            "cuMemPoolSetAttribute 2 0",
            "cuMemPoolTrimTo 123");
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.PEAK_USED)).isZero();
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.OPPORTUNISTIC)).isZero();
    failure(Kind.INVALID, () -> device.poolAttribute(DEFAULT_POOL, PoolAttribute.USED, 0));
  }

  @Test
  void aDeviceWithoutPoolsSaysSo() {
    fake.set("pools", 0);
    assertThat(device.hasPool()).isTrue();
    try (DriverDevice plain = driver.open(1)) {
      long stream = plain.createStream(0);
      assertThat(plain.hasPool()).isFalse();
      assertThat(failure(Kind.INVALID, () -> plain.allocateAsync(10, DEFAULT_POOL, stream)))
          .hasMessageContaining("no memory pools");
      failure(Kind.INVALID, () -> plain.freeAsync(16, stream));
      failure(Kind.INVALID, () -> plain.poolAttribute(DEFAULT_POOL, PoolAttribute.USED));
      failure(
          Kind.INVALID,
          () -> plain.poolAttribute(DEFAULT_POOL, PoolAttribute.RELEASE_THRESHOLD, 0));
      failure(Kind.INVALID, () -> plain.trimPool(DEFAULT_POOL, 0));
    }
  }

  @Test
  void aDeviceThatCannotBeOpenedKeepsNoPool() {
    int before = fake.live(FakeCuda.Kind.POOL);
    fake.failNext("cuMemPoolSetAttribute", 1);
    failure(Kind.INVALID, () -> driver.open(1));
    assertThat(fake.live(FakeCuda.Kind.POOL)).isEqualTo(before);
    assertThat(fake.retained(1)).isZero();
  }

  @Test
  void memoryWhoseAllocationCannotBeAwaitedIsGivenBack() {
    fake.failNext("cuStreamSynchronize", 1);
    failure(Kind.INVALID, () -> device.allocate(1000));
    assertThat(fake.live(FakeCuda.Kind.MEMORY)).isZero();
  }

  @Test
  void aPoolOfTheProgramsOwnHasALargestSize() {
    long stream = device.createStream(0);
    assertThat(calls()).isNotEmpty();

    long pool = device.createPool(3 * MIB);

    assertThat(calls())
        .contains("cuMemPoolCreate 1 0 1 0 0, at most " + 4 * MIB) // in pieces of two mebibytes
        .contains("cuMemPoolSetAttribute 3 0");
    long first = device.allocateAsync(3 * MIB, pool, stream);
    assertThat(failure(Kind.OUT_OF_MEMORY, () -> device.allocateAsync(2 * MIB, pool, stream)))
        .hasMessageContaining(2 * MIB + " bytes were requested")
        .hasMessageContaining(
            "the pool may have at most %d bytes, has %d, and %d of these are allocated"
                .formatted(4 * MIB, 3 * MIB, 3 * MIB));
    assertThat(device.poolAttribute(pool, PoolAttribute.USED)).isEqualTo(3 * MIB);
    assertThat(device.poolAttribute(DEFAULT_POOL, PoolAttribute.USED)).isZero();
    device.freeAsync(first, stream);
    long again = device.allocate(2 * MIB, pool);
    device.free(again);
    device.trimPool(pool, 0);
    assertThat(device.poolAttribute(pool, PoolAttribute.RESERVED)).isZero();
    device.destroyPool(pool);
    failure(Kind.INVALID, () -> device.destroyPool(pool));
    failure(Kind.INVALID, () -> device.createPool(0));
  }

  @Test
  void devicesWithAccessMayAccessPoolsThatAreMadeLater() {
    try (DriverDevice second = driver.open(1)) {
      long before = device.createPool(MIB);
      assertThat(calls()).isNotEmpty();
      second.enablePeerAccess(device);
      assertThat(calls()).filteredOn("cuMemPoolSetAccess of 0: 1 1 3"::equals).hasSize(2);

      long after = device.createPool(MIB);

      assertThat(calls()).filteredOn("cuMemPoolSetAccess of 0: 1 1 3"::equals).hasSize(1);
      device.destroyPool(before);
      device.destroyPool(after);
      assertThat(calls()).filteredOn("cuMemPoolSetAccess of 0: 1 1 0"::equals).hasSize(2);
      second.disablePeerAccess(device);
    }
  }
}
