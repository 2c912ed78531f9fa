package dev.stretto.order;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class AccessIndexTest {
  private static final Accesses MEMORY = new Accesses(() -> "some memory");

  @Test
  void allThatMeetSomeBytesAreFoundAmongManySizes() {
    for (long seed = 0; seed < 50; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      AccessIndex index = new AccessIndex();
      List<Access> all = new ArrayList<>();
      StreamClock stream = new StreamClock(1, 0, new Named("stream"), false);
      StreamClock other = new StreamClock(2, 0, new Named("other"), false);
      for (int step = 0; step < 400; step++) {
        Footprint bytes = bytes(random);
        switch (random.nextInt(5)) {
          case 0 -> {
            long odd = random.nextInt(3);
            index.removeNear(
                bytes, access -> access.order() % 3 == odd && access.bytes().meets(bytes));
            all.removeIf(access -> access.order() % 3 == odd && access.bytes().meets(bytes));
          }
          case 1 -> {
            Access later =
                new Access(
                    MEMORY,
                    other,
                    step,
                    bytes,
                    Way.WRITES,
                    new Work("w", () -> null),
                    Knowledge.NONE);
            assertThat(index.racing(later, Knowledge.NONE))
                .as("seed %d, step %d", seed, step)
                .containsExactlyInAnyOrderElementsOf(
                    all.stream().filter(access -> access.bytes().meets(bytes)).toList());
          }
          default -> {
            Access access =
                new Access(
                    MEMORY,
                    stream,
                    step + 1,
                    bytes,
                    Way.READS,
                    new Work("w", () -> null),
                    Knowledge.NONE);
            access.order(step);
            index.add(access);
            all.add(access);
          }
        }
        assertThat(index.size()).isEqualTo(all.size());
      }
      index.removeIf(_ -> true);
      assertThat(index.size()).isZero();
    }
  }

  /** Some are short, some long, and some have gaps; the last ones reach the end of the numbers. */
  private static Footprint bytes(SplittableRandom random) {
    long address = random.nextInt(10) == 0 ? Long.MAX_VALUE - 5000 : random.nextInt(4000);
    return switch (random.nextInt(4)) {
      case 0 -> Footprint.of(address, 1 + random.nextInt(3000));
      case 1 -> Footprint.ofRows(address, 3, 7, 1 + random.nextInt(40));
      default -> Footprint.of(address, 1 + random.nextInt(20));
    };
  }
}
