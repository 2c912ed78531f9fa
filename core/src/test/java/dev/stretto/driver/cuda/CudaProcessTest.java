package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.CudaIpcEvent;
import dev.stretto.Device;
import dev.stretto.IpcArena;
import dev.stretto.LimitedPool;
import dev.stretto.Stream;
import dev.stretto.driver.DriverDevice;
import dev.stretto.driver.DriverException.Kind;
import dev.stretto.fault.ClosedException;
import dev.stretto.fault.NoSharingException;
import dev.stretto.memory.GlobalInts;
import dev.stretto.memory.GlobalLongs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What several processes use together, as the driver is called for it. */
class CudaProcessTest extends OnFakeCuda {
  private static final int NOT_SUPPORTED = 801;
  private static final long MIB = 1 << 20;

  private List<String> calls() {
    return fake.calls().stream().map(call -> call.substring(2)).toList();
  }

  private Device opened() {
    return Device.openAll(driver).getFirst();
  }

  @Test
  void aPoolGoesOverAsAFileDescriptorAndItsMemoryAs64Bytes() {
    long stream = device.createStream(0);
    long pool = device.createSharedPool(3 * MIB);
    assertThat(calls()).contains("cuMemPoolCreate 1 1 1 0 0, at most " + 4 * MIB);
    long address = device.allocateAsync(1000, pool, stream);
    int descriptor = device.exportPool(pool);
    byte[] handle = device.exportPooled(address);
    assertThat(handle).hasSize(64);
    long theirs = device.openPool(descriptor);
    long opened = device.openPooled(theirs, handle);
    assertThat(opened).isNotEqualTo(address);
    assertThat(calls())
        .containsSubsequence(
            "cuMemPoolExportToShareableHandle 1 0",
            "cuMemPoolExportPointer",
            "cuMemPoolImportFromShareableHandle 1000 1 0",
            "cuMemPoolImportPointer");
    device.closePooled(opened);
    assertThat(calls()).containsExactly("cuMemFreeAsync", "cuStreamSynchronize");
    device.destroyPool(theirs);
    device.freeAsync(address, stream);
    device.destroyPool(pool);
    assertThat(fake.live(FakeCuda.Kind.MEMORY)).isZero();
  }

  @Test
  void whatIsNoneIsRefused() {
    long pool = device.createPool(MIB);
    long stream = device.createStream(0);
    long address = device.allocateAsync(1000, pool, stream);
    assertThat(failure(Kind.OTHER, () -> device.exportPool(pool)).code()).isEqualTo(NOT_SUPPORTED);
    failure(Kind.INVALID, () -> device.exportPooled(address));
    failure(Kind.INVALID, () -> device.openPool(3));
    failure(Kind.INVALID, () -> device.openPooled(pool, new byte[64]));
    failure(Kind.INVALID, () -> device.openPooled(pool, new byte[63]));
    failure(Kind.INVALID, () -> device.createSharedPool(0));
    failure(Kind.INVALID, () -> device.openEvent(new byte[64]));
    failure(Kind.INVALID, () -> device.openEvent(new byte[10]));
    failure(Kind.INVALID, () -> device.exportEvent(device.createEvent(false)));
  }

  @Test
  void devicesThatMayAccessTheOtherPoolsMayAccessAnOpenedOne() {
    try (DriverDevice second = driver.open(1)) {
      device.enablePeerAccess(second);
      long pool = device.createSharedPool(MIB);
      assertThat(calls()).contains("cuMemPoolSetAccess of 0: 1 1 3");
      long theirs = device.openPool(device.exportPool(pool));
      assertThat(calls()).contains("cuMemPoolSetAccess of 0: 1 1 3");
      device.destroyPool(theirs);
      device.destroyPool(pool);
      device.disablePeerAccess(second);
    }
  }

