package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.driver.virtual.VirtualConfig;
import dev.stretto.driver.virtual.VirtualDriver;
import dev.stretto.settings.OrderMode;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** That pinned memory is found by any part of it, and by nothing else. */
class PinnedRangesTest {
  private final DeviceRuntime engine = open();
  private final PinnedRanges ranges = engine.pinned().ranges();

  private static DeviceRuntime open() {
    VirtualDriver driver = new VirtualDriver(VirtualConfig.parse(""));
    return new DeviceRuntime(driver.open(0), OpenDevices.of(driver), "virtual:0", OrderMode.OFF);
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void everyPartOfABlockIsFoundAndNothingBesideIt() {
    long at = engine.pinned().allocate(1 << 20).address();
    assertThat(ranges.find(at, 1 << 20)).isNotNull();
    assertThat(ranges.find(at + 17, 1)).isNotNull();
    assertThat(ranges.find(at + (1 << 20) - 1, 1)).isNotNull();
    assertThat(ranges.find(at, (1 << 20) + 1)).isNull();
    assertThat(ranges.find(at - 1, 2)).isNull();
    assertThat(ranges.touches(at - 1, 2)).isTrue();
    assertThat(ranges.touches(at + (1 << 20) - 1, 100)).isTrue();
    assertThat(ranges.touches(at - 5, (1 << 20) + 10)).isTrue();
  }

  @Test
  void manyBlocksThatComeAndGoInAnyOrderAreKeptApart() {
    SplittableRandom random = new SplittableRandom(2);
    List<PinnedBlock> blocks = new ArrayList<>();
    for (int round = 0; round < 400; round++) {
      if (blocks.size() < 5 || random.nextBoolean()) {
        blocks.add(engine.pinned().allocate((128 << 10) + random.nextInt(10_000)));
      } else {
        PinnedBlock gone = blocks.remove(random.nextInt(blocks.size()));
        assertThat(gone.closeAfterLastUse()).isTrue();
        assertThat(ranges.find(gone.address(), gone.byteSize())).isNull();
      }
      for (PinnedBlock block : blocks) {
        assertThat(ranges.find(block.address(), block.byteSize())).isSameAs(block);
      }
    }
    blocks.forEach(PinnedBlock::closeAfterLastUse);
  }

  @Test
  void driversThatPinTheSameMemoryKnowNothingOfEachOther() {
    DeviceRuntime stranger = open();
    PinnedRanges theirs = stranger.pinned().ranges();
    try (Arena arena = Arena.ofShared()) {
      MemorySegment host = arena.allocate(3 * 4096, 4096);
      long at = host.address();
      PinnedBlock ours = engine.pinned().register(host);
      PinnedBlock same = stranger.pinned().register(host.asSlice(0, 4096));
      assertThat(ranges.find(at, 1)).isSameAs(ours);
      assertThat(ranges.find(at + 4096, 4096)).isSameAs(ours);
      assertThat(theirs.find(at, 1)).isSameAs(same);
      assertThat(theirs.find(at + 4096, 1)).isNull();
      assertThat(ours.closeAfterLastUse()).isTrue();
      ours.awaitReleased();
      assertThat(ranges.touches(at, 3 * 4096)).isFalse();
      assertThat(theirs.find(at, 1)).isSameAs(same);
      assertThat(Pinned.isPinned(host.asSlice(0, 4096))).isTrue();
      assertThat(same.closeAfterLastUse()).isTrue();
      same.awaitReleased();
      assertThat(theirs.touches(at, 3 * 4096)).isFalse();
      assertThat(Pinned.isPinned(host.asSlice(0, 4096))).isFalse();
    } finally {
      stranger.close();
    }
  }
}
