package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SlotRingTest {
  private final MemorySegment memory = Arena.ofAuto().allocate(4096);

  @Test
  void aRingThatIsFullHasABufferAgainWhenItsOldestOneIsFree() {
    SlotRing ring = new SlotRing(memory, true, 100);
    SmallSlot[] slots = new SmallSlot[4];
    for (int i = 0; i < 4; i++) {
      slots[i] = ring.take(1024);
      assertThat(slots[i].offset()).isEqualTo(1024L * i);
    }
    assertThat(ring.take(1)).isNull();
    slots[1].giveBack();
    assertThat(ring.take(1)).as("the oldest one is still in use").isNull();
    assertThat(ring.hasRoom(1)).isFalse();
    slots[0].giveBack();
    assertThat(ring.hasRoom(2048)).isTrue();
    SmallSlot next = ring.take(2048);
    assertThat(next.offset()).isZero();
    assertThat(next.end()).isEqualTo(2048);
  }

  @Test
  void thereAreNoMoreBuffersThanTheRingHasPlacesFor() {
    SlotRing ring = new SlotRing(memory, false, 3);
    SmallSlot first = ring.take(10);
    assertThat(ring.take(10)).isNotNull();
    assertThat(ring.take(10)).isNotNull();
    assertThat(ring.take(10)).isNull();
    first.giveBack();
    assertThat(ring.take(10)).isNotNull();
    assertThat(ring.take(4097)).as("more than the memory").isNull();
  }

  @Test
  void noTwoBuffersInUseEverShareAByte() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SlotRing ring = new SlotRing(memory, true, 7);
      ArrayDeque<SmallSlot> inUse = new ArrayDeque<>();
      for (int i = 0; i < 300; i++) {
        if (!inUse.isEmpty() && random.nextInt(3) == 0) {
          inUse.remove().giveBack();
          continue;
        }
        SmallSlot slot = ring.take(random.nextInt(1, 1500));
        if (slot == null) {
          continue;
        }
        assertThat(slot.end()).as("seed %d", seed).isLessThanOrEqualTo(4096);
        for (SmallSlot other : inUse) {
          assertThat(slot.end() <= other.offset() || other.end() <= slot.offset())
              .as("seed %d", seed)
              .isTrue();
        }
        inUse.add(slot);
      }
    }
  }
}
