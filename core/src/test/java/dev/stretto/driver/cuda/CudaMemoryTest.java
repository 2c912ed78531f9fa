package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.CopyKind;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException;
import dev.stretto.driver.DriverException.Kind;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class CudaMemoryTest extends OnFakeCuda {
  private static final long MIB = 1 << 20;

  @Test
  void openingCreatesAPoolOfItsOwnThatKeepsAQuarterGibibyte() {
    try (DriverDevice _ = driver.open(1)) {
      assertThat(fake.calls())
          .contains(
              // pinned (that is: ordinary device memory), not shareable, on device 1
              "1 cuMemPoolCreate 1 0 1 1 0, at most 0")
          .anyMatch(call -> call.endsWith("cuMemPoolSetAttribute 4 " + (256 * MIB)));
    }
  }

  @Test
  void anAllocationIsValidOnEveryStreamWhenItReturns() {
    long address = device.allocate(1000);

    assertThat(address % 256).isZero();
    assertThat(fake.calls())
        .extracting(call -> call.substring(2))
        .containsExactly("cuMemAllocFromPoolAsync 1000", "cuStreamSynchronize");
  }

  @Test
  void neitherAllocatingNorFreeingWaitsForTheDevice() {
    device.free(device.allocate(1000));

    assertThat(fake.calls()).noneMatch(call -> call.contains("cuMemAlloc_v2"));
    assertThat(fake.calls()).noneMatch(call -> call.contains("cuMemFree_v2"));
    assertThat(fake.live(FakeCuda.Kind.MEMORY)).isZero();
  }

  @Test
  void memoryThatThePoolKeepsIsGivenBackBeforeAnAllocationFails() {
    device.free(device.allocate(40 * MIB));
    assertThat(fake.calls()).isNotEmpty();

    long address = device.allocate(50 * MIB);

    assertThat(address).isNotZero();
    assertThat(fake.calls())
        .extracting(call -> call.substring(2))
        .containsExactly(
            "cuMemAllocFromPoolAsync " + 50 * MIB,
            "cuStreamSynchronize",
            "cuMemPoolTrimTo 0",
            "cuMemAllocFromPoolAsync " + 50 * MIB,
            "cuStreamSynchronize");
  }

  @Test
  void tooLittleMemoryIsToldWithTheNumbers() {
    long _ = device.allocate(24 * MIB);

    DriverException thrown = failure(Kind.OUT_OF_MEMORY, () -> device.allocate(50 * MIB));

    assertThat(thrown.code()).isEqualTo(2);
    assertThat(thrown)
        .hasMessage(
            "cuMemAllocFromPoolAsync: CUDA_ERROR_OUT_OF_MEMORY (2): out of memory; 52428800 bytes"
                + " were requested, 41943040 of 67108864 bytes are free (device 0)");
  }

  @Test
  void memoryThatThePoolKeepsCountsAsFree() {
    long kept = device.allocate(10 * MIB);
    long used = device.allocate(MIB);
    device.free(kept);

    assertThat(device.freeBytes()).isEqualTo(63 * MIB);
    device.free(used);
    assertThat(device.freeBytes()).isEqualTo(64 * MIB);
  }

  @Test
  void aDeviceWithoutPoolsFallsBackToPlainAllocation() {
    fake.set("pools", 0);
    try (DriverDevice plain = driver.open(1)) {
      long address = plain.allocate(MIB);
      assertThat(plain.freeBytes()).isEqualTo(63 * MIB);
      failure(Kind.OUT_OF_MEMORY, () -> plain.allocate(64 * MIB));
      plain.free(address);
      assertThat(plain.freeBytes()).isEqualTo(64 * MIB);
    }
    assertThat(fake.calls())
        .contains("1 cuMemAlloc_v2 " + MIB, "1 cuMemFree_v2")
        .noneMatch(call -> call.contains("Pool"));
  }

  @Test
  void wrongSizesAndAddressesAreRefused() {
    failure(Kind.INVALID, () -> device.allocate(0));
    failure(Kind.INVALID, () -> device.allocate(-1));
    failure(Kind.INVALID, () -> device.free(0));
    failure(Kind.INVALID, () -> device.free(4096));
    failure(Kind.INVALID, () -> device.allocatePinned(0));
    failure(Kind.INVALID, () -> device.freePinned(0));
    failure(Kind.INVALID, () -> device.freePinned(4096));
  }

  @Test
  void pinnedMemoryIsPortableAndNeverWriteCombined() {
    long address = device.allocatePinned(5000);
    device.freePinned(address);

    assertThat(address % 4096).isZero();
    assertThat(fake.calls()).containsExactly("0 cuMemHostAlloc 5000 1", "0 cuMemFreeHost");
  }

  @Test
  void largePinnedMemoryIsMappedBeforeItIsRegistered() {
    long bytes = 20 * MIB + 5000;
    long address = device.allocatePinned(bytes);
    MemorySegment memory = MemorySegment.ofAddress(address).reinterpret(bytes);
    long firstSet = memory.mismatch(Arena.ofAuto().allocate(bytes));
    memory.fill((byte) 1);
    device.freePinned(address);

    assertThat(firstSet).as("the first byte that is not zero").isEqualTo(-1);
    assertThat(address % (2 * MIB)).isZero();
    assertThat(fake.calls())
        .containsExactly("0 cuMemHostRegister_v2 " + bytes + " 3", "0 cuMemHostUnregister");
  }

  @Test
  void memoryThatCannotBeRegisteredIsAllocatedByTheDriver() {
    fake.failNext("cuMemHostRegister_v2", 801);
    long address = device.allocatePinned(4 * MIB);
    device.freePinned(address);

    assertThat(fake.calls())
        .containsExactly(
            "0 cuMemHostRegister_v2 " + 4 * MIB + " 3",
            "0 cuMemHostAlloc " + 4 * MIB + " 1",
            "0 cuMemFreeHost");
  }

  @Test
  void memoryThatDoesNotExistIsNotTouched() {
    long tooMuch = 1L << 50;
    fake.failNext("cuMemHostAlloc", 2);

    assertThat(failure(Kind.OUT_OF_HOST_MEMORY, () -> device.allocatePinned(tooMuch)))
        .hasMessageContaining(tooMuch + " bytes of pinned host memory");
  }

  @Test
  void tooLittleHostMemoryIsNotTakenForDeviceMemory() {
    fake.failNext("cuMemHostAlloc", 2);

    assertThat(failure(Kind.OUT_OF_HOST_MEMORY, () -> device.allocatePinned(5000)))
        .hasMessageContaining("5000 bytes of pinned host memory");
  }

  @Test
  void registeringSaysWhatIsWrong() {
    try (Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(4096, 4096).address();
      device.registerHost(address, 4096);
      assertThat(failure(Kind.INVALID, () -> device.registerHost(address, 4096)))
          .hasMessageContaining("already registered");
      device.unregisterHost(address);
      assertThat(failure(Kind.INVALID, () -> device.unregisterHost(address)))
          .hasMessageContaining("is not the start of a registered range");
      fake.failNext("cuMemHostRegister_v2", 801);
      assertThat(failure(Kind.OTHER, () -> device.registerHost(address, 4096)))
          .hasMessageContaining("this kind of memory cannot be pinned");
      fake.failNext("cuMemHostRegister_v2", 2);
      failure(Kind.OUT_OF_HOST_MEMORY, () -> device.registerHost(address, 4096));
      failure(Kind.INVALID, () -> device.registerHost(0, 4096));
      failure(Kind.INVALID, () -> device.registerHost(address, 0));
    }
    assertThat(fake.calls()).contains("0 cuMemHostRegister_v2 4096 1");
  }

  @Test
  void memoryThatIsOnlyReadIsRegisteredAsThat() {
    try (Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(4096, 4096).address();
      device.registerReadOnly(address, 4096);
      long onDevice = device.allocate(4096);
      long stream = device.createStream(0);
      device.copy(onDevice, address, 4096, CopyKind.HOST_TO_DEVICE, stream);
      failure(
          Kind.INVALID,
          () -> device.copy(address + 8, onDevice, 64, CopyKind.DEVICE_TO_HOST, stream));
      device.unregisterHost(address);
      device.registerHost(address, 4096);
      device.unregisterHost(address);
      failure(Kind.INVALID, () -> device.registerReadOnly(0, 4096));
      failure(Kind.INVALID, () -> device.registerReadOnly(address, 0));
    }
    assertThat(fake.calls())
        .filteredOn(call -> call.contains("Register"))
        .containsExactly("0 cuMemHostRegister_v2 4096 9", "0 cuMemHostRegister_v2 4096 1");
  }

  @Test
  void aDeviceThatCannotPinReadOnlyMemorySaysSo() {
    fake.set("readOnly", 0);
    try (Arena arena = Arena.ofConfined()) {
      long address = arena.allocate(4096, 4096).address();
      assertThat(failure(Kind.INVALID, () -> device.registerReadOnly(address, 4096)))
          .hasMessageContaining("device 0: 4096 bytes at 0x" + Long.toHexString(address))
          .hasMessageContaining("its attribute 113 is 0")
          .hasMessageContaining("copy it without registering it");
      device.registerHost(address, 4096);
      device.unregisterHost(address);
    }
    assertThat(fake.calls()).doesNotContain("0 cuMemHostRegister_v2 4096 9");
  }

  @Test
  void writeCombinedMemoryIsTheDriversWhateverItsSize() {
    for (long bytes : new long[] {4096, 64 << 20}) {
      assertThat(fake.calls()).isNotNull();
      long address = device.allocateWriteCombined(bytes);
      assertThat(fake.calls()).contains("0 cuMemHostAlloc " + bytes + " 5");
      device.freePinned(address);
      assertThat(fake.calls()).contains("0 cuMemFreeHost");
    }
    failure(Kind.INVALID, () -> device.allocateWriteCombined(0));
  }
}
