package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stretto.Device;
import dev.stretto.PinnedArena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** That pinned memory is found by any part of it, and by nothing else. */
class PinnedRangesTest {
  private static final PinnedRanges RANGES = PinnedRanges.process();

  @Test
  void everyPartOfABlockIsFoundAndNothingBesideIt() {
    try (Device device = Device.open("virtual");
        PinnedArena arena = device.pinnedArena()) {
      MemorySegment segment = arena.allocate(1 << 20);
      long at = segment.address();
      assertThat(RANGES.find(at, 1 << 20)).isNotNull();
      assertThat(RANGES.find(at + 17, 1)).isNotNull();
      assertThat(RANGES.find(at + (1 << 20) - 1, 1)).isNotNull();
      assertThat(RANGES.find(at, (1 << 20) + 1)).isNull();
      assertThat(RANGES.find(at - 1, 2)).isNull();
      assertThat(RANGES.touches(at - 1, 2)).isTrue();
      assertThat(RANGES.touches(at + (1 << 20) - 1, 100)).isTrue();
      assertThat(RANGES.touches(at - 5, (1 << 20) + 10)).isTrue();
    }
  }

  @Test
  void manyBlocksThatComeAndGoInAnyOrderAreKeptApart() {
    SplittableRandom random = new SplittableRandom(2);
    try (Device device = Device.open("virtual")) {
      List<PinnedArena> arenas = new ArrayList<>();
      List<MemorySegment> segments = new ArrayList<>();
      for (int round = 0; round < 400; round++) {
        if (arenas.size() < 5 || random.nextBoolean()) {
          PinnedArena arena = device.pinnedArena();
          arenas.add(arena);
          segments.add(arena.allocate((128 << 10) + random.nextInt(10_000)));
        } else {
          int gone = random.nextInt(arenas.size());
          arenas.remove(gone).close();
          segments.remove(gone);
        }
        for (MemorySegment segment : segments) {
          PinnedBlock block = RANGES.find(segment.address(), segment.byteSize());
          assertThat(block).isNotNull();
          assertThat(block.address()).isEqualTo(segment.address());
        }
      }
      arenas.forEach(PinnedArena::close);
    }
  }
}
