package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How staging buffers are shared out. */
class SlotsTest {
  @Test
  void oneCopyNeverTakesAllOfThem() {
    for (int width = 1; width < 200; width++) {
      assertThat(Slots.depth(width)).isBetween(2, 31);
    }
  }

  /** Whatever is taken and given back, in wholes and halves: no byte has two users. */
  @Test
  void wholeSlotsAndHalvesNeverOverlap() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      try (Arena arena = Arena.ofConfined()) {
        FreeSlots free = new FreeSlots(100);
        for (int i = 0; i < 4; i++) {
          free.add(new Slots.Slot(arena.allocate(Slots.SLOT_BYTES), null));
        }
        List<Slots.Part> used = new ArrayList<>();
        for (int round = 0; round < 300; round++) {
          if (random.nextInt(5) < 3) {
            long bytes = random.nextBoolean() ? Slots.SLOT_BYTES : Slots.HALF_BYTES;
            int before = free.size();
            Slots.Slot slot = free.poll(bytes);
            if (slot == null) {
              assertThat(bytes == Slots.SLOT_BYTES ? before : halvesIn(used)).isIn(0, 8);
              continue;
            }
            used.add(slot.cut(bytes));
          } else if (!used.isEmpty()) {
            Slots.Part part = used.remove(random.nextInt(used.size()));
            assertThat(part.slot().giveBack()).isTrue();
            free.push(part.slot());
          }
          assertThat(starts(used)).as("seed %d", seed).hasSize(halvesIn(used));
        }
        used.forEach(
            part -> {
              boolean _ = part.slot().giveBack();
              free.push(part.slot());
            });
        assertThat(free.size()).isEqualTo(4);
        Set<Slots.Slot> whole = Collections.newSetFromMap(new IdentityHashMap<>());
        for (Slots.Slot slot = free.poll(Slots.SLOT_BYTES);
            slot != null;
            slot = free.poll(Slots.SLOT_BYTES)) {
          whole.add(slot);
        }
        assertThat(whole).hasSize(4);
        assertThat(free.size()).isZero();
      }
    }
  }

  private static int halvesIn(List<Slots.Part> used) {
    return used.stream()
        .mapToInt(part -> (int) (part.memory().byteSize() / Slots.HALF_BYTES))
        .sum();
  }

  /** Where each half that is used begins. */
  private static Set<Long> starts(List<Slots.Part> used) {
    Set<Long> starts = new HashSet<>();
    for (Slots.Part part : used) {
      for (long at = 0; at < part.memory().byteSize(); at += Slots.HALF_BYTES) {
        starts.add(part.address() + at);
      }
    }
    return starts;
  }

  @Test
  void moreHalvesThanTheCachesHoldAreNotHandedOut() {
    try (Arena arena = Arena.ofConfined()) {
      FreeSlots free = new FreeSlots(4);
      for (int i = 0; i < 8; i++) {
        free.add(new Slots.Slot(arena.allocate(Slots.SLOT_BYTES), null));
      }
      List<Slots.Slot> halves = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        assertThat(free.leavesSome(Slots.HALF_BYTES)).isEqualTo(i < 3);
        assertThat(free.isLimit(Slots.HALF_BYTES)).isFalse();
        halves.add(free.poll(Slots.HALF_BYTES));
      }
      assertThat(free.isLimit(Slots.HALF_BYTES)).isTrue();
      assertThat(free.poll(Slots.HALF_BYTES)).isNull();
      assertThat(free.poll(Slots.SLOT_BYTES)).isNotNull();
      free.push(halves.getFirst());
      assertThat(free.poll(Slots.HALF_BYTES)).isSameAs(halves.getFirst());
    }
  }

  @Test
  void aThreadGetsTheHalfThatItHasFilledBefore() throws InterruptedException {
    try (Arena arena = Arena.ofShared()) {
      FreeSlots free = new FreeSlots(100);
      free.add(new Slots.Slot(arena.allocate(Slots.SLOT_BYTES), null));
      Slots.Slot first = free.poll(Slots.HALF_BYTES);
      Slots.Part part = first.cut(Slots.HALF_BYTES);
      assertThat(free.own(first)).isNull(); // nobody had filled it
      Thread other =
          Thread.ofPlatform()
              .start(
                  () -> {
                    Slots.Slot second = free.poll(Slots.HALF_BYTES);
                    Slots.Part _ = second.cut(Slots.HALF_BYTES);
                    Slots.Slot _ = free.own(second);
                    boolean _ = second.giveBack();
                    free.push(second);
                  });
      other.join();
      boolean _ = part.slot().giveBack();
      free.push(first);
      Slots.Slot again = free.poll(Slots.HALF_BYTES);
      assertThat(again).isSameAs(first);
      Slots.Slot theirs = free.poll(Slots.HALF_BYTES);
      free.push(again);
      Slots.Part _ = theirs.cut(Slots.HALF_BYTES);
      assertThat(free.own(theirs)).isSameAs(first);
      assertThat(free.poll(Slots.HALF_BYTES)).isSameAs(theirs);
    }
  }
}