  @Test
  void anEventOfSeveralProgramsIsMadeRecordedAndOpened() {
    try (Device mine = opened();
        IpcArena arena = mine.ipcArena();
        Stream stream = mine.stream()) {
      CudaIpcEvent event = arena.cudaEvent();
      assertThat(calls()).contains("cuEventCreate 6", "cuIpcGetEventHandle");
      stream.record(event).await();
      assertThat(calls()).contains("cuEventRecord");
      CudaIpcEvent theirs = arena.openCudaEvent(event.handle());
      assertThat(theirs.handle()).isEqualTo(event.handle());
      stream.waitFor(theirs);
      assertThat(calls()).contains("cuIpcOpenEventHandle", "cuStreamWaitEvent 0");
      stream.await();
      theirs.close();
      theirs.close();
      assertThatThrownBy(() -> stream.waitFor(theirs)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> stream.record(theirs)).isInstanceOf(ClosedException.class);
      assertThatThrownBy(() -> arena.openCudaEvent(new byte[63]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("64 bytes");
      assertThatThrownBy(() -> arena.openCudaEvent(new byte[64]))
          .isInstanceOf(NoSharingException.class)
          .hasMessageContaining("cuIpcOpenEventHandle");
      try (Device other = opened();
          Stream elsewhere = other.stream()) {
        assertThatThrownBy(() -> elsewhere.record(event))
            .isInstanceOf(IllegalArgumentException.class);
      }
    }
  }

  @Test
  void memoryOfSeveralProgramsIsGivenOutAndOpened() {
    try (Device mine = opened();
        IpcArena arena = mine.ipcArena()) {
      GlobalInts array = arena.allocate(4 * MIB, GlobalInts::of);
      byte[] handle = arena.cudaHandle(array);
      assertThat(handle).hasSize(64);
      GlobalInts opened = arena.openCuda(handle, 4 * MIB, GlobalInts::of);
      assertThat(opened.length()).isEqualTo(MIB);
      opened.close();
      assertThat(calls()).contains("cuIpcCloseMemHandle");
      assertThatThrownBy(() -> arena.openCuda(handle, 4 * MIB + 8, GlobalLongs::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("has 4194304");
      assertThatThrownBy(() -> arena.openCuda(handle, 4, GlobalLongs::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("whole elements");
      assertThatThrownBy(() -> arena.openCuda(handle, 0, GlobalLongs::of))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.openCuda(new byte[3], 8, GlobalLongs::of))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("64 bytes");
      assertThatThrownBy(() -> arena.openCuda(new byte[64], 8, GlobalLongs::of))
          .isInstanceOf(NoSharingException.class);
      assertThatThrownBy(() -> arena.cudaHandle(array.slice(0, 4)))
          .isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> arena.cudaHandle(mine.allocateInts(4)))
          .isInstanceOf(IllegalArgumentException.class);
      array.close();
      assertThatThrownBy(() -> arena.cudaHandle(array)).isInstanceOf(ClosedException.class);
    }
  }

  @Test
  void aDriverThatSharesNothingSaysSoWhenItIsAskedAndNothingStays() {
    try (Device mine = opened();
        IpcArena arena = mine.ipcArena()) {
      int live = fake.live(FakeCuda.Kind.MEMORY);
      fake.fail("cuIpcGetMemHandle", NOT_SUPPORTED, 1);
      assertThatThrownBy(() -> arena.allocate(1000, GlobalInts::of))
          .isInstanceOf(NoSharingException.class)
          .hasMessageContaining("cuIpcGetMemHandle")
          .hasMessageContaining("container");
      assertThat(fake.live(FakeCuda.Kind.MEMORY)).isEqualTo(live);
      fake.fail("cuMemPoolExportToShareableHandle", NOT_SUPPORTED, 1);
      assertThatThrownBy(() -> arena.memoryPool(MIB)).isInstanceOf(NoSharingException.class);
      fake.fail("cuMemPoolCreate", NOT_SUPPORTED, 1);
      assertThatThrownBy(() -> arena.memoryPool(MIB)).isInstanceOf(NoSharingException.class);
      fake.fail("cuIpcGetEventHandle", NOT_SUPPORTED, 1);
      assertThatThrownBy(arena::cudaEvent).isInstanceOf(NoSharingException.class);
      try (LimitedPool pool = arena.memoryPool(MIB);
          Stream stream = mine.stream();
          GlobalInts array = stream.allocateInts(pool, 100)) {
        fake.fail("cuMemPoolExportPointer", NOT_SUPPORTED, 1);
        assertThatThrownBy(() -> arena.handle(array)).isInstanceOf(NoSharingException.class);
        assertThat(arena.handle(array)).isNotEmpty();
      }
    }
  }
}
