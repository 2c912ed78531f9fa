package dev.stretto.kernel.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Trees of clocks, beside maps that are copied. */
class OtherClustersTest {
  private static final long[] CLUSTERS = {
    0, 1, 15, 16, 17, 255, 256, 4095, 4096, 70_000, 1L << 31, (1L << 62) + 5, Long.MAX_VALUE
  };

  /** The same in a plain way. */
  private record Known(@Nullable OtherClusters tree, Map<Long, int[]> map) {}

  @Test
  void whatIsJoinedKnowsWhatEitherKnew() {
    for (int seed = 0; seed < 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Known> all = new ArrayList<>();
      all.add(new Known(null, Map.of()));
      for (int step = 0; step < 60; step++) {
        Known made =
            random.nextInt(3) == 0
                ? of(random)
                : joined(all.get(random.nextInt(all.size())), all.get(random.nextInt(all.size())));
        all.add(made);
        require(made, seed);
      }
      for (Known each : all) {
        require(each, seed); // nothing has changed
      }
    }
  }

  private static Known of(SplittableRandom random) {
    long cluster = CLUSTERS[random.nextInt(CLUSTERS.length)];
    int[] clock = new int[1 + random.nextInt(3)];
    for (int i = 0; i < clock.length; i++) {
      clock[i] = random.nextInt(4);
    }
    return new Known(OtherClusters.of(cluster, clock), Map.of(cluster, clock));
  }

  private static Known joined(Known a, Known b) {
    Map<Long, int[]> map = new HashMap<>(a.map);
    b.map.forEach((cluster, clock) -> map.merge(cluster, clock, OtherClustersTest::joined));
    return new Known(OtherClusters.joined(a.tree, b.tree), map);
  }

  private static int[] joined(int[] a, int[] b) {
    int[] both = new int[Math.max(a.length, b.length)];
    for (int i = 0; i < both.length; i++) {
      both[i] = Math.max(LearningHistory.at(a, i), LearningHistory.at(b, i));
    }
    return both;
  }

  private static void require(Known known, int seed) {
    for (long cluster : CLUSTERS) {
      int[] clock = known.map.getOrDefault(cluster, new int[0]);
      for (int rank = 0; rank < 4; rank++) {
        for (int number = 1; number < 5; number++) {
          assertThat(known.tree != null && known.tree.knows(cluster, rank, number))
              .as("seed %d: cluster %d, thread %d, %d", seed, cluster, rank, number)
              .isEqualTo(LearningHistory.at(clock, rank) >= number);
        }
      }
    }
  }

  @Test
  void whoKnowsAllIsWhatIsJoined() {
    OtherClusters few = OtherClusters.of(3, new int[] {1, 2});
    OtherClusters more = OtherClusters.joined(few, OtherClusters.of(70_000, new int[] {5}));
    assertThat(OtherClusters.joined(more, few)).isSameAs(more);
    assertThat(OtherClusters.joined(few, more)).isSameAs(more);
  }
}
