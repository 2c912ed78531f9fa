package dev.stretto.route;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ArrivalPlacesTest {
  private static final int BYTES = 1 << 16;

  /** A copy that arrives in some memory, and nothing else. */
  private record At(MemorySegment host) implements Arrival {
    @Override
    public boolean isSettled() {
      return false;
    }

    @Override
    public boolean isAbandoned() {
      return false;
    }

    @Override
    public long settledNanos() {
      return 0;
    }

    @Override
    public boolean isInFile() {
      return false;
    }

    @Override
    public void whenSettled(Runnable action) {}

    @Override
    public void hasten(Failures by) {}

    @Override
    public boolean touches(long address, long bytes) {
      return host.isNative()
          && host.address() < address + bytes
          && address < host.address() + host.byteSize();
    }

    @Override
    public boolean concerns(MemorySegment other) {
      return host.asOverlappingSlice(other).isPresent();
    }

    @Override
    public void passFailureTo(Failures heir, long sequence) {}
  }

  /** The judge is to ask every copy. */
  @Test
  void itFindsExactlyTheCopiesThatTouchTheMemory() {
    for (int seed = 0; seed < 100; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<MemorySegment> memories = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        memories.add(MemorySegment.ofArray(new byte[BYTES]));
        memories.add(Arena.ofAuto().allocate(BYTES));
      }
      ArrivalPlaces places = new ArrivalPlaces();
      List<At> all = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        if (!all.isEmpty() && random.nextInt(3) == 0) {
          places.remove(all.remove(random.nextInt(all.size())));
        } else {
          At arrival = new At(part(random, memories));
          all.add(arrival);
          places.add(arrival);
        }
        MemorySegment asked = part(random, memories);
        for (MemorySegment view : List.of(asked, asked.asReadOnly())) {
          Set<MemorySegment> expected =
              all.stream()
                  .filter(at -> at.concerns(view))
                  .map(At::host)
                  .collect(Collectors.toSet());
          Set<MemorySegment> found =
              places.near(view).stream()
                  .filter(at -> at.concerns(view))
                  .map(Arrival::host)
                  .collect(Collectors.toSet());
          assertThat(found).as("seed %d", seed).isEqualTo(expected);
        }
      }
    }
  }

  private static MemorySegment part(SplittableRandom random, List<MemorySegment> memories) {
    MemorySegment memory = memories.get(random.nextInt(memories.size()));
    int size = 1 << random.nextInt(16);
    int from = random.nextInt(BYTES - size + 1);
    return memory.asSlice(from, size);
  }

  @Test
  void aQuestionAmongThousandsOfSmallCopiesInOneBlockLooksAtFew() {
    MemorySegment block = Arena.ofAuto().allocate(1 << 20);
    ArrivalPlaces places = new ArrivalPlaces();
    for (int i = 0; i < 1024; i++) {
      places.add(new At(block.asSlice(1024L * i, 1024)));
    }
    places.add(new At(block));
    assertThat(places.near(block.asSlice(5000, 100))).hasSizeLessThanOrEqualTo(4);
  }
}
