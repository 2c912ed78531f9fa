package dev.stretto.driver.cuda;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.stretto.Device;
import dev.stretto.Registration;
import dev.stretto.fault.PinnedBudgetException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** That CUDA, which refuses what it has still registered, is not asked for that. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaRegistrationTest {
  @TempDir private Path folder;

  private MemorySegment mapped(MapMode mode, Arena arena) throws IOException {
    Path file = Files.write(folder.resolve("mapped"), new byte[8192]);
    try (FileChannel channel = FileChannel.open(file, READ, WRITE)) {
      return channel.map(mode, 0, 8192, arena);
    }
  }

  @Test
  void aMappedFileIsRegisteredAsItIsMapped() throws IOException {
    FakeCuda fake = FakeCuda.reset();
    try (Device device = Device.openAll(fake.driver()).getFirst();
        Arena arena = Arena.ofShared()) {
      for (MapMode mode : List.of(MapMode.READ_ONLY, MapMode.READ_WRITE, MapMode.PRIVATE)) {
        MemorySegment segment = mapped(mode, arena);
        List<String> _ = fake.calls();
        device.register(segment, arena).close();
        assertThat(fake.calls())
            .as("%s", mode)
            .contains("0 cuMemHostRegister_v2 8192 " + (mode.equals(MapMode.READ_ONLY) ? 9 : 1));
      }
    }
  }

  @Test
  void aDeviceThatCannotPinReadOnlyMemoryNamesTheWayOut() throws IOException {
    FakeCuda fake = FakeCuda.reset();
    fake.set("readOnly", 0);
    try (Device device = Device.openAll(fake.driver()).getFirst();
        Arena arena = Arena.ofShared()) {
      long before = device.pinned().usedBytes();
      MemorySegment segment = mapped(MapMode.READ_ONLY, arena);
      assertThatThrownBy(() -> device.register(segment, arena))
          .isInstanceOf(PinnedBudgetException.class)
          .hasMessageContaining("8192 bytes")
          .hasMessageContaining("its attribute 113 is 0")
          .hasMessageContaining("copy it without registering it, which stages it");
      assertThat(device.pinned().usedBytes()).isEqualTo(before);
    }
  }

  @Test
  void memoryIsRegisteredAgainThoughTheDriverHasNotUnpinnedItYet() {
    FakeCuda fake = FakeCuda.reset();
    try (Device device = Device.openAll(fake.driver()).getFirst();
        Arena arena = Arena.ofShared()) {
      MemorySegment host = arena.allocate(5 * 4096, 4096);
      List<MemorySegment> ranges =
          List.of(host, host.asSlice(4096, 8192), host.asSlice(8192, 100), host.asSlice(9000, 100));
      for (int round = 0; round < 1_000; round++) {
        MemorySegment range = ranges.get(round / 8 % ranges.size());
        try (Registration registration = device.register(range, arena)) {
          assertThat(registration.isOpen()).isTrue();
        }
      }
    }
  }
}
