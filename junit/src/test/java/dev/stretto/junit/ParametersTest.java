package dev.stretto.junit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import dev.stretto.Stream;
import dev.stretto.memory.GlobalBytes;
import dev.stretto.timeline.Timeline;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** What a test gets for its parameters. */
class ParametersTest {
  private Device before;

  @BeforeEach
  void keep(Device first) {
    before = first;
  }

  @AfterEach
  void isTheSame(Device first) {
    assertThat(first).isSameAs(before);
  }

  @DeviceTest(devices = "h200x3", seeds = 3)
  void belongToTheDeviceBeforeThem(
      Stream early,
      Device first,
      Stream upload,
      Device second,
      Stream download,
      PinnedArena pinned,
      Device third,
      Timeline timeline,
      Arena arena,
      List<Device> all,
      TestInfo info) {
    assertThat(all).containsExactly(first, second, third).doesNotHaveDuplicates();
    assertThat(first).isSameAs(before);
    assertThat(List.of(early.device(), upload.device(), download.device()))
        .containsExactly(first, first, second);
    assertThat(upload.name()).isEqualTo("upload");
    MemorySegment there = pinned.allocate(100);
    MemorySegment here = arena.allocate(100);
    try (Stream copies = third.stream();
        GlobalBytes x = second.allocateBytes(100);
        GlobalBytes y = third.allocateBytes(100)) {
      download.copy(there, x).await();
      copies.copy(here, y);
      copies.await();
    }
    assertThat(timeline.spans()).hasSize(1);
    assertThat(info.getDisplayName()).contains("h200x3");
  }

  @DeviceTest(seeds = 5)
  void theSeedIsTheRuns(Device device, @Seed long seed, TestInfo info) {
    assertThat(device.isVirtual() ? info.getDisplayName() : "seed=0,")
        .contains("seed=" + seed + ",");
  }

  @DeviceTest(seeds = 0, order = Order.OFF)
  void withoutSeedsThreadsRunTheDevice(Device device, @Seed long seed) {
    assertThat(device.isSeeded()).isFalse();
    assertThat(seed).isZero();
  }
}
