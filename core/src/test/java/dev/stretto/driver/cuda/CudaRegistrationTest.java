package dev.stretto.driver.cuda;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.Registration;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** That CUDA, which refuses what it has still registered, is not asked for that. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CudaRegistrationTest {
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
